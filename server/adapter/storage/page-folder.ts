import { hash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { serialize } from 'node:v8';

import { lockDataFolder, makeFolder } from '#server/adapter/database/data-folder.ts';
import type { Settings } from '#server/settings/settings.ts';
import { StartError } from '#server/start-error.ts';
import { BUILD } from '#server/version.ts';

import { BUCKET_BYTES, BUCKET_HEAD_BYTES, PageStore, logOff, readHeads } from './page-store.ts';
import type { PageContext } from './page-store.ts';

const MIB = 1024 * 1024;
/** The file takes this many MB for each MB of CARD_CACHE_MB. */
const DISK_MB = 16;
const DISK_MB_MAX = 4096;
/** While a node starts, no request waits for the check, so it may read many rows at once. */
const CHECKED_AT_START = 1000;

const folderOf = (dataDir: string) => join(dataDir, 'cache');

export const removePages = (dataDir: string) =>
  rm(folderOf(dataDir), { recursive: true, force: true });

/**
 * Opens the file with the pages of this build and these settings, and removes all other files. After a crash, it starts
 * with an empty file. Returns null if the disk fails or another node on the same folder keeps the pages. This node then
 * keeps none on disk.
 */
export async function openPageStore(
  settings: Settings,
  { build = BUILD, ...context }: PageContext & { readonly build?: string },
): Promise<PageStore | null> {
  const { dataDir, cardCacheMb } = settings;
  // The name of a node is the only setting that may change at each start, and it reaches no page.
  const { nodeName: _, ...reaching } = settings;
  const name = hash('sha256', serialize([build, process.versions, reaching]), 'hex');
  const path = join(folderOf(dataDir), name);
  const sizeMb = Math.min(cardCacheMb * DISK_MB, DISK_MB_MAX);
  const headBytes = BUCKET_HEAD_BYTES * Math.floor((sizeMb * MIB) / BUCKET_BYTES);
  try {
    await makeFolder(folderOf(dataDir));
    // Of several nodes that share the folder, one keeps pages.
    const unlock = lockDataFolder(folderOf(dataDir));
    const known = await readHeads(path, headBytes);
    for (const other of await readdir(folderOf(dataDir)))
      if (!other.startsWith('lock') && (known === null || other !== name))
        await unlink(join(folderOf(dataDir), other));
    const { O_CREAT, O_RDWR } = constants;
    const file = await open(path, O_RDWR | O_CREAT, 0o600);
    const pages = new PageStore({ file, path, unlock }, known ?? Buffer.alloc(headBytes), context);
    await pages.removeGone(CHECKED_AT_START);
    return pages;
  } catch (error) {
    // Another node on this folder keeps pages, which is no fault.
    if (!(error instanceof StartError)) logOff(context.log, error);
    return null;
  }
}

/** Removes the file's name, and lets its space be freed in the background, because freeing a gigabyte takes seconds. */
async function unlink(path: string): Promise<void> {
  const file = await open(path);
  await rm(path);
  void file.close();
}
