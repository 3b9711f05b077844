import { CONTACT_TIME_DIGITS as TIME } from '#domain/contact.ts';
import { TABLE_SOURCE } from '#domain/contact-source.ts';
import { cardPath } from '#domain/share.ts';
import { peopleFrom } from '#domain/table.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { rawSql, sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { queueTextStatement } from '#server/adapter/push/notification.ts';
import { queueEventStatement } from '#server/adapter/webhook/event.ts';

import { tableEndedError } from './store.ts';
import type { Person, Table } from './store.ts';

type Id = Pick<Person, 'id'>;

/**
 * Returns the id of the contact that an owner gets for another person. It is the same on each call, and begins
 * with the time at which the later of the two joined.
 */
export function tableContactId(owner: Id, other: Id): string {
  const later = owner.id > other.id ? owner.id : other.id;
  return [later.slice(0, TIME), owner.id.slice(TIME), other.id.slice(TIME)].join('');
}

/** This is `tableContactId` in SQL, for each owner at a table and another person there. */
const pairId = (other: string) =>
  rawSql(`SUBSTR(CASE WHEN owner.id > ${other}.id THEN owner.id ELSE ${other}.id END, 1, ${TIME})
  || SUBSTR(owner.id, ${TIME + 1}) || SUBSTR(${other}.id, ${TIME + 1})`);
const PAIR_ID = pairId('other');
const PAIRS = sql`table_people AS owner
  JOIN table_people AS other ON other.table_id = owner.table_id AND other.id <> owner.id`;

interface Joined {
  readonly table: Table;
  readonly identity: string;
  /** The origin of the card links. */
  readonly origin: string;
  readonly now: number;
}

/**
 * Returns the statements that give each owner the person who has joined as a contact. If that person is an owner,
 * they also give this owner everybody else. Contacts that were deleted or withdrawn since do not come back.
 * A person who has left and joins again from another browser makes no second contact. With receipts, each joining
 * makes a contact of its own, which its receipt can withdraw. The first statement returns the owners' ids.
 */
export function deliverStatements({ table, identity, origin, now }: Joined): readonly Sql[] {
  const isJoined = sql`owner.table_id = ${table.id} AND ${identity} IN (owner.identity, other.identity)`;
  const link = origin + cardPath('');
  const wasHere = sql`other.receipt_hash IS NULL AND EXISTS (SELECT 1 FROM table_people AS former
    JOIN contacts AS got ON got.id = ${pairId('former')}
    WHERE former.table_id = owner.table_id AND former.gone = 'left'
      AND LOWER(got.name) = LOWER(other.name) AND got.mobile = other.mobile
      AND got.email = other.email)`;
  return [
    sql`INSERT INTO contacts (id, user_id, name, mobile, email, company_name, created_at, tags,
        source, note, notice, receipt_hash)
      SELECT ${PAIR_ID}, owner.user_id, other.name, other.mobile, other.email, other.company_name,
        CAST(${now} AS BIGINT), ${JSON.stringify([table.name])}, ${TABLE_SOURCE},
        COALESCE(CAST(${link} AS TEXT) || other.user_id, ''), other.notice, other.receipt_hash
      FROM ${PAIRS} JOIN users ON users.id = owner.user_id
        LEFT JOIN users AS card ON card.id = other.user_id
      WHERE ${isJoined} AND owner.gone IS NULL AND other.gone IS NULL
        AND users.blocked_at IS NULL AND card.blocked_at IS NULL
        AND NOT (${wasHere})
        AND NOT EXISTS (SELECT 1 FROM removed_contacts WHERE id = ${PAIR_ID})
        AND NOT EXISTS (SELECT 1 FROM deleted_contacts WHERE id = ${PAIR_ID})
      ON CONFLICT (id) DO NOTHING RETURNING user_id AS "userId"`,
    queueEventStatement('contact.created', {
      contacts: sql`contacts.created_at = ${now}
        AND contacts.id IN (SELECT ${PAIR_ID} FROM ${PAIRS} WHERE ${isJoined})`,
      now,
    }),
  ];
}

/** Deletes the table and the people, and queues one notification for each owner who got contacts. */
export async function deleteTable(
  database: Database,
  table: Pick<Table, 'id' | 'name'>,
  now: number,
): Promise<readonly string[]> {
  const counts = await database.all<{ userId: string; count: number }>(sql`
    SELECT owner.user_id AS "userId", COUNT(*) AS count
    FROM ${PAIRS} JOIN contacts ON contacts.id = ${PAIR_ID}
    WHERE owner.table_id = ${table.id} AND owner.user_id IS NOT NULL GROUP BY owner.user_id`);
  await database.batch([
    // Another node may have ended the table meanwhile.
    {
      sql: sql`DELETE FROM shared_tables WHERE id = ${table.id} RETURNING id`,
      errorIfNoRow: tableEndedError,
    },
    ...counts.map(({ userId, count }) =>
      queueTextStatement(peopleFrom(count, table.name), userId, now),
    ),
  ]);
  return counts.map(({ userId }) => userId);
}
