import type { FastifyBaseLogger } from 'fastify';

import type { Clock } from '#server/clock.ts';
import type { Database, Statement } from '#server/db/database.ts';
import { findLoginPhone } from '#server/profile/store.ts';
import { photoFileNames } from '#server/storage/photo-store.ts';
import type { PhotoStore } from '#server/storage/photo-store.ts';
import { hashToken } from '#server/token.ts';

import { finishRemoval } from './finish-removal.ts';
import { phoneTracesStatements, userCountersStatements } from './traces.ts';

/** The properties of Dependencies and AppContext that a removal uses. */
export interface RemovalContext {
  readonly dependencies: {
    readonly database: Database;
    readonly photos: PhotoStore;
    readonly clock: Clock;
    readonly log: FastifyBaseLogger;
  };
  /** Absent in a process that serves no responses. Other nodes drop them by themselves. */
  readonly responses?: { drop(userId: string): void };
}

interface Removal {
  readonly userId: string;
  /** Statements of the same transaction, before the others; one can prevent the removal. */
  readonly first?: readonly Statement[];
  /** Removes nothing if the user has another login phone. */
  readonly loginPhone?: string;
}

/** The login phone has changed since it was read, or another call has removed the user. */
class UserChanged extends Error {
  override readonly name = 'UserChanged';
}

/**
 * Removes a user with everything: profile, sessions, contacts, held contacts, codes, exchange tokens
 * and counters in one transaction, then the photo files. Returns false for an unknown user, or if
 * `loginPhone` is another one. A save or an upload that is running stores nothing any more. Photo
 * files that cannot be removed now are removed by the hourly cleanup (docs/security.md#removed-accounts).
 */
export async function removeUser(context: RemovalContext, removal: Removal): Promise<boolean> {
  const { dependencies, responses } = context;
  const { database, photos, log } = dependencies;
  const { userId } = removal;
  const profilePhoto = await deleteRows(dependencies, removal);
  if (profilePhoto === null) return false;
  responses?.drop(userId);
  log.info({ event: 'user_removed', userId }, 'a user was removed');
  try {
    await photos.remove(photoFileNames(profilePhoto));
    await finishRemoval(database, userId);
  } catch (error) {
    log.warn({ err: error, userId }, 'the removal of a user is finished by the next cleanup');
  }
  return true;
}

/** Deletes the rows of a user. Returns the URL of the photo, or null if there was nothing to delete. */
async function deleteRows(
  { database, clock }: RemovalContext['dependencies'],
  { userId, loginPhone, first = [] }: Removal,
): Promise<string | null> {
  for (;;) {
    const phone = await findLoginPhone(database, userId);
    if (phone === null || (loginPhone !== undefined && phone !== loginPhone)) return null;
    try {
      const results = await database.batch<{ profile_photo: string }>([
        ...first,
        ...removalStatements({ userId, phone, now: clock.now() }),
      ]);
      return results.at(-1)?.[0]?.profile_photo ?? '';
    } catch (error) {
      if (!(error instanceof UserChanged)) throw error;
    }
  }
}

/** The last statement returns the photo. The counters are locked first, as by a new contact. */
function removalStatements(user: {
  readonly userId: string;
  readonly phone: string;
  readonly now: number;
}): Statement[] {
  const { userId, phone, now } = user;
  return [
    ...phoneTracesStatements(phone),
    ...userCountersStatements(userId),
    {
      sql: `INSERT INTO removed_users (id_hash, removed_at) VALUES ($1, $2)
        ON CONFLICT DO NOTHING`,
      values: [hashToken(userId), now],
    },
    {
      // The foreign keys delete the sessions and the contacts.
      sql: 'DELETE FROM users WHERE id = $1 AND login_phone = $2 RETURNING profile_photo',
      values: [userId, phone],
      errorIfNoRow: () => new UserChanged('The user was changed meanwhile.'),
    },
  ];
}
