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
} from 'node:fs/promises';
import { join } from 'node:path';

import { mapWriteError } from './storage-error.ts';
import type { PhotoFile, PhotoStore } from './photo-store.ts';

const UNFINISHED = '.part';
/** Files looked at together. */
const BITE = 500;

/**
 * Photos as files in one folder. A file is written under another name, synced, then renamed, and
 * the folder is synced after: whoever finds a name finds all of its bytes, after a power cut too.
 */
export function openPhotoFolder(folder: string): PhotoStore {
  async function write({ name, bytes }: PhotoFile): Promise<void> {
    const draft = join(folder, `${randomUUID()}${UNFINISHED}`);
    try {
      const file = await open(draft, 'wx');
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, join(folder, name));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  return {
    keep: (files) =>
      mapWriteError(async () => {
        await mkdir(folder, { recursive: true });
        for (const file of files) await write(file);
        await syncFolder(folder);
      }),
    read: (name) => orNull(readFile(join(folder, name))),
    remove: async (names) => {
      for (const name of names) await rm(join(folder, name), { force: true });
    },
    async *list() {
      const names = (await orNull(readdir(folder))) ?? [];
      for (let at = 0; at < names.length; at += BITE) {
        const found = await Promise.all(
          names.slice(at, at + BITE).map(async (name) => {
            const status = await orNull(stat(join(folder, name)));
            return status === null ? [] : [{ name, keptAt: status.mtimeMs }];
          }),
        );
        yield found.flat();
      }
    },
    check: async () => {
      await mkdir(folder, { recursive: true });
      await access(folder, constants.W_OK | constants.X_OK);
    },
  };
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
