import { createHash } from 'node:crypto';

import { PHOTO_FORMATS, PHOTO_SIDES_PX, photoFileName, photoPath } from '#domain/photo.ts';
import type { PhotoFormat } from '#domain/photo.ts';

import type { Picture } from '#server/image/decode.ts';
import type { PhotoFile } from './photo-store.ts';

/** 128 bits of the content's SHA-256: nobody finds two pictures of one name. */
const HASH_LENGTH = 32;
const NAME = /^(([1-9A-HJ-NP-Za-km-z]{16})-[0-9a-f]{32})-(?:224|448)\.(jpg|webp)$/;

/**
 * The user's id and a hash of the content. The id keeps equal pictures of two users apart, so that
 * one may go without the other, and says whose row knows whether a file is still in use.
 */
export function stemOf(userId: string, pictures: readonly Picture[]): string {
  const hash = createHash('sha256');
  for (const { bytes } of pictures) hash.update(bytes);
  return `${userId}-${hash.digest('hex').slice(0, HASH_LENGTH)}`;
}

export function filesOf(stem: string, pictures: readonly Picture[]): PhotoFile[] {
  return pictures.map(({ sidePx, format, bytes }) => ({
    name: photoFileName(stem, sidePx, format),
    bytes,
  }));
}

/** Every file name that stands behind a photo's address. */
export function fileNamesAt(profilePhoto: string): string[] {
  const found = readName(profilePhoto.split('/').pop() ?? '');
  if (!found || photoPath(found.stem) !== profilePhoto) return [];
  return PHOTO_SIDES_PX.flatMap((side) =>
    PHOTO_FORMATS.map((format) => photoFileName(found.stem, side, format)),
  );
}

export interface PhotoName {
  readonly stem: string;
  readonly userId: string;
  readonly format: PhotoFormat;
}

/** What a file name says; null for a name that is not a photo's. */
export function readName(name: string): PhotoName | null {
  const [, stem, userId, format] = NAME.exec(name) ?? [];
  if (!stem || !userId || !format) return null;
  return { stem, userId, format: format as PhotoFormat };
}
