import type { Database } from '#server/db/database.ts';

/** The address of a user's photo, '' for none; null where there is no such user. */
export async function findPhoto(database: Database, userId: string): Promise<string | null> {
  const row = await database.one<{ profile_photo: string }>(
    'SELECT profile_photo FROM users WHERE id = $1',
    [userId],
  );
  return row?.profile_photo ?? null;
}

/** The addresses of several users' photos by user id; who does not exist is not in it. */
export async function findPhotos(
  database: Database,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (userIds.length === 0) return new Map();
  const places = userIds.map((_, at) => `$${at + 1}`).join(', ');
  const rows = await database.all<{ id: string; profile_photo: string }>(
    `SELECT id, profile_photo FROM users WHERE id IN (${places})`,
    userIds,
  );
  return new Map(rows.map((row) => [row.id, row.profile_photo]));
}

/** Gives a user's card its photo in one statement; the address as kept, null where the user is gone. */
export async function updatePhoto(
  database: Database,
  change: { readonly userId: string; readonly profilePhoto: string; readonly now: number },
): Promise<string | null> {
  const row = await database.one<{ profile_photo: string }>(
    'UPDATE users SET profile_photo = $1, updated_at = $2 WHERE id = $3 RETURNING profile_photo',
    [change.profilePhoto, change.now, change.userId],
  );
  return row?.profile_photo ?? null;
}
