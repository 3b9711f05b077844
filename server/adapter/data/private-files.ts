import { constants } from 'node:fs';
import { access, chmod, opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { StartError, reasonOf } from '#server/start-error.ts';

const OWNER_ONLY_UMASK = 0o077;
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const OWN_FOLDER = /^(?:cache|uploads)$/;
/** The service needs these folders. If it cannot write `cache`, it starts anyway and keeps no pages on disk. */
const MUST_WRITE = /^(?:photos|uploads)$/;
/** Other files of the data folder are left alone. */
const OWN_FILE = /^(?:tessera\.sqlite|lock\.sqlite|secret)/;

export function setPrivateUmask(): void {
  process.umask(OWNER_ONLY_UMASK);
}

/**
 * Makes the data folder readable by its owner only (docs/operate/install.md#data-folder). Photos are corrected only
 * while others can read their folder. Throws StartError.
 */
export async function makeDataFolderPrivate(dataDir: string): Promise<void> {
  const photos = join(dataDir, 'photos');
  await checkAccess(dataDir, dataDir);
  for await (const { name } of await opendir(dataDir)) {
    const path = join(dataDir, name);
    if (OWN_FOLDER.test(name)) await restrict(path, PRIVATE_FOLDER);
    if (!OWN_FILE.test(name) && !MUST_WRITE.test(name)) continue;
    await checkAccess(path, dataDir);
    if (OWN_FILE.test(name)) await restrict(path, PRIVATE_FILE);
  }
  if (await isOpenToOthers(photos)) {
    for await (const { name } of await opendir(photos)) {
      await restrict(join(photos, name), PRIVATE_FILE);
    }
    // The folder comes last, so that an interrupted correction is repeated.
    await restrict(photos, PRIVATE_FOLDER);
  }
  await restrict(dataDir, PRIVATE_FOLDER);
}

async function checkAccess(path: string, dataDir: string): Promise<void> {
  try {
    await access(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw new StartError(
      `DATA_DIR: ${path} cannot be read and written (${reasonOf(error)}). Make the user of the service its owner, who may write: chown -R ${process.getuid?.() ?? ''} ${dataDir} && chmod -R u+rwX ${dataDir}`,
    );
  }
}

async function restrict(path: string, mode: number): Promise<void> {
  if (!(await isOpenToOthers(path))) return;
  try {
    await chmod(path, mode);
  } catch (error) {
    throw new StartError(
      `DATA_DIR: other users can read ${path}, and their permissions cannot be changed (${reasonOf(error)}). Make the user of the service the owner.`,
    );
  }
}

async function isOpenToOthers(path: string): Promise<boolean> {
  const status = await stat(path).catch(() => null);
  return status !== null && (status.mode & OWNER_ONLY_UMASK) !== 0;
}
