import type { Database } from '#server/db/database.ts';
import { findPhotos } from '#server/profile/store.ts';
import {
  ORPHAN_AGE_MS_MIN,
  ownersOf,
  parsePhotoName,
  photoFileNames,
} from '#server/storage/photo-store.ts';
import type { PhotoStore, StoredFile } from '#server/storage/photo-store.ts';

import type { AdminContext } from './context.ts';
import { readUsers } from './store.ts';

interface PhotoRow {
  readonly id: string;
  readonly profile_photo: string;
}

/**
 * Compares the photos of all cards with the files of the photo store. Changes nothing. Reads all
 * rows and lists all files.
 */
export async function checkPhotos({ database, photos, clock }: AdminContext) {
  const unusedFiles: string[] = [];
  let files = 0;
  /** The number of files of the current photo, by user. */
  const currentCounts = new Map<string, number>();
  for await (const batch of photos.list()) {
    files += batch.length;
    const used = await usedFiles(database, batch);
    for (const { name, modifiedAt } of batch) {
      const userId = parsePhotoName(name)?.userId;
      if (userId !== undefined && used.has(name)) {
        currentCounts.set(userId, (currentCounts.get(userId) ?? 0) + 1);
      } else if (clock.now() - modifiedAt > ORPHAN_AGE_MS_MIN) unusedFiles.push(name);
    }
  }
  const missing: string[] = [];
  let rows = 0;
  for await (const users of readUsers<PhotoRow>(database, 'id, profile_photo')) {
    for (const { id, profile_photo } of users) {
      const names = photoFileNames(profile_photo);
      if (names.length === 0) continue;
      rows += 1;
      if (currentCounts.get(id) !== names.length)
        missing.push(...(await missingFiles(id, database, photos)));
    }
  }
  return { rows, files, rowsWithoutFiles: missing, filesWithoutRows: unusedFiles.toSorted() };
}

/** Returns the names of the current photos of the users that files belong to. */
async function usedFiles(database: Database, files: readonly StoredFile[]): Promise<Set<string>> {
  const photoByUser = await findPhotos(database, ownersOf(files));
  return new Set([...photoByUser.values()].flatMap(photoFileNames));
}

/** Returns the files of a user's photo that do not exist. The photo may be newer than the list. */
async function missingFiles(userId: string, database: Database, photos: PhotoStore) {
  const photo = (await findPhotos(database, [userId])).get(userId) ?? '';
  const missing: string[] = [];
  for (const name of photoFileNames(photo)) {
    if ((await photos.read(name)) === null) missing.push(name);
  }
  return missing;
}
