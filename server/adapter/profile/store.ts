import { randomInt } from 'node:crypto';

import { PROFILE_FIELDS, PROFILE_FIELD_NAMES, mapProfileFields } from '#domain/profile-field.ts';
import type { LockableField, ProfileFieldName } from '#domain/profile-field.ts';
import type { Profile, ProfileChange } from '#domain/profile.ts';
import { trimText } from '#domain/text.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { Sql, joinSql, rawSql, sql } from '#server/adapter/database/sql.ts';
import type { Value } from '#server/adapter/database/sql.ts';
import { cardBlockedError, sessionInvalidError } from '#server/error.ts';
import type { Limiter } from '#server/http/limit.ts';

export interface Cards {
  readonly database: Database;
  readonly responses: { drop(userId: string): void };
  /** Runs the changes of one card one after the other, so that they take one database connection. */
  readonly changes?: Limiter;
}

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
    // Rows of earlier versions may have blanks around their texts.
    ...mapProfileFields((name) => trimText(row[PROFILE_FIELDS[name].column])),
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

const SAVE_REJECTED = "The operator has blocked this card, so this wasn't saved.";

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
 * The statements roll a batch back if the user is unknown or the card is blocked. The first one locks the row
 * and returns it. Its lock does not conflict with that of a new contact, so the two cannot deadlock.
 */
export function lockCardStatements(
  userId: string,
  {
    condition = sql`1 = 1`,
    toError = sessionInvalidError,
    rejection = SAVE_REJECTED,
  }: { condition?: Sql; toError?: () => Error; rejection?: string } = {},
): Statement[] {
  return [
    {
      sql: sql`UPDATE users SET version = version WHERE id = ${userId} AND ${condition}
        RETURNING version, profile_photo`,
      errorIfNoRow: toError,
    },
    {
      sql: sql`SELECT id FROM users WHERE id = ${userId} AND blocked_at IS NOT NULL`,
      errorIfRow: () => cardBlockedError(rejection),
    },
  ];
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
  readonly unlessBlocked?: boolean;
  readonly transaction?: {
    readonly errorIfNoRow: () => Error;
    readonly followingStatements: readonly Statement[];
  };
}

/** Only this statement may set a column of a card (tests/architecture.test.ts). It returns the changed row. */
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

/** Only this function may drop the stored responses of a card (tests/architecture.test.ts). */
export async function runCardChange<Row>(
  { database, responses, changes }: Cards,
  userId: string,
  statements: readonly Statement[],
): Promise<Row[][]> {
  const run = async () => {
    const [first] = statements;
    if (statements.length === 1 && first instanceof Sql) return [await database.all<Row>(first)];
    return database.batch<Row>(statements);
  };
  try {
    return await (changes ? changes.run(run, userId) : run());
  } finally {
    // The stored responses are dropped even if nothing changed, because another node may have saved, and its
    // invalidation may still be pending.
    responses.drop(userId);
  }
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

/** The versions that a change may replace. '*' stands for every version. */
export type PermittedVersions = '*' | readonly number[];

export function isPermitted(versions: PermittedVersions, column: Sql): Sql {
  if (versions === '*') return sql`1 = 1`;
  return sql`${column} IN (SELECT CAST(value AS BIGINT) FROM json_each(${JSON.stringify(versions)}))`;
}

interface ProfileUpdate extends ProfileChange {
  readonly userId: string;
  readonly now: number;
  readonly versions: PermittedVersions;
  /** These fields can only be changed while they are empty. */
  readonly locked: ReadonlySet<LockableField>;
}

/** An absent field stays unchanged. Handles are merged, and a handle of null is removed. */
export function profileValues(
  { socialMediaHandles = {}, ...fields }: ProfileChange,
  locked?: ReadonlySet<LockableField>,
): CardChange['values'] {
  const values = PROFILE_FIELD_NAMES.map((name) => {
    const column = rawSql(PROFILE_FIELDS[name].column);
    // COALESCE leaves a column unchanged if the change has no value for it.
    const value = sql`COALESCE(${fields[name] ?? null}, ${column})`;
    const isKept = locked?.has(name);
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
 * Returns null if the user is unknown or the version is not permitted. Throws ApiError 'card_blocked'.
 */
export async function updateProfile(
  cards: Cards,
  { userId, now, versions, locked, ...change }: ProfileUpdate,
): Promise<VersionedProfile | null> {
  const row = await changeCard(cards, {
    userId,
    now,
    values: profileValues(change, locked),
    // Blocking changed the version, so every version is permitted then and the owner reads about the block.
    condition: sql`(${isPermitted(versions, sql`version`)} OR blocked_at IS NOT NULL)`,
    unlessBlocked: true,
  });
  return row && { profile: toProfile(checkBlocked(row, SAVE_REJECTED)), version: row.version };
}
