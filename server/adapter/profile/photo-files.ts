import { HOUR_MS } from '#domain/duration.ts';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { parsePhotoName } from '#server/adapter/storage/photo-store.ts';
import type { PhotoStore, StoredFile } from '#server/adapter/storage/photo-store.ts';

import { findCardFiles } from './card-files.ts';

/** A younger file that no row uses may belong to an upload that has not changed its row yet. */
export const ORPHAN_AGE_MS_MIN = HOUR_MS;

export interface ListedPhoto extends StoredFile {
  /** Null for a file that was never completed: its name is not that of a photo. */
  readonly userId: string | null;
  /** `new`: not used by the card, or by no known card, but too young to be an orphan. */
  readonly state: 'used' | 'unused' | 'owner unknown' | 'new';
}

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
    const namesByUser = await findCardFiles(database, [...new Set(owners)]);
    yield files.map((file) => {
      const userId = ownerOf(file);
      const names = userId === null ? [] : namesByUser.get(userId);
      return { ...file, userId, state: stateOf(file, names, clock.now()) };
    });
  }
}

const ownerOf = ({ name }: StoredFile) => parsePhotoName(name)?.userId ?? null;

function stateOf(
  file: StoredFile,
  names: readonly string[] | undefined,
  now: number,
): ListedPhoto['state'] {
  if (names?.includes(file.name)) return 'used';
  if (now - file.modifiedAt <= ORPHAN_AGE_MS_MIN) return 'new';
  return names === undefined ? 'owner unknown' : 'unused';
}
