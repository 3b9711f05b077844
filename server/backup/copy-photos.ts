import type { Database } from '#server/db/database.ts';
import { photoFileNames } from '#server/storage/photo-store.ts';
import type { PhotoStore } from '#server/storage/photo-store.ts';

import { batches } from './copy.ts';
import { TABLES } from './tables.ts';

const [USERS] = TABLES;

/** The files of every photo that a card names. */
export async function* photoNames(database: Database): AsyncGenerator<string[]> {
  for await (const users of batches(USERS, database)) {
    yield users.flatMap((user) => photoFileNames(String(user['profile_photo'])));
  }
}

/** What became of photo files. */
export interface CopiedPhotos {
  readonly names: readonly string[];
  /** Those that were not there yet. */
  readonly added: number;
  /** Those that the source does not have. */
  readonly missing: readonly string[];
}

/**
 * Copies every file that a card names and that is not there yet. One name never has two contents,
 * so what is there is right.
 */
export async function copyPhotos(
  database: Database,
  from: PhotoStore,
  to: PhotoStore,
): Promise<CopiedPhotos> {
  const there = new Set<string>();
  for await (const files of to.list()) for (const { name } of files) there.add(name);
  const names: string[] = [];
  const missing: string[] = [];
  let added = 0;
  for await (const batch of photoNames(database)) {
    for (const name of batch) {
      names.push(name);
      if (there.has(name)) continue;
      const bytes = await from.read(name);
      if (bytes === null) {
        missing.push(name);
        continue;
      }
      await to.save([{ name, bytes }]);
      added += 1;
    }
  }
  return { names, added, missing };
}
