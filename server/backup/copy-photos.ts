import type { Database } from '#server/db/database.ts';
import { logoFileNames, photoFileNames } from '#server/storage/photo-store.ts';
import type { PhotoStore } from '#server/storage/photo-store.ts';

import { APPEARANCES, USERS, readBatches, tableNames } from './copy-tables.ts';

/** The result of copying photo files. */
export interface CopiedPhotos {
  /** The files of all photos and logos of all cards. */
  readonly names: readonly string[];
  /** The number of files that the target did not have. */
  readonly added: number;
  /** The files that the source does not have. */
  readonly missing: readonly string[];
}

/**
 * Copies the missing files of all photos and logos of all cards. Existing files are not compared, because the
 * name of a file contains a hash of its content.
 */
export async function copyPhotos(
  database: Database,
  from: PhotoStore,
  to: PhotoStore,
): Promise<CopiedPhotos> {
  const existing = new Set<string>();
  for await (const files of to.list()) for (const { name } of files) existing.add(name);
  const names: string[] = [];
  const missing: string[] = [];
  let added = 0;
  for await (const batch of listCardFiles(database)) {
    for (const name of batch) {
      names.push(name);
      if (existing.has(name)) continue;
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

async function* listCardFiles(database: Database): AsyncGenerator<string[]> {
  for await (const users of readBatches(USERS, database))
    yield users.flatMap((user) => photoFileNames(String(user['profile_photo'])));
  // An older schema has no logos.
  if (!(await tableNames(database)).has(APPEARANCES.name)) return;
  for await (const rows of readBatches(APPEARANCES, database))
    yield rows.flatMap((row) => logoFileNames(String(row['logo'])));
}

/**
 * Copies the photos of all cards to another store and reads each file back. The source is not
 * changed. Can be repeated, even after an interruption.
 */
export async function movePhotos(
  database: Database,
  from: PhotoStore,
  to: PhotoStore,
): Promise<CopiedPhotos & { readonly different: readonly string[] }> {
  const copied = await copyPhotos(database, from, to);
  const different: string[] = [];
  for (const name of copied.names) {
    const [source, copy] = await Promise.all([from.read(name), to.read(name)]);
    if (source !== null && !(copy !== null && source.equals(copy))) different.push(name);
  }
  return { ...copied, different };
}
