import { constants } from 'node:fs';
import { access, chmod, opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { StartError, reasonOf } from '#server/start-error.ts';

const OWNER_ONLY_UMASK = 0o077;
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
/** A data folder can have other files too. */
const OWN_FILE = /^(?:tessera\.sqlite|lock\.sqlite|secret)/;

/** Only the user of this process can read the files that it creates. */
export function setPrivateUmask(): void {
  process.umask(OWNER_ONLY_UMASK);
}

/**
 * Corrects permissions that an older version or an operator set (docs/install.md#data-folder). The
 * photos, perhaps millions, are corrected only while others can read their folder. Throws StartError,
 * also for a file that this process cannot open, such as one that another user restored.
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

/** False for a missing file. */
async function isOpenToOthers(path: string): Promise<boolean> {
  const status = await stat(path).catch(() => null);
  return status !== null && (status.mode & OWNER_ONLY_UMASK) !== 0;
}
