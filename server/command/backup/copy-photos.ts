import type { Database } from '#server/adapter/database/database.ts';
import { logoFileNames, photoFileNames } from '#server/adapter/storage/photo-store.ts';
import type { PhotoStore } from '#server/adapter/storage/photo-store.ts';

import { APPEARANCES, USERS, readBatches, tableNames } from './copy-tables.ts';
import { withoutProgress } from './progress.ts';
import type { RunStep } from './progress.ts';

/** The result of copying photo files. */
export interface CopiedPhotos {
  /** The files of all photos and logos of all cards. */
  readonly names: readonly string[];
  /** The number of files that the target did not have. */
  readonly added: number;
  /** The files that the source does not have. */
  readonly missing: readonly string[];
}

interface PhotoCopy {
  readonly from: PhotoStore;
  readonly to: PhotoStore;
  readonly runStep?: RunStep;
}

/**
 * Copies the missing files of all photos and logos of all cards. Existing files are not compared, because the
 * name of a file contains a hash of its content.
 */
export async function copyPhotos(
  database: Database,
  { from, to, runStep = withoutProgress }: PhotoCopy,
): Promise<CopiedPhotos> {
  const existing = new Set<string>();
  for await (const files of to.list()) for (const { name } of files) existing.add(name);
  const names: string[] = [];
  const missing: string[] = [];
  let added = 0;
  const copyFile = async (name: string) => {
    names.push(name);
    if (existing.has(name)) return;
    const bytes = await from.read(name);
    if (bytes === null) {
      missing.push(name);
      return;
    }
    await to.save([{ name, bytes }]);
    added += 1;
  };
  const step = { name: 'Photos', total: await countPhotos(database), unit: 'photos' };
  await runStep(step, async (add) => {
    for await (const files of listPhotos(database)) {
      for (const name of files) await copyFile(name);
      add(1);
    }
  });
  return { names, added, missing };
}

/** Yields the names of the files of each photo and logo. */
async function* listPhotos(database: Database): AsyncGenerator<string[]> {
  for await (const users of readBatches(USERS, database))
    for (const user of users) yield* namesOf(photoFileNames(String(user['profile_photo'])));
  if (!(await hasLogos(database))) return;
  for await (const rows of readBatches(APPEARANCES, database))
    for (const row of rows) yield* namesOf(logoFileNames(String(row['logo'])));
}

const namesOf = (names: string[]) => (names.length === 0 ? [] : [names]);

/** An older schema has none. */
async function hasLogos(database: Database): Promise<boolean> {
  return (await tableNames(database)).has(APPEARANCES.name);
}

async function countPhotos(database: Database): Promise<number> {
  const logos = (await hasLogos(database))
    ? "(SELECT COUNT(NULLIF(logo, '')) FROM appearances)"
    : '0';
  const row = await database.one<{ photos: number }>(
    `SELECT COUNT(NULLIF(profile_photo, '')) + ${logos} AS photos FROM users`,
  );
  return row?.photos ?? 0;
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
  const copied = await copyPhotos(database, { from, to });
  const different: string[] = [];
  for (const name of copied.names) {
    const [source, copy] = await Promise.all([from.read(name), to.read(name)]);
    if (source !== null && !(copy !== null && source.equals(copy))) different.push(name);
  }
  return { ...copied, different };
}
