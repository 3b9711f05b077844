import { readFile } from 'node:fs/promises';

import { NETWORKS } from '#domain/network.ts';
import { PROFILE_FIELDS, PROFILE_FIELD_NAMES } from '#domain/profile-field.ts';
import type { ProfileChange } from '#domain/profile.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { joinSql, rawSql, sql } from '#server/adapter/database/sql.ts';
import { endInvitationStatement } from '#server/adapter/invitation/store.ts';
import { USER_COLUMNS, changeProfileStatement, toProfile } from '#server/adapter/profile/store.ts';
import type { UserRow } from '#server/adapter/profile/store.ts';
import { reasonOf } from '#server/start-error.ts';
import { newUserId } from '#server/token.ts';

import { auditStatement, logChange } from './audit.ts';
import { AdminError } from './context.ts';
import type { AdminContext } from './context.ts';
import { readPeople } from './import-file.ts';
import type { ImportRow, RefusedRow } from './import-file.ts';
import { writeLinks } from './import-links.ts';
import type { LinkFiles } from './import-links.ts';

/** In one transaction. */
const ROWS_AT_ONCE = 100;
/** While owners sign up or are blocked at the same time. */
const ATTEMPTS_MAX = 5;

interface ImportOptions extends LinkFiles {
  readonly file: string;
  readonly reason: string;
  readonly apply?: true;
  readonly overwrite?: true;
}

interface Step {
  readonly line: number;
  readonly phone: string;
  readonly result: 'new' | 'changed' | 'same' | 'refused';
  readonly name: string;
  /** The fields that change or are kept, or why it is refused. */
  readonly why: string;
  readonly userId: string | null;
  readonly change: ProfileChange;
}

class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile';
}

/**
 * Creates accounts and changes cards from a CSV file; without `apply` it changes nothing. Returns what
 * happens to each line. Throws AdminError.
 */
export async function importPeople(context: AdminContext, options: ImportOptions) {
  const { publicUrl, otpCountries } = context.settings;
  const needsOrigin = options.links !== undefined || options.qr !== undefined;
  if (needsOrigin && publicUrl === null) throw new AdminError('--links and --qr need PUBLIC_URL.');
  const bytes = await readFile(options.file).catch((error: unknown) => {
    throw new AdminError(`${options.file} cannot be read (${reasonOf(error)}).`);
  });
  const rows = readPeople(bytes, otpCountries);
  const steps: Step[] = [];
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    steps.push(...(await importRows(context, options, rows.slice(at, at + ROWS_AT_ONCE))));
  const stored = steps.filter(({ result }) => options.apply === true || result !== 'new');
  await writeLinks(stored, options, publicUrl ?? '');
  if (steps.some(({ result }) => result === 'refused')) context.fail();
  const count = (result: Step['result']) => steps.filter((step) => step.result === result).length;
  return {
    lines: steps.map(({ line, phone, result, name, why }) => ({ line, result, phone, name, why })),
    new: count('new'),
    changed: count('changed'),
    same: count('same'),
    refused: count('refused'),
    isApplied: options.apply === true,
  };
}

async function importRows(
  context: AdminContext,
  options: ImportOptions,
  rows: readonly (ImportRow | RefusedRow)[],
): Promise<readonly Step[]> {
  for (let attempt = 1; ; attempt += 1) {
    const steps = await planSteps(context, options, rows);
    if (!options.apply) return steps;
    try {
      await applySteps(context, options, steps);
      return steps;
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error;
      if (attempt === ATTEMPTS_MAX)
        throw new AdminError(`${error.message} The lines before it are imported. Run this again.`);
    }
  }
}

type FoundRow = UserRow & { readonly login_phone: string };

