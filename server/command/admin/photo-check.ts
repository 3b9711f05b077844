import type { Database } from '#server/adapter/database/database.ts';
import { findCardFiles, listPhotos } from '#server/adapter/profile/photo-files.ts';
import { substituteFor } from '#server/adapter/storage/photo-store.ts';
import type { PhotoStore } from '#server/adapter/storage/photo-store.ts';

import type { AdminContext } from './context.ts';
import { readUsers } from './store.ts';

/** Compares all rows with all files, and makes the command fail if they differ. */
export async function checkPhotos(context: AdminContext) {
  const { database, photos } = context;
  const unusedFiles: string[] = [];
  let files = 0;
  /** How many required files each user's card has in the store. */
  const usedCounts = new Map<string | null, number>();
  for await (const batch of listPhotos(context)) {
    files += batch.length;
    for (const { name, userId, state } of batch) {
      if (state === 'used') {
        if (isRequired(name)) usedCounts.set(userId, (usedCounts.get(userId) ?? 0) + 1);
      } else if (state !== 'new') unusedFiles.push(name);
    }
  }
  const missing: string[] = [];
  let rows = 0;
  for await (const users of readUsers<{ readonly id: string }>(database, 'id')) {
    const namesByUser = await findCardFiles(
      database,
      users.map(({ id }) => id),
    );
    for (const [id, names] of namesByUser) {
      if (names.length === 0) continue;
      rows += 1;
      if (usedCounts.get(id) !== names.filter(isRequired).length)
        missing.push(...(await missingFiles(id, database, photos)));
    }
  }
  if (missing.length > 0 || unusedFiles.length > 0) context.fail();
  return { rows, files, rowsWithoutFiles: missing, filesWithoutRows: unusedFiles.toSorted() };
}

const isRequired = (name: string) => substituteFor(name) === null;

/** Reads the row again and returns its required files that do not exist, because they may be newer than the list. */
async function missingFiles(userId: string, database: Database, photos: PhotoStore) {
  const names = (await findCardFiles(database, [userId])).get(userId) ?? [];
  const missing: string[] = [];
  for (const name of names.filter(isRequired)) {
    if ((await photos.read(name)) === null) missing.push(name);
  }
  return missing;
}
