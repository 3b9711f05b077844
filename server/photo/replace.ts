import { photoPath } from '#domain/photo.ts';
import { sessionInvalid } from '#server/http/caller.ts';
import type { Dependencies } from '#server/context.ts';

import type { Picture } from '#server/image/decode.ts';
import { photoFileNames, photoFiles, photoBaseName } from '#server/storage/photo-store.ts';
import { findPhoto, updatePhoto } from '#server/profile/store.ts';

/**
 * Replaces a user's photo: the new files are durable before the row names them, and the old ones go
 * after it no longer does. Cut short anywhere, the card is whole, and the sweeper finds the rest.
 */
export async function replacePhoto(
  { database, photos, clock }: Pick<Dependencies, 'database' | 'photos' | 'clock'>,
  userId: string,
  pictures: readonly Picture[],
): Promise<string> {
  const stem = photoBaseName(userId, pictures);
  const before = await findPhoto(database, userId);
  await photos.save(photoFiles(stem, pictures));
  const profilePhoto = photoPath(stem);
  const now = await updatePhoto(database, { userId, profilePhoto, now: clock.now() });
  if (now === null) throw sessionInvalid();
  // The row is asked once more: another device may just have brought the old picture back.
  if (before !== profilePhoto && (await findPhoto(database, userId)) !== before) {
    await photos.remove(photoFileNames(before ?? '')).catch(() => undefined);
  }
  return profilePhoto;
}
