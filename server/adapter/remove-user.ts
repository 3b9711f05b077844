import type { FastifyBaseLogger } from 'fastify';

import { DAY_MS } from '#domain/duration.ts';
import type { Clock } from '#server/clock.ts';
import { deleteInBatches, hashAddressStatement } from '#server/adapter/database/cleanup.ts';
import { rehearse } from '#server/adapter/database/database.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { listSql, sql } from '#server/adapter/database/sql.ts';
import { findLoginPhone, runCardChange } from '#server/adapter/profile/store.ts';
import type { Cards } from '#server/adapter/profile/store.ts';
import { logoFileNames, photoFileNames } from '#server/adapter/storage/photo-store.ts';
import type { PhotoStore } from '#server/adapter/storage/photo-store.ts';
import { hashToken } from '#server/token.ts';
import { deleteCountersStatement } from '#server/adapter/counter.ts';
import { deleteInvitationStatement } from '#server/adapter/otp/store.ts';
import { removeStoppedWebhooks, stopWebhookStatement } from '#server/adapter/webhook/event.ts';
import { deletePhoneCountersStatements } from '#server/adapter/otp/limits.ts';

export interface RemovalContext {
  readonly dependencies: {
    readonly database: Database;
    readonly photos: PhotoStore;
    readonly clock: Clock;
    readonly log: FastifyBaseLogger;
  };
  readonly responses: Cards['responses'];
  /** The uploads that the service is receiving. A command has none. */
  readonly uploads?: { cancel(userId: string): void };
}

interface Removal {
  readonly userId: string;
  /** These run first in the transaction, and one of them can prevent the removal. */
  readonly precedingStatements?: readonly Statement[];
}

/** This is thrown if the login phone has changed since it was read, or if another call has removed the user. */
const userChangedError = new Error('The user was changed meanwhile.');

/** One owner can have many rows in these tables, so they are deleted in batches before the user. */
const LARGE_TABLES = [
  { table: 'contacts', key: 'id' },
  { table: 'deleted_contacts', key: 'id' },
  { table: 'added_contacts', key: 'contact_id' },
  { table: 'withdrawals', key: 'contact_id' },
  { table: 'visit_counts', key: 'id' },
] as const;

/**
 * Deletes contacts and similar rows in batches, then the other rows in one transaction, then the files. An
 * interrupted removal can be repeated. The hourly cleanup removes files that are left
 * (docs/develop/security.md#removed-accounts).
 */
export async function removeUser(
  { dependencies, responses, uploads }: RemovalContext,
  removal: Removal,
): Promise<boolean> {
  const { database, photos, log } = dependencies;
  const { userId, precedingStatements = [] } = removal;
  if ((await findLoginPhone(database, userId)) === null) return false;
  if (precedingStatements.length > 0) await rehearse(database, precedingStatements);
  await deleteLargeTables(database, userId);
  const names = await deleteRows({ ...dependencies, responses }, removal);
  if (names === null) return false;
  uploads?.cancel(userId);
  log.warn({ event: 'user_removed', userId }, 'a user was removed');
  try {
    await photos.remove(names);
    // Requests that ran meanwhile may have counted again.
    await database.batch(deleteUserCountersStatements(userId));
  } catch (error) {
    log.warn({ err: error, userId }, 'files of a removed user are left to the next cleanup');
  }
  return true;
}

async function deleteLargeTables(database: Database, userId: string): Promise<void> {
  await database.run(stopWebhookStatement(userId));
  await removeStoppedWebhooks(database);
  const sessions = sql`SELECT session_hash FROM push_subscriptions WHERE user_id = ${userId}`;
  await deleteInBatches(database, {
    table: 'push_messages',
    key: 'contact_id, session_hash',
    condition: sql`session_hash IN (${sessions})`,
  });
  const condition = sql`user_id = ${userId}`;
  // A trigger keeps the ids of deleted contacts, except while this row exists.
  await database.run(sql`INSERT INTO removed_contacts (id, removed_at)
    VALUES (${userId}, 0) ON CONFLICT DO NOTHING`);
  for (const rows of LARGE_TABLES) await deleteInBatches(database, { ...rows, condition });
}

type Files = Partial<Record<'profile_photo' | 'logo', string>>;

