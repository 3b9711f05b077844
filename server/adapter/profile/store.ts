import { randomInt } from 'node:crypto';

import { PROFILE_FIELDS, PROFILE_FIELD_NAMES, mapProfileFields } from '#domain/profile-field.ts';
import type { LockableField, ProfileFieldName } from '#domain/profile-field.ts';
import type { Profile, ProfileChange } from '#domain/profile.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { joinSql, rawSql, sql } from '#server/adapter/database/sql.ts';
import type { Sql, Value } from '#server/adapter/database/sql.ts';
import { SCHEMA_VERSION, readNewestMigration } from '#server/adapter/database/migrate.ts';
import { cardBlockedError } from '#server/error.ts';

import { runCardChange } from './card-change.ts';
import type { Cards } from './card-change.ts';

type FieldColumn = (typeof PROFILE_FIELDS)[ProfileFieldName]['column'];
export type UserRow = Record<
  FieldColumn | 'id' | 'profile_photo' | 'social_media_handles',
  string
> & {
  readonly photo_palette: number | null;
  readonly version: number;
  readonly blocked_at: number | null;
};

const FIELD_COLUMNS = PROFILE_FIELD_NAMES.map((name) => PROFILE_FIELDS[name].column);
export const USER_COLUMNS = [
  'id',
  ...FIELD_COLUMNS,
  'profile_photo',
  'photo_palette',
  'social_media_handles',
  'version',
  'blocked_at',
].join(', ');

/** The versions are below this number, the largest that `randomInt` accepts. */
const VERSION_END = 2 ** 48 - 1;

export function newVersion(): number {
  return randomInt(VERSION_END);
}

export function toProfile(row: UserRow): Profile {
  return {
    // Rows of earlier versions may have blanks.
    ...mapProfileFields((name) => row[PROFILE_FIELDS[name].column].trim()),
    _id: row.id,
    profilePhoto: row.profile_photo,
    socialMediaHandles: JSON.parse(row.social_media_handles) as Profile['socialMediaHandles'],
  };
}

export function checkBlocked<Row extends Pick<UserRow, 'blocked_at'>>(
  row: Row,
  message?: string,
): Row {
  if (row.blocked_at !== null) throw cardBlockedError(message);
  return row;
}

export interface VersionedProfile {
  readonly profile: Profile;
  readonly version: number;
}

const ACCOUNT_CHANGE_REJECTED =
  'The operator has blocked this card: the account cannot be deleted or its phone changed.';
export const SAVE_REJECTED = 'The operator has blocked this card: not saved.';

export async function findProfile(database: Database, userId: string): Promise<Profile | null> {
  return (await findVersionedProfile(database, userId))?.profile ?? null;
}

export async function findVersionedProfile(
  database: Database,
  userId: string,
): Promise<VersionedProfile | null> {
  const row = await findRow(database, userId);
  return row && { profile: toProfile(checkBlocked(row)), version: row.version };
}

export async function findOwnProfile(database: Database, userId: string): Promise<Profile | null> {
  const row = await findRow(database, userId);
  return row && toProfile(row);
}

export function findRow(database: Database, userId: string): Promise<UserRow | null> {
  return database.one<UserRow>(sql`SELECT ${rawSql(USER_COLUMNS)} FROM users WHERE id = ${userId}`);
}

/**
 * They roll a batch back unless the user has this login phone, and for a blocked card. The first
 * locks the row; its lock does not conflict with that of a new contact, so the two cannot deadlock.
 */
export function lockAccountStatements(
  { userId, loginPhone }: { readonly userId: string; readonly loginPhone: string },
  toError: () => Error,
): Statement[] {
  return [
    {
      sql: sql`UPDATE users SET blocked_at = blocked_at
        WHERE id = ${userId} AND login_phone = ${loginPhone} RETURNING id`,
      errorIfNoRow: toError,
    },
    {
      sql: sql`SELECT id FROM users WHERE id = ${userId} AND blocked_at IS NOT NULL`,
      errorIfRow: () => cardBlockedError(ACCOUNT_CHANGE_REJECTED),
    },
  ];
}

export async function checkUserTable(database: Database): Promise<void> {
  await database.one(`SELECT ${USER_COLUMNS} FROM users LIMIT 1`);
  if ((await readNewestMigration(database)) < SCHEMA_VERSION)
    throw new Error('The schema is of an older version.');
}

