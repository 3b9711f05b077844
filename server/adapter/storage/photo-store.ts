import { createHash, randomBytes } from 'node:crypto';

import {
  PHOTO_FORMATS,
  PHOTO_LARGE_SIDE_PX,
  PHOTO_SIDES_PX,
  PHOTO_SIDE_PX_MAX,
  photoFileName,
  photoFilePath,
  photoPath,
} from '#domain/photo.ts';
import type { PhotoSide } from '#domain/photo.ts';
import { unavailableError } from '#server/error.ts';
import type { Picture } from '#server/adapter/image/decode.ts';

/** A file of a photo. The content of a name never changes. */
export interface PhotoFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface StoredFile {
  readonly name: string;
  readonly modifiedAt: number;
}

export interface PhotoStore {
  save(files: readonly PhotoFile[]): Promise<void>;
  read(name: string): Promise<Buffer | null>;
  remove(names: readonly string[]): Promise<void>;
  /** Lists all files, unfinished ones included, in batches: there may be millions. */
  list(): AsyncIterable<readonly StoredFile[]>;
  check(): Promise<void>;
}

/** 64 bits of SHA-256: enough to recognise the content among the photos of one user. */
const CONTENT_HASH_LENGTH = 16;
const UPLOAD_ID_BYTES = 8;
const NAME =
  /^(([1-9A-HJ-NP-Za-km-z]{16})-[0-9a-f]{32})-(?:(?:224|448|648)\.(?:jpg|webp)|\d{1,3}x\d{1,2}\.webp)$/;

/**
 * The user's id, a hash of the content, and a random id of the upload: a new name unless the
 * content is the previous photo's, so that replaced files can be removed.
 */
export function photoBaseName(
  userId: string,
  pictures: readonly Picture[],
  previous: string,
): string {
  const hash = createHash('sha256');
  for (const { bytes } of pictures) hash.update(bytes);
  const start = `${userId}-${hash.digest('hex').slice(0, CONTENT_HASH_LENGTH)}`;
  const previousName = parsePhotoName(previous.split('/').pop() ?? '')?.baseName;
  if (previousName?.startsWith(start)) return previousName;
  return start + randomBytes(UPLOAD_ID_BYTES).toString('hex');
}

export function photoFiles(baseName: string, pictures: readonly Picture[]): PhotoFile[] {
  return pictures.map(({ sidePx, format, bytes }) => ({
    name: photoFileName(baseName, sidePx, format),
    bytes,
  }));
}

export function photoFileNames(profilePhoto: string): string[] {
  const parsed = parsePhotoName(profilePhoto.split('/').pop() ?? '');
  if (!parsed || photoPath(parsed.baseName) !== profilePhoto) return [];
  return PHOTO_SIDES_PX.flatMap((sidePx) =>
    PHOTO_FORMATS.map((format) => photoFileName(parsed.baseName, sidePx, format)),
  );
}

/**
 * Returns the file that replaces a large one, which photos of earlier versions may not have; null for a
 * file that every photo has.
 */
export function substituteFor(name: string): string | null {
  const large = `-${PHOTO_LARGE_SIDE_PX}.`;
  return name.includes(large) ? name.replace(large, `-${PHOTO_SIDE_PX_MAX}.`) : null;
}

export function logoFileNames(logo: string): string[] {
  const name = logo.split('/').pop() ?? '';
  return parsePhotoName(name) && photoFilePath(name) === logo ? [name] : [];
}

export async function readJpeg(
  photos: PhotoStore,
  profilePhoto: string,
  sidePx: PhotoSide,
): Promise<Buffer | null> {
  const ending = `-${sidePx}.jpg`;
  const name = photoFileNames(profilePhoto).find((fileName) => fileName.endsWith(ending));
  return name === undefined ? null : photos.read(name);
}

export async function readLogo(photos: PhotoStore, logo: string): Promise<Buffer | null> {
  const [name] = logoFileNames(logo);
  return name === undefined ? null : photos.read(name);
}

export function parsePhotoName(name: string) {
  const [, baseName, userId] = NAME.exec(name) ?? [];
  return baseName && userId ? { baseName, userId } : null;
}

const CONTENT_TYPES = { jpg: 'image/jpeg', webp: 'image/webp' } as const;
/**
 * A name's content never changes. A shared cache keeps it for an hour only: a card may be blocked
 * or removed.
 */
export const PICTURE_CACHE_CONTROL = 'public, max-age=31536000, immutable, s-maxage=3600';

/** Returns the headers of a photo's file, as this service sends them and as a bucket stores them. */
export function photoHeaders(name: string): Readonly<Record<string, string>> {
  const type = name.endsWith('.webp') ? CONTENT_TYPES.webp : CONTENT_TYPES.jpg;
  return { 'content-type': type, 'cache-control': PICTURE_CACHE_CONTROL };
}

export function throwNotSaved(cause: unknown): never {
  throw unavailableError('The photo store did not take this: not saved. Try again.', cause);
}

export function throwNotRead(cause: unknown): never {
  throw unavailableError('The photo store does not answer. Try again.', cause);
}
