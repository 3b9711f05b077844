import type { Database } from '#server/db/database.ts';
import { findPhotos, listPhotos } from '#server/profile/photo-files.ts';
import { photoFileNames } from '#server/storage/photo-store.ts';
import type { PhotoStore } from '#server/storage/photo-store.ts';

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
export async function checkPhotos(context: AdminContext) {
  const { database, photos } = context;
  const unusedFiles: string[] = [];
  let files = 0;
  /** The number of files of the current photo, by user. */
  const usedCounts = new Map<string | null, number>();
  for await (const batch of listPhotos(context)) {
    files += batch.length;
    for (const { name, userId, state } of batch) {
      if (state === 'used') usedCounts.set(userId, (usedCounts.get(userId) ?? 0) + 1);
      else if (state !== 'new') unusedFiles.push(name);
    }
  }
  const missing: string[] = [];
  let rows = 0;
  for await (const users of readUsers<PhotoRow>(database, 'id, profile_photo')) {
    for (const { id, profile_photo } of users) {
      const names = photoFileNames(profile_photo);
      if (names.length === 0) continue;
      rows += 1;
      if (usedCounts.get(id) !== names.length)
        missing.push(...(await missingFiles(id, database, photos)));
    }
  }
  return { rows, files, rowsWithoutFiles: missing, filesWithoutRows: unusedFiles.toSorted() };
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
