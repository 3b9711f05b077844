import { NO_EXTRAS } from '#domain/extras.ts';
import { PROFILE_FIELDS, mapProfileFields } from '#domain/profile-field.ts';
import { userIdSchema } from '#domain/identifier.ts';
import { cardPath } from '#domain/share.ts';
import { cleanCardAddress } from '#domain/card-address.ts';
import { toNfc } from '#domain/text.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { readPages } from '#server/adapter/database/database.ts';
import { rawSql, sql } from '#server/adapter/database/sql.ts';
import { readDatabaseStatistics } from '#server/adapter/database/statistics.ts';
import { toE164 } from '#server/adapter/otp/phone.ts';
import { findByAddress, findOwnAddress } from '#server/adapter/profile/card-address.ts';
import type { UserRow } from '#server/adapter/profile/store.ts';
import { findFilledExtras } from '#server/feature/extra/store.ts';
import { readContactPages } from '#server/feature/contact/find.ts';
import { Sessions } from '#server/adapter/session.ts';
import { tableNames } from '#server/command/backup/copy.ts';
import { findFilledTranslations } from '#server/feature/translation/store.ts';

import { readAudit, toIsoTime } from './audit.ts';
import { noUserError } from './context.ts';
import type { AdminContext, UserInput } from './context.ts';
import { findVisitors } from './visitor.ts';

const FOUND_MAX = 50;
const LISTED_CONTACTS_MAX = 10_000;
const LAST_CHARACTER = '\u{10FFFF}';

interface FoundRow extends Readonly<Record<'id' | 'name' | 'companyName' | 'loginPhone', string>> {
  readonly blockedAt: number | null;
}

/** Large, because this process answers no requests meanwhile. */
const USERS_PER_READ = 1000;

const FOUND_COLUMNS =
  'id, name, company_name AS "companyName", login_phone AS "loginPhone", blocked_at AS "blockedAt"';

const toFound = ({ blockedAt, ...user }: FoundRow) => ({
  ...user,
  loginPhone: shownPhone(user.id, user.loginPhone),
  isBlocked: blockedAt !== null,
});

/** The id replaces the phone of a user who has left (leave). */
const shownPhone = (userId: string, loginPhone: string) =>
  loginPhone === userId ? '' : loginPhone;

/**
 * Returns the users with a login phone, an id, a link to a card, an address `@name`, or a name that starts
 * with the text. A text after `*` is found in any part of a name. For a phone, what visitors with it have left
 * on cards follows.
 */
export async function find(context: AdminContext, wanted: string) {
  const { database, settings } = context;
  if (wanted.startsWith('*')) return findInNames(database, wanted.slice(1));
  const id = parseUserId(await resolveAddress(database, wanted));
  const found = id === null ? [] : await findBy(database, 'id', id);
  if (found.length > 0) return found;
  const phone = toE164(wanted, settings.otpCountries);
  if (phone === null) return findByName(database, wanted);
  return [...(await findByPhone(database, phone)), ...(await findVisitors(context, phone))];
}

/**
 * Returns the id of the user whose card has or had the short link in a text such as '…/@asha-rao', or else the text
 * itself.
 */
