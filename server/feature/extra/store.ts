import {
  EXTRAS,
  EXTRA_FIELDS,
  hasExtras,
  mapExtras,
  shownExtras,
  withParsedLinks,
} from '#domain/extras.ts';
import type { Extra, ExtraColumn } from '#domain/extras.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { rawSql, sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { NO_VERSION, changeOwnerRow } from '#server/adapter/profile/owner-row.ts';
import type { Cards, PermittedVersions } from '#server/adapter/profile/store.ts';
import { queueNoticeStatement } from '#server/adapter/push/notification.ts';
import { ApiError } from '#server/error.ts';

export type ExtrasRow = Readonly<Record<Extra, string>> & { readonly version: number };

type Stored = Readonly<Record<ExtraColumn, string | null>> & { readonly version: number };

const toExtrasRow = (row: Stored): ExtrasRow => ({
  ...mapExtras((extra) => row[EXTRA_FIELDS[extra].column] ?? ''),
  version: row.version,
});

export async function findExtras(database: Database, userId: string): Promise<ExtrasRow | null> {
  const columns = EXTRAS.map((extra) => EXTRA_FIELDS[extra].column).join(', ');
  const row = await database.one<Stored>(sql`SELECT ${rawSql(columns)},
      COALESCE(extras.version, ${NO_VERSION}) AS version
    FROM users LEFT JOIN extras ON user_id = id WHERE id = ${userId}`);
  return row && toExtrasRow(row);
}

export async function findFilledExtras(database: Database, userId: string) {
  const row = await findExtras(database, userId);
  const extras = row && shownExtras(row, new Set(EXTRAS));
  return extras && hasExtras(extras) ? withParsedLinks(extras) : null;
}

export function extraColumns(values: ExtrasChange['values']): Readonly<Record<string, Sql>> {
  const texts = EXTRAS.flatMap((extra) => {
    const value = values[extra];
    return value === undefined ? [] : [[EXTRA_FIELDS[extra].column, sql`${value}`] as const];
  });
  return Object.fromEntries(texts);
}

interface ExtrasChange {
  readonly userId: string;
  readonly values: Readonly<Partial<Record<Extra, string>>>;
  readonly versions: PermittedVersions;
  readonly now: number;
  /** A new UPI ID needs these statements of a verified login phone. Every device of the owner is notified. */
  readonly verification?: readonly Statement[];
}

/** Throws 'precondition_failed', 'card_blocked' or 'session_invalid', and the errors of `verification`. */
export async function changeExtras(
  cards: Cards,
  { userId, values, versions, now, verification }: ExtrasChange,
): Promise<ExtrasRow> {
  const change = { table: 'extras', userId, values: extraColumns(values), versions } as const;
  const preceding = verification ? [...verification, queueNoticeStatement('upi', userId, now)] : [];
  return toExtrasRow(await changeOwnerRow<Stored>(cards, change, preceding));
}

const toJson = (links: readonly unknown[] | null) => (links?.length ? JSON.stringify(links) : '');

/** Throws ApiError 'invalid_input' for a value that CARD_EXTRAS does not have. */
export function extraValues(
  body: Readonly<Partial<Record<Extra, string | readonly unknown[] | null>>>,
  cardExtras: ReadonlySet<Extra>,
): ExtrasChange['values'] {
  const values: Partial<Record<Extra, string>> = {};
  for (const extra of EXTRAS) {
    const value = body[extra];
    if (value === undefined) continue;
    if (value && !cardExtras.has(extra))
      throw new ApiError('invalid_input', `${extra} is not one of CARD_EXTRAS`);
    values[extra] = typeof value === 'object' ? toJson(value) : value;
  }
  return values;
}
