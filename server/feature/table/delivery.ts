import { hash } from 'node:crypto';

import { CONTACT_ID_RADIX, contactTimeDigits } from '#domain/contact.ts';
import { TABLE_SOURCE } from '#domain/contact-source.ts';
import { searchText } from '#domain/contact-search.ts';
import { cardPath } from '#domain/share.ts';
import { peopleFrom } from '#domain/table.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { listSql, sql } from '#server/adapter/database/sql.ts';
import { queueTextStatement } from '#server/adapter/push/notification.ts';
import { queueEventStatement } from '#server/adapter/webhook/event.ts';

import { isHere, tableEndedError } from './store.ts';
import type { Person, Table } from './store.ts';

const PAIR_HEX_DIGITS = 11;
const PAIR_ID_DIGITS = 12;

/** Returns the id of the contact that an owner gets of another person, which is the same on each call. */
export function tableContactId(owner: Person, other: Person): string {
  const random = parseInt(
    hash('sha256', `${owner.id}${other.id}`, 'hex').slice(0, PAIR_HEX_DIGITS),
    16,
  );
  const end = random.toString(CONTACT_ID_RADIX).padStart(PAIR_ID_DIGITS, '0');
  return contactTimeDigits(Math.max(owner.joinedAt, other.joinedAt)) + end;
}

interface Delivery {
  /** The origin of the card links. */
  readonly origin: string;
  readonly now: number;
  /** The id of the person who has just joined. Without it, missing contacts are added for everybody. */
  readonly joined?: string;
}

/**
 * Gives each owner the others as contacts, unless they were deleted since. Returns the owners who got
 * contacts.
 */
export async function deliverContacts(
  database: Database,
  table: Table,
  { origin, now, joined }: Delivery,
): Promise<readonly string[]> {
  const people = table.people.filter(isHere);
  const pairs = people.flatMap((owner) =>
    people
      .filter((other) => owner.userId !== null && other !== owner)
      .filter((other) => joined === undefined || [owner.id, other.id].includes(joined))
      .map((other) => ({ id: tableContactId(owner, other), owner, other })),
  );
  const ids = listSql(pairs.map(({ id }) => id));
  const known = await database.all<{ id: string }>(sql`SELECT id FROM contacts WHERE id IN ${ids}
    UNION SELECT id FROM removed_contacts WHERE id IN ${ids}
    UNION SELECT id FROM deleted_contacts WHERE id IN ${ids}`);
  const knownIds = new Set(known.map(({ id }) => id));
  const missing = pairs.filter(({ id }) => !knownIds.has(id));
  if (missing.length === 0) return [];
  await database.batch([
    // This lock waits for a withdrawal in progress. A person who has withdrawn is not found below.
    sql`UPDATE shared_tables SET is_open = is_open WHERE id = ${table.id}`,
    ...missing.flatMap(({ id, owner, other }) => [
      sql`INSERT INTO contacts (id, user_id, name, mobile, email, company_name, created_at, tags,
          source, note, notice, receipt_hash, search)
        SELECT ${id}, users.id, ${other.name}, ${other.mobile}, ${other.email}, ${other.companyName},
          CAST(${now} AS BIGINT), ${JSON.stringify([table.name])}, ${TABLE_SOURCE},
          ${other.userId === null ? '' : origin + cardPath(other.userId)}, ${other.notice},
          CAST(${other.receiptHash} AS TEXT), ${searchText(other)}
        FROM users JOIN table_people AS other ON other.id = ${other.id} AND gone IS NULL
        WHERE users.id = ${owner.userId} AND blocked_at IS NULL ON CONFLICT (id) DO NOTHING`,
      queueEventStatement('contact.created', { contacts: sql`contacts.id = ${id}`, now }),
    ]),
  ]);
  return missing.flatMap(({ owner }) => owner.userId ?? []);
}

/** Deletes the table and the people, and queues one notification for each owner who got contacts. */
export async function deleteTable(database: Database, table: Table, now: number) {
  const owners = table.people.filter(({ userId }) => userId !== null);
  const ids = owners.flatMap((owner) =>
    table.people.filter((other) => other !== owner).map((other) => tableContactId(owner, other)),
  );
  const counts = await database.all<{ userId: string; count: number }>(sql`
    SELECT user_id AS "userId", COUNT(*) AS count FROM contacts
    WHERE id IN ${listSql(ids)} GROUP BY user_id`);
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
