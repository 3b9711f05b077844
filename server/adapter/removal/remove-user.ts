import type { FastifyBaseLogger } from 'fastify';

import type { Clock } from '#server/clock.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { sql, joinSql } from '#server/adapter/database/sql.ts';
import { findLoginPhone } from '#server/adapter/profile/store.ts';
import { runCardChange } from '#server/adapter/profile/card-change.ts';
import type { Cards } from '#server/adapter/profile/card-change.ts';
import { logoFileNames, photoFileNames } from '#server/adapter/storage/photo-store.ts';
import type { PhotoStore } from '#server/adapter/storage/photo-store.ts';
import { hashToken } from '#server/token.ts';
import { deleteCountersStatement } from '#server/adapter/database/counter.ts';
import { endInvitationStatement } from '#server/adapter/invitation/store.ts';
import { stopWebhookStatement } from '#server/adapter/webhook/event.ts';
import { deletePhoneCountersStatements } from '#server/adapter/otp/embedded/limits.ts';

export interface RemovalContext {
  readonly dependencies: {
    readonly database: Database;
    readonly photos: PhotoStore;
    readonly clock: Clock;
    readonly log: FastifyBaseLogger;
  };
  readonly responses: Cards['responses'];
  /** The uploads that the service receives; a command has none. */
  readonly uploads?: { end(userId: string): void };
}

interface Removal {
  readonly userId: string;
  /** Statements of the same transaction, before the others; one can prevent the removal. */
  readonly precedingStatements?: readonly Statement[];
}

/** The login phone has changed since it was read, or another call has removed the user. */
const userChanged = new Error('The user was changed meanwhile.');

/**
 * Rows in one transaction, then the files; the hourly cleanup removes what is left
 * (docs/security.md#removed-accounts).
 */
export async function removeUser(
  { dependencies, responses, uploads }: RemovalContext,
  removal: Removal,
): Promise<boolean> {
  const { database, photos, log } = dependencies;
  const { userId } = removal;
  const names = await deleteRows({ ...dependencies, responses }, removal);
  if (names === null) return false;
  uploads?.end(userId);
  log.warn({ event: 'user_removed', userId }, 'a user was removed');
  try {
    await photos.remove(names);
    // Requests that ran meanwhile have counted again.
    await database.batch(deleteUserCountersStatements(userId));
  } catch (error) {
    log.warn({ err: error, userId }, 'files of a removed user are left to the next cleanup');
  }
  return true;
}

type Files = Partial<Record<'profile_photo' | 'logo', string>>;

async function deleteRows(
  { clock, ...cards }: Cards & Pick<RemovalContext['dependencies'], 'clock'>,
  { userId, precedingStatements = [] }: Removal,
): Promise<readonly string[] | null> {
  for (;;) {
    const phone = await findLoginPhone(cards.database, userId);
    if (phone === null) return null;
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
          errorIfNoRow: () => userChanged,
        },
      ]);
      return results
        .flat()
        .flatMap(({ profile_photo: photo = '', logo = '' }) => [
          ...photoFileNames(photo),
          ...logoFileNames(logo),
        ]);
    } catch (error) {
      if (error !== userChanged) throw error;
    }
  }
}

/** All that is stored under a phone but its user, in the order in which a login locks it (`LIMITS`). */
export function deletePhoneDataStatements(phone: string): Statement[] {
  return [
    ...deletePhoneCountersStatements('send', phone),
    sql`DELETE FROM challenges WHERE phone = ${phone}`,
    ...deletePhoneCountersStatements('fail', phone),
    sql`DELETE FROM exchange_tokens WHERE phone = ${phone}`,
  ];
}

export function replacePhoneStatements({
  userId,
  previous,
  phone,
  now,
}: {
  readonly userId: string;
  readonly previous: string;
  readonly phone: string;
  readonly now: number;
}): Statement[] {
  return [
    ...deletePhoneDataStatements(previous),
    stopWebhookStatement(userId),
    sql`UPDATE users SET login_phone = ${phone}, updated_at = ${now} WHERE id = ${userId}`,
    endInvitationStatement(phone),
  ];
}

/** In the order in which a new contact locks them. */
export function deleteUserCountersStatements(userId: string): Statement[] {
  return [
    `contact:network:%:${userId}`,
    `contact:address:%:${userId}`,
    `contact:card:${userId}`,
    `contact:added:${userId}`,
  ].map(deleteCountersStatement);
}

export async function findRemovedUsers(
  database: Database,
  userIds: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const byHash = new Map(Array.from(userIds, (userId) => [hashToken(userId), userId]));
  if (byHash.size === 0) return new Set();
  const rows = await database.all<{ id_hash: string }>(sql`SELECT id_hash FROM removed_users
    WHERE id_hash IN (${joinSql([...byHash.keys()], ', ')})`);
  return new Set(rows.flatMap((row) => byHash.get(row.id_hash) ?? []));
}
