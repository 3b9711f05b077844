import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

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
import { UNFINISHED, sync, tryWriteFile } from '#server/adapter/database/data-folder.ts';
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
  /** Lists all files in batches, because there may be millions. Unfinished files are included. */
  list(): AsyncIterable<readonly StoredFile[]>;
  check(): Promise<void>;
}

/** 64 bits of SHA-256 are enough to recognise the content among the photos of one user. */
const CONTENT_HASH_LENGTH = 16;
const UPLOAD_ID_BYTES = 8;
const NAME =
  /^(([1-9A-HJ-NP-Za-km-z]{16})-[0-9a-f]{32})-(?:(?:224|448|648)\.(?:jpg|webp)|\d{1,3}x\d{1,2}\.webp)$/;

/**
 * Returns the path and the files of a new photo. Their name has the user's id, a hash of the content, and a
 * random id of the upload, so that no two uploads have the same files.
 */
export function newPhoto(userId: string, pictures: readonly Picture[]) {
  const hash = createHash('sha256');
  for (const { bytes } of pictures) hash.update(bytes);
  const content = hash.digest('hex').slice(0, CONTENT_HASH_LENGTH);
  const baseName = `${userId}-${content}${randomBytes(UPLOAD_ID_BYTES).toString('hex')}`;
  const files = pictures.map(({ sidePx, format, bytes }) => ({
    name: photoFileName(baseName, sidePx, format),
    bytes,
  }));
  return { profilePhoto: photoPath(baseName), files };
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
 * The content of a name never changes. A shared cache keeps it for an hour only, because a card may be
 * blocked or removed.
 */
export const PICTURE_CACHE_CONTROL = 'public, max-age=31536000, immutable, s-maxage=3600';

/** Returns the headers of a photo's file, as this service sends them and as a bucket stores them. */
export function photoHeaders(name: string): Readonly<Record<string, string>> {
  const type = name.endsWith('.webp') ? CONTENT_TYPES.webp : CONTENT_TYPES.jpg;
  return { 'content-type': type, 'cache-control': PICTURE_CACHE_CONTROL };
}

export function throwNotSaved(cause: unknown): never {
  throw unavailableError("We couldn't store this, so it isn't saved. Try again.", cause);
}

export function throwNotRead(cause: unknown): never {
  throw unavailableError("The photo store isn't answering. Try again.", cause);
}

const FREE_BYTES_MIN = 1_000_000;
const BATCH_SIZE = 500;

/**
 * Stores photos in a folder. A file gets its name after it is synced, and then the folder is synced, so that
 * a power cut leaves no half file.
 */
export function openPhotoFolder(folder: string): PhotoStore {
  async function write({ name, bytes }: PhotoFile): Promise<void> {
    const unfinished = join(folder, `${randomUUID()}${UNFINISHED}`);
    try {
      await writeFile(unfinished, bytes, { flag: 'wx', flush: true });
      await rename(unfinished, join(folder, name));
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  async function writeAll(files: readonly PhotoFile[]): Promise<void> {
    await mkdir(folder, { recursive: true });
    for (const file of files) await write(file);
    await sync(folder);
  }

  return {
    save: (files) => writeAll(files).catch(throwNotSaved),
    read: (name) => nullIfMissing(readFile(join(folder, name))),
    remove: async (names) => {
      for (const name of names) await rm(join(folder, name), { force: true });
    },
    async *list() {
      const names = (await nullIfMissing(readdir(folder))) ?? [];
      for (let start = 0; start < names.length; start += BATCH_SIZE) {
        const files = await Promise.all(
          names.slice(start, start + BATCH_SIZE).map(async (name) => {
            const status = await nullIfMissing(stat(join(folder, name)));
            return status === null ? [] : [{ name, modifiedAt: status.mtimeMs }];
          }),
        );
        yield files.flat();
      }
    },
    check: async () => {
      // The folder is made with the first photo.
      const isMissing = (await nullIfMissing(tryWriteFile(folder))) === null;
      if (isMissing) await tryWriteFile(dirname(folder));
      const { bavail, bsize } = await statfs(isMissing ? dirname(folder) : folder);
      if (bavail * bsize < FREE_BYTES_MIN) throw new Error(`The disk of ${folder} is full.`);
    },
  };
}

async function nullIfMissing<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
