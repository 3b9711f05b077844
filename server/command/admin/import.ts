import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { stringify } from 'csv-stringify/sync';

import { NETWORKS } from '#domain/network.ts';
import { PROFILE_FIELDS, PROFILE_FIELD_NAMES } from '#domain/profile-field.ts';
import type { ProfileChange } from '#domain/profile.ts';
import { cardPath } from '#domain/share.ts';
import { qrSvg } from '#view/qr-code.ts';
import type { Statement } from '#server/adapter/database/database.ts';
import { joinSql, rawSql, sql } from '#server/adapter/database/sql.ts';
import { endInvitationStatement } from '#server/adapter/invitation/store.ts';
import { USER_COLUMNS, changeProfileStatement, toProfile } from '#server/adapter/profile/store.ts';
import type { UserRow } from '#server/adapter/profile/store.ts';
import { BYTE_ORDER_MARK, escapeFormulas } from '#server/feature/contact/contact-export.ts';
import { reasonOf } from '#server/start-error.ts';
import { newUserId } from '#server/token.ts';

import { auditStatement, logChange } from './audit.ts';
import { AdminError } from './context.ts';
import type { AdminContext } from './context.ts';
import { readPeople } from './import-file.ts';
import type { ImportRow } from './import-file.ts';
import type { Options } from './options.ts';

/** In one transaction. */
const ROWS_AT_ONCE = 100;
/** While owners sign up or are blocked at the same time. */
const ATTEMPTS_MAX = 5;

interface ImportOptions extends Pick<Options, 'reason' | 'apply' | 'overwrite' | 'links' | 'qr'> {
  readonly file: string;
}

interface Step extends ImportRow {
  readonly result: 'new' | 'changed' | 'same' | 'refused';
  readonly name: string;
  /** The fields that change or are kept, or why it is refused. */
  readonly why: string;
  /** Null for one without a card. */
  readonly userId: string | null;
}

/**
 * Creates accounts and changes cards from a CSV file; without `apply` it changes nothing. Returns what
 * happens to each line. Throws AdminError.
 */
export async function importPeople(context: AdminContext, options: ImportOptions) {
  const { publicUrl, otpCountries } = context.settings;
  const { file, apply = false, links, qr } = options;
  if (publicUrl === null && (links ?? qr) !== undefined)
    throw new AdminError('--links and --qr need PUBLIC_URL.');
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new AdminError(`${file} cannot be read (${reasonOf(error)}).`);
  });
  const rows = readPeople(bytes, otpCountries);
  const steps: Step[] = [];
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    steps.push(...(await importRows(context, options, rows.slice(at, at + ROWS_AT_ONCE))));
  const cards = steps.filter(({ result }) => apply || result !== 'new');
  await writeLinks(cards, options, publicUrl ?? '').catch((error: unknown) => {
    throw new AdminError(
      `The people are imported, but a file was not written (${reasonOf(error)}).`,
    );
  });
  const count = (result: Step['result']) => steps.filter((step) => step.result === result).length;
  if (count('refused') > 0) context.fail();
  return {
    lines: steps.map(({ line, phone, result, name, why }) => ({ line, result, phone, name, why })),
    new: count('new'),
    changed: count('changed'),
    same: count('same'),
    refused: count('refused'),
    isApplied: apply,
  };
}

