import { readFile } from 'node:fs/promises';

import { NETWORKS } from '#domain/network.ts';
import { PROFILE_FIELDS, PROFILE_FIELD_NAMES } from '#domain/profile-field.ts';
import type { ProfileChange } from '#domain/profile.ts';
import type { Statement } from '#server/adapter/database/database.ts';
import { joinSql, listSql, rawSql, sql } from '#server/adapter/database/sql.ts';
import { deleteInvitationStatement } from '#server/adapter/otp/store.ts';
import { USER_COLUMNS, changeProfileStatement, toProfile } from '#server/adapter/profile/store.ts';
import type { UserRow } from '#server/adapter/profile/store.ts';
import { reasonOf } from '#server/start-error.ts';
import { newUserId } from '#server/token.ts';

import { auditStatement, logChange } from './audit.ts';
import { AdminError } from './context.ts';
import type { AdminContext, Options } from './context.ts';
import { readPeople } from './import-file.ts';
import type { ImportRow } from './import-file.ts';
import { writeLinks } from './import-links.ts';
import { loginEmailStatements } from './login-email.ts';

const EMAIL = 'loginEmail';
/** Each transaction imports so many rows. */
const ROWS_AT_ONCE = 100;
/** An owner can sign up or be blocked while a batch is planned, and then it is planned again. */
const ATTEMPTS_MAX = 5;

interface ImportOptions extends Options {
  readonly file: string;
}

interface Step extends ImportRow {
  readonly result: 'new' | 'changed' | 'same' | 'refused';
  readonly name: string;
  /** Names the fields that change, are kept or are left out, or says why the row is refused. */
  readonly why: string;
  /** Null if there is no card to link to. */
  readonly userId: string | null;
}

/**
 * Creates accounts and changes cards from a CSV file. Without `apply`, it only returns what would happen to
 * each line. Throws AdminError.
 */
export async function importPeople(context: AdminContext, options: ImportOptions) {
  const { publicUrl, otpCountries } = context.settings;
  const { file, apply = false, links, qr } = options;
  if (publicUrl === null && (links ?? qr) !== undefined)
    throw new AdminError(
      '--links and --qr need PUBLIC_URL. Set it to the https origin of the service.',
    );
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new AdminError(
      `${file} cannot be read (${reasonOf(error)}). Check the path and its permissions.`,
    );
  });
  const rows = readPeople(bytes, otpCountries);
  const steps: Step[] = [];
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    steps.push(...(await importRows(context, options, rows.slice(at, at + ROWS_AT_ONCE))));
  const cards = steps.filter(({ result }) => apply || result !== 'new');
  const notWritten = await writeLinks(cards, options, publicUrl ?? '');
  const imported = apply ? 'The people are imported.' : 'Nobody is imported yet.';
  const count = (result: Step['result']) => steps.filter((step) => step.result === result).length;
  if (count('refused') > 0 || notWritten !== '') context.fail();
  return {
    lines: steps.map(({ line, phone, result, name, why }) => ({ line, result, phone, name, why })),
    new: count('new'),
    changed: count('changed'),
    same: count('same'),
    refused: count('refused'),
    warned: steps.filter(({ warning }) => warning !== '').length,
    isApplied: apply,
    ...(notWritten && {
      problem: `${imported} ${notWritten} Run this again with another path.`,
    }),
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
  const users = await database.all<
    UserRow & { readonly login_phone: string; readonly login_email: string | null }
  >(
    sql`SELECT ${rawSql(USER_COLUMNS)}, login_phone, login_email FROM users
      WHERE login_phone IN ${listSql(phones)}`,
  );
  const userByPhone = new Map(users.map((user) => [user.login_phone, user]));
  const lockedFields: ReadonlySet<string> = settings.lockedFields;
  return rows.map((row): Step => {
    const { phone, change, loginEmail, warning } = row;
    const refuse = (why: string, name = ''): Step => {
      return { ...row, result: 'refused', userId: null, name, why };
    };
    if (row.why !== '') return refuse(row.why);
    const user = userByPhone.get(phone);
    if (!user)
      return { ...row, result: 'new', userId: newUserId(), name: change.name ?? '', why: warning };
    const { _id: userId, ...profile } = toProfile(user);
    const { name, socialMediaHandles } = profile;
    if (user.blocked_at !== null) return refuse(`${name} is blocked; unblock the card first`, name);
    const texts = PROFILE_FIELD_NAMES.filter(
      (field) => change[field] !== undefined && change[field] !== profile[field],
    );
    const handles = NETWORKS.filter((network) => {
      const handle = change.socialMediaHandles?.[network];
      return handle !== undefined && handle !== (socialMediaHandles[network] ?? null);
    });
    const isNewEmail = loginEmail !== undefined && loginEmail !== user.login_email;
    const different = [...texts, ...handles, ...(isNewEmail ? [EMAIL] : [])];
    // An owner cannot set the sign-in email, so there is nothing of the owner's to keep.
    const isChanged = (field: string) => overwrites || field === EMAIL || lockedFields.has(field);
    const changed = different.filter(isChanged);
    const kept = different.filter((field) => !isChanged(field)).join(', ');
    return {
      ...row,
      result: changed.length === 0 ? 'same' : 'changed',
      userId,
      name,
      why: [changed.join(', '), kept && `${kept} kept (--overwrite changes it)`, warning]
        .filter(Boolean)
        .join('; '),
      loginEmail: isNewEmail ? loginEmail : undefined,
      change: {
        ...Object.fromEntries(texts.filter(isChanged).map((field) => [field, change[field]])),
        ...(overwrites && { socialMediaHandles: change.socialMediaHandles }),
      },
    };
  });
}

/** Changes nothing and throws AdminError if a card was changed meanwhile. */
async function applySteps(
  { database, clock, log, actor }: AdminContext,
  { reason }: ImportOptions,
  steps: readonly Step[],
): Promise<void> {
  const now = clock.now();
  const description = { actor, reason, action: 'import-people' };
  const changes = steps.filter(({ result }) => result === 'new' || result === 'changed');
  if (changes.length === 0) return;
  const statements = changes.flatMap(({ result, line, change, ...step }): Statement[] => {
    const user = { userId: step.userId ?? '', phone: step.phone };
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
      ...loginEmailStatements(user.userId, step.loginEmail, now),
      deleteInvitationStatement(step.phone),
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
  return sql`INSERT INTO users (id, login_phone, login_email, ${rawSql(columns)},
      social_media_handles, created_at, updated_at)
    VALUES (${userId}, ${phone}, (SELECT login_email FROM invitations WHERE phone = ${phone}),
      ${joinSql(texts, ', ')}, ${JSON.stringify(Object.fromEntries(handles))}, ${now}, ${now})
    ON CONFLICT (login_phone) DO NOTHING RETURNING id`;
}
