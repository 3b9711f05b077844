import type { Database } from '#server/db/database.ts';
import type { PhotoStore } from '#server/storage/photo-store.ts';

import { copyPhotos } from './copy-photos.ts';
import type { CopiedPhotos } from './copy-photos.ts';

/**
 * Copies every photo that a card names from one store to another and reads back what was put there.
 * The source stays as it is. Can be run again, also after a cut.
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
