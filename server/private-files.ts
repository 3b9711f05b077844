import { constants } from 'node:fs';
import { access, chmod, opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { StartError, reasonOf } from './start-error.ts';

/** Removes all permissions of other users from new files and folders. */
const OWNER_ONLY_UMASK = 0o077;
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
/** This service's files in a data folder, which can also contain other files. */
const OWN_FILE = /^(?:tessera\.sqlite|lock\.sqlite|secret)/;

/** Sets the umask, so that only the user of this process can read the files that it creates. */
export function setPrivateUmask(): void {
  process.umask(OWNER_ONLY_UMASK);
}

/**
 * Corrects the permissions of a data folder that an older version or an operator created: folders
 * 0700, the database, its lock, the secret and the photos 0600. The photos are corrected only while
 * other users can read their folder, because there can be millions of them.
 * Throws StartError that names the path, also for a file that this process cannot open, such as one
 * that another user restored.
 */
export async function makeDataFolderPrivate(dataDir: string): Promise<void> {
  const photos = join(dataDir, 'photos');
  await checkAccess(dataDir, dataDir);
  for await (const { name } of await opendir(dataDir)) {
    const path = join(dataDir, name);
    if (!OWN_FILE.test(name) && path !== photos) continue;
    await checkAccess(path, dataDir);
    if (path !== photos) await restrict(path, PRIVATE_FILE);
  }
  if (await isOpenToOthers(photos)) {
    for await (const { name } of await opendir(photos)) {
      await restrict(join(photos, name), PRIVATE_FILE);
    }
    // Last, so that an interrupted correction is repeated.
    await restrict(photos, PRIVATE_FOLDER);
  }
  await restrict(dataDir, PRIVATE_FOLDER);
}

async function checkAccess(path: string, dataDir: string): Promise<void> {
  try {
    await access(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw new StartError(
      `DATA_DIR: ${path} cannot be read and written (${reasonOf(error)}). Make the user of the service its owner: chown -R ${process.getuid?.() ?? ''} ${dataDir}`,
    );
  }
}

async function restrict(path: string, mode: number): Promise<void> {
  if (!(await isOpenToOthers(path))) return;
  try {
    await chmod(path, mode);
  } catch (error) {
    throw new StartError(
      `DATA_DIR: other users can read ${path}, and its permissions cannot be changed (${reasonOf(error)}).`,
    );
  }
}

/** Whether another user has any permission; false for a missing file. */
async function isOpenToOthers(path: string): Promise<boolean> {
  const status = await stat(path).catch(() => null);
  return status !== null && (status.mode & OWNER_ONLY_UMASK) !== 0;
}