async function importRows(
  context: AdminContext,
  options: ImportOptions,
  rows: readonly ImportRow[],
): Promise<readonly Step[]> {
  for (let attempt = 1; ; attempt += 1) {
    const steps = await planSteps(context, rows, options.overwrite === true);
    try {
      if (options.apply) await applySteps(context, options, steps);
      return steps;
    } catch (error) {
      if (!(error instanceof AdminError) || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

async function planSteps(
  { database, settings }: AdminContext,
  rows: readonly ImportRow[],
  overwrites: boolean,
): Promise<readonly Step[]> {
  const phones = rows.map(({ phone }) => phone);
  const users = await database.all<UserRow & { readonly login_phone: string }>(
    sql`SELECT ${rawSql(USER_COLUMNS)}, login_phone FROM users
      WHERE login_phone IN (${joinSql(phones, ', ')})`,
  );
  const userByPhone = new Map(users.map((user) => [user.login_phone, user]));
  const lockedFields: ReadonlySet<string> = settings.lockedFields;
  return rows.map((row): Step => {
    const { phone, change } = row;
    if (row.why !== '') return { ...row, result: 'refused', userId: null, name: '' };
    const user = userByPhone.get(phone);
    if (!user) return { ...row, result: 'new', userId: newUserId(), name: change.name ?? '' };
    const { _id: userId, ...profile } = toProfile(user);
    const { name, socialMediaHandles } = profile;
    if (user.blocked_at !== null)
      return { ...row, result: 'refused', userId: null, name, why: `${name} is blocked` };
    const texts = PROFILE_FIELD_NAMES.filter(
      (field) => change[field] !== undefined && change[field] !== profile[field],
    );
    const handles = NETWORKS.filter((network) => {
      const handle = change.socialMediaHandles?.[network];
      return handle !== undefined && handle !== (socialMediaHandles[network] ?? null);
    });
    const isChanged = (field: string) => overwrites || lockedFields.has(field);
    const changed = [...texts, ...handles].filter(isChanged);
    const kept = [...texts, ...handles].filter((field) => !isChanged(field)).join(', ');
    return {
      ...row,
      result: changed.length === 0 ? 'same' : 'changed',
      userId,
      name,
      why: [changed.join(', '), kept && `${kept} kept (--overwrite changes it)`]
        .filter(Boolean)
        .join('; '),
      change: {
        ...Object.fromEntries(texts.filter(isChanged).map((field) => [field, change[field]])),
        ...(overwrites && { socialMediaHandles: change.socialMediaHandles }),
      },
    };
  });
}

/** Throws AdminError if a card was changed meanwhile, and then nothing is changed. */
async function applySteps(
  { database, clock, log, actor }: AdminContext,
  { reason }: ImportOptions,
  steps: readonly Step[],
): Promise<void> {
  const now = clock.now();
  const description = { actor, reason, action: 'import-people' };
  const changes = steps.filter(({ result }) => result === 'new' || result === 'changed');
  if (changes.length === 0) return;
  const statements = changes.flatMap(({ result, line, phone, userId, change }): Statement[] => {
    const user = { userId: userId ?? '', phone };
    return [
      {
        sql:
          result === 'new'
            ? insertStatement(user, change, now)
            : changeProfileStatement(user, change, now),
        errorIfNoRow: () =>
          new AdminError(
            `Line ${line}: the card was changed meanwhile. The lines before it are imported. Run this again.`,
          ),
      },
      endInvitationStatement(phone),
      auditStatement({ ...description, subject: user.userId }, now),
    ];
  });
  await database.batch(statements);
  logChange(log, { ...description, subject: `${changes.length} users` });
}

function insertStatement(
  { userId, phone }: { readonly userId: string; readonly phone: string },
  { socialMediaHandles = {}, ...fields }: ProfileChange,
  now: number,
) {
  const handles = Object.entries(socialMediaHandles).filter(([, value]) => value);
  const texts = PROFILE_FIELD_NAMES.map((name) => ({ phone, ...fields })[name] ?? '');
  const columns = PROFILE_FIELD_NAMES.map((name) => PROFILE_FIELDS[name].column).join(', ');
  return sql`INSERT INTO users (id, login_phone, ${rawSql(columns)}, social_media_handles,
      created_at, updated_at)
    VALUES (${userId}, ${phone}, ${joinSql(texts, ', ')},
      ${JSON.stringify(Object.fromEntries(handles))}, ${now}, ${now})
    ON CONFLICT (login_phone) DO NOTHING RETURNING id`;
}

async function writeLinks(
  steps: readonly Step[],
  { links, qr }: ImportOptions,
  publicUrl: string,
): Promise<void> {
  const cards = steps.flatMap(({ phone, name, userId }) =>
    userId === null ? [] : [{ userId, phone, name, link: publicUrl + cardPath(userId) }],
  );
  if (links !== undefined) {
    // A spreadsheet reads a text with a plus as a formula.
    const cells = cards.map((card) => [card.phone.slice(1), escapeFormulas(card.name), card.link]);
    await writeFile(links, BYTE_ORDER_MARK + stringify([['phone', 'name', 'link'], ...cells]));
  }
  if (qr === undefined) return;
  await mkdir(qr, { recursive: true });
  for (const { userId, link } of cards) await writeFile(join(qr, `${userId}.svg`), qrSvg(link));
}
