import { randomUUID } from 'node:crypto';
import {
  access,
  constants,
  mkdir,
  open,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  statfs,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { sync } from '#server/adapter/database/data-folder.ts';

import { throwNotSaved } from './photo-store.ts';
import type { PhotoFile, PhotoStore } from './photo-store.ts';

const UNFINISHED = '.part';
const FREE_BYTES_MIN = 1_000_000;
const BATCH_SIZE = 500;

/**
 * Written under a temporary name, synced and renamed, then the folder is synced, for a power cut.
 */
export function openPhotoFolder(folder: string): PhotoStore {
  async function write({ name, bytes }: PhotoFile): Promise<void> {
    const unfinished = join(folder, `${randomUUID()}${UNFINISHED}`);
    try {
      const file = await open(unfinished, 'wx');
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
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
      // The first photo makes the folder.
      const isMissing = (await nullIfMissing(canWrite(folder))) === null;
      if (isMissing) await canWrite(dirname(folder));
      const { bavail, bsize } = await statfs(isMissing ? dirname(folder) : folder);
      if (bavail * bsize < FREE_BYTES_MIN) throw new Error(`The disk of ${folder} is full.`);
    },
  };
}

const canWrite = (path: string) => access(path, constants.W_OK | constants.X_OK);

async function nullIfMissing<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