async function planSteps(
  { database, settings }: AdminContext,
  { overwrite }: ImportOptions,
  rows: readonly (ImportRow | RefusedRow)[],
): Promise<readonly Step[]> {
  const users = await findUsers(
    database,
    rows.map(({ phone }) => phone),
  );
  return rows.map((row): Step => {
    const { line, phone } = row;
    const step = { line, phone, userId: null, change: {}, name: '' };
    if ('why' in row) return { ...step, result: 'refused', why: row.why };
    const user = users.get(phone);
    if (!user) {
      const { change } = row;
      return {
        ...step,
        result: 'new',
        userId: newUserId(),
        change,
        name: change.name ?? '',
        why: '',
      };
    }
    const { _id: userId, ...profile } = toProfile(user);
    const found = { ...step, userId, name: profile.name };
    if (user.blocked_at !== null)
      return { ...found, userId: null, result: 'refused', why: `${profile.name} is blocked` };
    const texts = PROFILE_FIELD_NAMES.filter(
      (name) => row.change[name] !== undefined && row.change[name] !== profile[name],
    );
    const handles = NETWORKS.filter((network) => {
      const handle = row.change.socialMediaHandles?.[network];
      return handle !== undefined && handle !== (profile.socialMediaHandles[network] ?? null);
    });
    const changed = overwrite ? texts : texts.filter((name) => settings.lockedFields.has(name));
    const changedHandles = overwrite ? handles : [];
    const names = [...changed, ...changedHandles];
    const kept = [...texts, ...handles].filter((name) => !(names as string[]).includes(name));
    const change: ProfileChange = {
      ...Object.fromEntries(changed.map((name) => [name, row.change[name]])),
      ...(changedHandles.length > 0 && { socialMediaHandles: row.change.socialMediaHandles }),
    };
    const keptText = kept.length === 0 ? [] : [`${kept.join(', ')} kept (--overwrite changes it)`];
    const why = [...(names.length === 0 ? [] : [names.join(', ')]), ...keptText].join('; ');
    return { ...found, change, result: names.length === 0 ? 'same' : 'changed', why };
  });
}

async function findUsers(
  database: Database,
  phones: readonly string[],
): Promise<ReadonlyMap<string, FoundRow>> {
  const users = await database.all<FoundRow>(sql`SELECT ${rawSql(USER_COLUMNS)}, login_phone
    FROM users WHERE login_phone IN (${joinSql(phones, ', ')})`);
  return new Map(users.map((user) => [user.login_phone, user]));
}

/** Throws ChangedMeanwhile, and then nothing is changed. */
async function applySteps(
  { database, clock, log, actor }: AdminContext,
  { reason }: ImportOptions,
  steps: readonly Step[],
): Promise<void> {
  const now = clock.now();
  const statements = steps.flatMap((step): Statement[] => {
    const { result, line, phone, userId, change } = step;
    if (userId === null || (result !== 'new' && result !== 'changed')) return [];
    return [
      {
        sql:
          result === 'new'
            ? insertStatement({ userId, phone, change, now })
            : changeProfileStatement({ userId, phone }, change, now),
        errorIfNoRow: () => new ChangedMeanwhile(`Line ${line}: the card was changed meanwhile.`),
      },
      endInvitationStatement(phone),
      auditStatement({ actor, reason, action: 'import-people', subject: userId }, now),
    ];
  });
  if (statements.length === 0) return;
  await database.batch(statements);
  const changes = steps.filter(({ result }) => result === 'new' || result === 'changed');
  logChange(log, { actor, reason, action: 'import-people', subject: `${changes.length} users` });
}

interface NewUser {
  readonly userId: string;
  readonly phone: string;
  readonly change: ProfileChange;
  readonly now: number;
}

function insertStatement({ userId, phone, change, now }: NewUser) {
  const handles = Object.entries(change.socialMediaHandles ?? {}).filter(([, value]) => value);
  const texts = PROFILE_FIELD_NAMES.map((name) => change[name] ?? (name === 'phone' ? phone : ''));
  const columns = PROFILE_FIELD_NAMES.map((name) => PROFILE_FIELDS[name].column).join(', ');
  return sql`INSERT INTO users (id, login_phone, ${rawSql(columns)}, social_media_handles,
      created_at, updated_at)
    VALUES (${userId}, ${phone}, ${joinSql(texts, ', ')},
      ${JSON.stringify(Object.fromEntries(handles))}, ${now}, ${now})
    ON CONFLICT (login_phone) DO NOTHING RETURNING id`;
}