export async function resolveAddress(database: Database, text: string): Promise<string> {
  const [, address = ''] = /(?:^|\/)@([\w-]+)\/?(?:[?#]|$)/.exec(text.trim()) ?? [];
  return (await findByAddress(database, cleanCardAddress(address)))?.userId ?? text;
}

export const findByPhone = (database: Database, phone: string) =>
  findBy(database, 'login_phone', phone);

async function findBy(database: Database, column: 'id' | 'login_phone', value: string) {
  const rows = await database.all<FoundRow>(sql`SELECT ${rawSql(FOUND_COLUMNS)} FROM users
    WHERE ${rawSql(column)} = ${value}`);
  return rows.map(toFound);
}

async function findByName(database: Database, text: string) {
  // This is the expression of the index users_name (release-1-1.ts).
  const name = rawSql(database.kind === 'postgres' ? 'lower(name) COLLATE "C"' : 'lower(name)');
  const found = new Map<string, FoundRow>();
  for (const start of spellings(toNfc(text.trim()))) {
    const rows = await database.all<FoundRow>(sql`SELECT ${rawSql(FOUND_COLUMNS)} FROM users
      WHERE ${name} >= lower(${start}) AND ${name} < lower(${start}) || ${LAST_CHARACTER}
      ORDER BY ${name} LIMIT ${FOUND_MAX}`);
    for (const row of rows) found.set(row.id, row);
  }
  return [...found.values()].slice(0, FOUND_MAX).map(toFound);
}

/** Returns the usual ways to write a name, because lower() of a database may change A to Z only. */
function spellings(text: string): ReadonlySet<string> {
  const lower = text.toLowerCase();
  const words = lower.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
  const all = [text, lower, text.toUpperCase(), words];
  return new Set(all.map((one) => one.replace(/[A-Z]/g, (letter) => letter.toLowerCase())));
}

/** Returns the users whose name contains a text in any case, at most 50. Reads all users. */
async function findInNames(database: Database, text: string) {
  const wanted = toNfc(text.trim()).toLowerCase();
  const found: FoundRow[] = [];
  for await (const rows of readUsers<FoundRow>(database, FOUND_COLUMNS)) {
    found.push(...rows.filter(({ name }) => name.toLowerCase().includes(wanted)));
    if (found.length >= FOUND_MAX) break;
  }
  return found.slice(0, FOUND_MAX).map(toFound);
}

export function readUsers<Row extends { readonly id: string }>(
  database: Database,
  columns: string,
) {
  return readPages<Row>(
    (last) =>
      database.all<Row>(sql`SELECT ${rawSql(columns)} FROM users
        WHERE id > ${last?.id ?? ''} ORDER BY id LIMIT ${USERS_PER_READ}`),
    USERS_PER_READ,
  );
}

type UserWithCounts = UserRow &
  Record<
    'created_at' | 'updated_at' | 'sessions' | 'passkeys' | 'contacts' | 'held_contacts',
    number
  > & {
    readonly login_phone: string;
    readonly login_email: string | null;
    readonly oidc_subject: string | null;
  };

/** Throws AdminError if there is no such user. */
export async function findUser({ database }: Pick<AdminContext, 'database'>, userId: string) {
  const row = await database.one<UserWithCounts>(sql`SELECT users.*,
      (SELECT COUNT(*) FROM sessions WHERE user_id = ${userId}) AS sessions,
      (SELECT COUNT(*) FROM passkeys WHERE user_id = ${userId}) AS passkeys,
      (SELECT COUNT(*) FROM contacts WHERE user_id = ${userId} AND held = 0) AS contacts,
      (SELECT COUNT(*) FROM contacts WHERE user_id = ${userId} AND held = 1) AS held_contacts
     FROM users WHERE id = ${userId}`);
  if (!row) throw noUserError(userId);
  return {
    id: row.id,
    path: cardPath(row.id),
    loginPhone: shownPhone(row.id, row.login_phone),
    loginEmail: row.login_email,
    oidcSubject: row.oidc_subject,
    ...mapProfileFields((name) => row[PROFILE_FIELDS[name].column]),
    profilePhoto: row.profile_photo,
    socialMediaHandles: JSON.parse(row.social_media_handles) as Record<string, string>,
    createdAt: toIsoTime(row.created_at),
    updatedAt: toIsoTime(row.updated_at),
    blockedAt: row.blocked_at === null ? null : toIsoTime(row.blocked_at),
    sessions: row.sessions,
    passkeys: row.passkeys,
    contacts: row.contacts,
    heldContacts: row.held_contacts,
  };
}

export async function show(context: AdminContext, { userId: id, contacts }: UserInput) {
  const { database } = context;
  const found = await findFilledExtras(database, id);
  // The profile has a phone and an email of its own.
  const { phone: secondPhone, email: secondEmail, ...extras } = found ?? NO_EXTRAS;
  const translations = await findFilledTranslations(database, id);
  const { name: cardAddress, former: formerAddresses } = await findOwnAddress(database, id);
  return {
    ...(await findUser(context, id)),
    cardAddress,
    formerAddresses,
    ...(found && { secondPhone, secondEmail, ...extras }),
    ...(translations && { translations }),
    audit: await readAudit(database, id),
    ...(contacts ? { contactList: await readContacts(database, id) } : {}),
  };
}

/** Leaves out private notes and tags. The newest contacts come first, and the held ones last. */
async function readContacts(database: Database, userId: string) {
  const contacts: object[] = [];
  for await (const page of readContactPages(database, { userId })) {
    for (const { id, name, mobile, email, companyName, notice, isHeld, createdAt } of page) {
      const arrivedAt = toIsoTime(createdAt);
      contacts.push({ id, name, mobile, email, companyName, notice, isHeld, createdAt: arrivedAt });
    }
    if (contacts.length >= LISTED_CONTACTS_MAX) break;
  }
  return contacts.slice(0, LISTED_CONTACTS_MAX);
}

/** Lists the session that was used last first. */
export async function readSessions(context: AdminContext, userId: string) {
  await findUser(context, userId);
  const { database, clock, settings } = context;
  const sessions = await new Sessions({ database, clock, ...settings }).list(userId);
  return sessions.map(({ device, createdAt, usedAt, expiresAt }) => ({
    device,
    createdAt: toIsoTime(createdAt),
    usedAt: toIsoTime(usedAt),
    expiresAt: toIsoTime(expiresAt),
  }));
}

export function parseUserId(text: string): string | null {
  const id = /\/user\/([^/?#]+)/.exec(text)?.[1] ?? text.trim();
  return userIdSchema.safeParse(id).success ? id : null;
}

export async function readStats({ database }: AdminContext) {
  const counts = await database.one<Record<'blocked' | 'sessions' | 'invitations', number>>(
    `SELECT COUNT(blocked_at) AS blocked, (SELECT COUNT(*) FROM sessions) AS sessions,
      (SELECT COUNT(*) FROM invitations) AS invitations FROM users`,
  );
  return { ...(await readDatabaseStatistics(database)), ...counts };
}

/** Returns the first damage found by reading every row, or null. PostgreSQL checks a page only when it is read. */
export async function findPostgresDamage(database: Database): Promise<string | null> {
  for (const name of await tableNames(database)) {
    const readAll = `SELECT COUNT(CAST(entry AS TEXT)) FROM ${name} AS entry`;
    await database.one(readAll).catch((error: unknown) => {
      if (!database.damage?.found) throw error;
    });
    if (database.damage?.found) break;
  }
  return database.damage?.found ?? null;
}
