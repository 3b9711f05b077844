import type { BroughtContact } from '#contract/bring-in.ts';
import { reminderTimeMs } from '#domain/local-time.ts';
import {
  broughtContactsLimit,
  incrementStatement,
  rejectExceededStatement,
  tooManyTodayError,
} from '#server/adapter/counter.ts';
import { ReferenceRemoved, replaceError } from '#server/adapter/database/database.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { fieldSql, rawSql, sql, tableSql } from '#server/adapter/database/sql.ts';
import { sessionInvalidError } from '#server/error.ts';
import { hashToken } from '#server/token.ts';

import { HELD_MAX, countContacts } from './store.ts';

/** These characters of an id (time, order and a random part) name the same contact on every server. */
const COMMON_LENGTH = 17;
const OWN_LENGTH = 4;

interface Part {
  readonly userId: string;
  readonly contacts: readonly BroughtContact[];
  readonly timeZone: string;
  readonly now: number;
}

/**
 * Stores the contacts in one transaction, without an event or a notification, except those that the owner has
 * and those that were deleted here. Held contacts above the limit of a card are left out too.
 */
export async function bringInContacts(
  database: Database,
  { userId, contacts, timeZone, now }: Part,
) {
  const common = contacts.map(({ id }) => id.slice(0, COMMON_LENGTH));
  const { known, removed } = await findCommon(database, userId, common);
  let heldRoom = contacts.some(({ held }) => held)
    ? HELD_MAX - (await countContacts(database, { userId, isHeld: true }))
    : 0;
  const added = contacts.filter(({ held }, index) => {
    const key = common[index] ?? '';
    if (known.has(key) || removed.has(key)) return false;
    if (held) heldRoom -= 1;
    return !held || heldRoom >= 0;
  });
  if (added.length > 0) await insert(database, { userId, contacts: added, timeZone, now });
  const knownCount = common.filter((key) => known.has(key)).length;
  return {
    added: added.length,
    known: knownCount,
    removed: contacts.length - added.length - knownCount,
  };
}

async function findCommon(database: Database, userId: string, common: readonly string[]) {
  // An index of the owner would be read once for each contact, so only that of the ids can be used.
  const isOwn = sql`COALESCE(found.user_id, '') = ${userId}`;
  const inTable = (table: string, column: string) => {
    const id = rawSql(`found.${column}`);
    return sql`FROM ${tableSql(common)} AS item CROSS JOIN ${rawSql(table)} AS found
      WHERE ${id} >= item.value AND ${id} < item.value || '~'`;
  };
  const rows = await database.all<{ value: string; is_known: number }>(sql`
    SELECT item.value, 1 AS is_known ${inTable('contacts', 'id')} AND ${isOwn}
    UNION SELECT item.value, 0 ${inTable('deleted_contacts', 'id')} AND ${isOwn}
    UNION SELECT item.value, 0 ${inTable('removed_contacts', 'id')}
    UNION SELECT item.value, 0 ${inTable('withdrawals', 'contact_id')}`);
  const valuesOf = (isKnown: number) =>
    new Set(rows.filter((row) => row.is_known === isKnown).map(({ value }) => value));
  return { known: valuesOf(1), removed: valuesOf(0) };
}

const bigint = (index: number) => sql`CAST(${fieldSql(index)} AS BIGINT)`;

async function insert(database: Database, { userId, contacts, timeZone, now }: Part) {
  const own = hashToken(userId).slice(0, OWN_LENGTH);
  const rows = contacts.map((one) => [
    one.id.slice(0, COMMON_LENGTH) + own,
    one.name,
    one.mobile,
    one.email,
    one.companyName,
    Math.min(now, Date.parse(one.receivedAt)),
    one.held ? 1 : 0,
    one.held ? (one.heldReason ?? '') : '',
    one.note,
    JSON.stringify(one.tags),
    one.notice,
    one.received && JSON.stringify(one.received),
    one.source,
    one.contactedAt && Date.parse(one.contactedAt),
    one.reminder,
    one.reminder && reminderTimeMs(one.reminder, timeZone, now),
  ]);
  const limits = [broughtContactsLimit(userId)];
  await database
    .batch([
      incrementStatement(limits, now, rows.length),
      rejectExceededStatement(limits, now, tooManyTodayError('contacts')),
      sql`INSERT INTO contacts (user_id, id, name, mobile, email, company_name, created_at, held,
          held_source, note, tags, notice, received, source, contacted_at, reminder_day, reminder_at)
        SELECT ${userId}, ${fieldSql(0)}, ${fieldSql(1)}, ${fieldSql(2)}, ${fieldSql(3)}, ${fieldSql(4)},
          ${bigint(5)}, CAST(${fieldSql(6)} AS SMALLINT), ${fieldSql(7)}, ${fieldSql(8)}, ${fieldSql(9)},
          ${fieldSql(10)}, ${fieldSql(11)}, ${fieldSql(12)}, ${bigint(13)}, ${fieldSql(14)}, ${bigint(15)}
        FROM ${tableSql(rows)} AS item WHERE 1 = 1 ON CONFLICT DO NOTHING`,
    ])
    .catch(replaceError(ReferenceRemoved, sessionInvalidError));
}
