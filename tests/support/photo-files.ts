import type { StoredFile, PhotoStore } from '#server/adapter/storage/photo-store.ts';

export const photoNames = async (photos: PhotoStore) =>
  (await listPhotoFiles(photos)).map(({ name }) => name).toSorted();

export async function listPhotoFiles(photos: PhotoStore): Promise<StoredFile[]> {
  const all: StoredFile[] = [];
  for await (const files of photos.list()) all.push(...files);
  return all;
}