export async function findLoginPhone(database: Database, userId: string): Promise<string | null> {
  const row = await database.one<{ login_phone: string }>(sql`SELECT login_phone FROM users
    WHERE id = ${userId}`);
  return row?.login_phone ?? null;
}

interface CardChange {
  readonly userId: string;
  readonly now: number;
  readonly values: Readonly<Record<string, Sql | Value>>;
  readonly condition: Sql;
  /** The row of a blocked card is returned as it is. */
  readonly unlessBlocked?: boolean;
  readonly transaction?: {
    readonly errorIfNoRow: () => Error;
    readonly followingStatements: readonly Statement[];
  };
}

/** The only statement that sets a column of a card (tests/architecture.test.ts). Returns the row. */
export function cardStatement({ userId, now, condition, ...change }: CardChange): Sql {
  const values = { version: newVersion(), updated_at: now, ...change.values };
  const assignments = Object.entries(values).map(([name, value]) => {
    const column = rawSql(name);
    return change.unlessBlocked
      ? sql`${column} = CASE WHEN blocked_at IS NULL THEN ${value} ELSE ${column} END`
      : sql`${column} = ${value}`;
  });
  return sql`UPDATE users SET ${joinSql(assignments, ', ')}
    WHERE id = ${userId} AND ${condition} RETURNING ${rawSql(USER_COLUMNS)}`;
}

export async function changeCard(cards: Cards, change: CardChange): Promise<UserRow | null> {
  const { userId, transaction } = change;
  const statement = cardStatement(change);
  const statements = transaction
    ? [
        { sql: statement, errorIfNoRow: transaction.errorIfNoRow },
        ...transaction.followingStatements,
      ]
    : [statement];
  const [[row] = []] = await runCardChange<UserRow>(cards, userId, statements);
  return row ?? null;
}

/** The versions that a change may replace; '*' is every one. */
export type PermittedVersions = '*' | readonly number[];

export function isPermitted(versions: PermittedVersions, column: Sql): Sql {
  if (versions === '*') return sql`1 = 1`;
  return versions.length === 0 ? sql`1 = 0` : sql`${column} IN (${joinSql(versions, ', ')})`;
}

interface ProfileUpdate extends ProfileChange {
  readonly userId: string;
  readonly now: number;
  readonly versions: PermittedVersions;
  /** They change only while they are empty. */
  readonly locked: ReadonlySet<LockableField>;
}

const NO_FIELDS: ReadonlySet<LockableField> = new Set();

/** An absent field stays unchanged; handles are merged, and a handle of null is removed. */
function profileValues(
  { socialMediaHandles = {}, ...fields }: ProfileChange,
  locked = NO_FIELDS,
): CardChange['values'] {
  const values = PROFILE_FIELD_NAMES.map((name) => {
    const column = rawSql(PROFILE_FIELDS[name].column);
    // COALESCE leaves a column unchanged if the change has no value for it.
    const value = sql`COALESCE(${fields[name] ?? null}, ${column})`;
    const isKept = locked.has(name);
    return [
      PROFILE_FIELDS[name].column,
      isKept ? sql`CASE WHEN TRIM(${column}) = '' THEN ${value} ELSE ${column} END` : value,
    ];
  });
  const handles = JSON.stringify(socialMediaHandles);
  return {
    ...Object.fromEntries(values),
    social_media_handles: sql`json_patch(social_media_handles, ${handles})`,
  };
}

export function changeProfileStatement(
  { userId, phone }: { readonly userId: string; readonly phone: string },
  change: ProfileChange,
  now: number,
): Sql {
  const condition = sql`blocked_at IS NULL AND login_phone = ${phone}`;
  return cardStatement({ userId, now, values: profileValues(change), condition });
}

/**
 * Null for an unknown user, and if the version is not permitted. Throws ApiError 'card_blocked'.
 */
export async function updateProfile(
  cards: Cards,
  { userId, now, versions, locked, ...change }: ProfileUpdate,
): Promise<VersionedProfile | null> {
  const row = await changeCard(cards, {
    userId,
    now,
    values: profileValues(change, locked),
    // Every version of a blocked card is permitted: blocking changed it, and the owner reads why.
    condition: sql`(${isPermitted(versions, sql`version`)} OR blocked_at IS NOT NULL)`,
    unlessBlocked: true,
  });
  return row && { profile: toProfile(checkBlocked(row, SAVE_REJECTED)), version: row.version };
}
