import type { KeptFile, PhotoStore } from '#server/storage/photo-store.ts';

/** Everything that a photo store lists. */
export async function listPhotoFiles(photos: PhotoStore): Promise<KeptFile[]> {
  const all: KeptFile[] = [];
  for await (const files of photos.list()) all.push(...files);
  return all;
}
