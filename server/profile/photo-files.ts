import { HOUR_MS } from '#domain/duration.ts';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import { joinSql, sql } from '#server/db/sql.ts';
import { parsePhotoName, photoFileNames } from '#server/storage/photo-store.ts';
import type { PhotoStore, StoredFile } from '#server/storage/photo-store.ts';

/** A younger file that no row uses may belong to an upload that has not changed its row yet. */
export const ORPHAN_AGE_MS_MIN = HOUR_MS;

/** A file of the photo store, compared with the row of its owner. */
export interface ListedPhoto extends StoredFile {
  /** Null for a file that was never completed: its name is not that of a photo. */
  readonly userId: string | null;
  /** `new`: not used by the card, or by no known card, but too young to be an orphan. */
  readonly state: 'used' | 'unused' | 'owner unknown' | 'new';
}

/** Lists all files of the photo store in batches. The rows of a batch are read after its files. */
export async function* listPhotos({
  database,
  photos,
  clock,
}: {
  readonly database: Database;
  readonly photos: PhotoStore;
  readonly clock: Clock;
}): AsyncGenerator<readonly ListedPhoto[]> {
  for await (const files of photos.list()) {
    const owners = files.flatMap((file) => ownerOf(file) ?? []);
    const photoByUser = await findPhotos(database, [...new Set(owners)]);
    yield files.map((file) => {
      const userId = ownerOf(file);
      const photo = userId === null ? '' : photoByUser.get(userId);
      return { ...file, userId, state: stateOf(file, photo, clock.now()) };
    });
  }
}

/** Returns the photo URLs of several users by user id, without the unknown users. */
export async function findPhotos(
  database: Database,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await database.all<{ id: string; profile_photo: string }>(sql`
    SELECT id, profile_photo FROM users WHERE id IN (${joinSql(userIds, ', ')})`);
  return new Map(rows.map((row) => [row.id, row.profile_photo]));
}

const ownerOf = ({ name }: StoredFile) => parsePhotoName(name)?.userId ?? null;

function stateOf(file: StoredFile, photo: string | undefined, now: number): ListedPhoto['state'] {
  if (photo !== undefined && photoFileNames(photo).includes(file.name)) return 'used';
  if (now - file.modifiedAt <= ORPHAN_AGE_MS_MIN) return 'new';
  return photo === undefined ? 'owner unknown' : 'unused';
}