async function deleteRows(
  { clock, ...cards }: Cards & Pick<RemovalContext['dependencies'], 'clock'>,
  { userId, precedingStatements = [] }: Removal,
): Promise<readonly string[] | null> {
  for (;;) {
    const phone = await findLoginPhone(cards.database, userId);
    if (phone === null) return null;
    const addresses = await cards.database.all<{ name: string }>(sql`SELECT name FROM card_addresses
      WHERE user_id = ${userId}`);
    try {
      // The counters are locked first, in the order of a new contact.
      const results = await runCardChange<Files>(cards, userId, [
        ...precedingStatements,
        ...deletePhoneDataStatements(phone),
        ...deleteUserCountersStatements(userId),
        sql`DELETE FROM push_messages WHERE session_hash IN
          (SELECT session_hash FROM push_subscriptions WHERE user_id = ${userId})`,
        sql`SELECT logo FROM appearances WHERE user_id = ${userId}`,
        sql`INSERT INTO removed_users (id_hash, removed_at)
          VALUES (${hashToken(userId)}, ${clock.now()}) ON CONFLICT DO NOTHING`,
        {
          // The foreign keys delete the rows of the other tables that refer to the user.
          sql: sql`DELETE FROM users WHERE id = ${userId} AND login_phone = ${phone}
            RETURNING profile_photo`,
          errorIfNoRow: () => userChangedError,
        },
        sql`DELETE FROM removed_contacts WHERE id = ${userId}`,
        ...addresses.map(({ name }) => hashAddressStatement(name, clock.now())),
      ]);
      return results
        .flat()
        .flatMap(({ profile_photo: photo = '', logo = '' }) => [
          ...photoFileNames(photo),
          ...logoFileNames(logo),
        ]);
    } catch (error) {
      if (error !== userChangedError) throw error;
    }
  }
}

/** Deletes everything that is stored under a phone except its user, in the order in which a login locks it (`LIMITS`). */
export function deletePhoneDataStatements(phone: string): Statement[] {
  return [
    ...deletePhoneCountersStatements('send', phone),
    sql`DELETE FROM challenges WHERE phone = ${phone}`,
    ...deletePhoneCountersStatements('fail', phone),
    sql`DELETE FROM exchange_tokens WHERE phone = ${phone}`,
  ];
}

export interface PhoneChange extends Readonly<Record<'userId' | 'previous' | 'phone', string>> {
  readonly now: number;
}

export function replacePhoneStatements(change: PhoneChange): Statement[] {
  const { userId, previous, phone, now } = change;
  return [
    ...deletePhoneDataStatements(previous),
    stopWebhookStatement(userId),
    sql`UPDATE users SET login_phone = ${phone}, phone_lost_at = NULL, updated_at = ${now}
      WHERE id = ${userId}`,
    sql`UPDATE users SET login_email = (SELECT login_email FROM invitations WHERE phone = ${phone})
      WHERE id = ${userId} AND EXISTS
        (SELECT 1 FROM invitations WHERE phone = ${phone} AND login_email IS NOT NULL)`,
    deleteInvitationStatement(phone),
  ];
}

/** Removes the accounts whose login phone another account has taken so many days ago, or more. */
export async function removePhoneless(context: RemovalContext, days: number): Promise<void> {
  const { database, clock } = context.dependencies;
  const users = await database.all<{ id: string }>(sql`SELECT id FROM users
    WHERE phone_lost_at <= ${clock.now() - days * DAY_MS} AND login_phone = id`);
  for (const { id: userId } of users) {
    const stillPhoneless = {
      sql: sql`SELECT 1 FROM users WHERE id = ${userId} AND phone_lost_at IS NOT NULL`,
      errorIfNoRow: () => new Error('The account has a login phone again.'),
    };
    await removeUser(context, { userId, precedingStatements: [stillPhoneless] });
  }
}

/** Deletes counters in the order in which a new contact locks them. */
export function deleteUserCountersStatements(userId: string): Statement[] {
  return [
    `contact:network:%:${userId}`,
    `contact:address:%:${userId}`,
    `contact:card:${userId}`,
    `contact:added:${userId}`,
    `contact:brought:${userId}`,
    `tables:${userId}`,
  ].map(deleteCountersStatement);
}

export async function findRemovedUsers(
  database: Database,
  userIds: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const byHash = new Map(Array.from(userIds, (userId) => [hashToken(userId), userId]));
  if (byHash.size === 0) return new Set();
  const rows = await database.all<{ id_hash: string }>(sql`SELECT id_hash FROM removed_users
    WHERE id_hash IN ${listSql([...byHash.keys()])}`);
  return new Set(rows.flatMap((row) => byHash.get(row.id_hash) ?? []));
}
