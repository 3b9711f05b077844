import { randomBytes } from 'node:crypto';
import { link, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';

const SECRET_BYTES = 32;
const OWNER_ONLY = 0o600;

/**
 * The service's own secret, under which one-time codes are kept: the setting, or a file in the
 * data folder that is made once, whole or not at all. Nodes that share a database share a secret.
 */
export async function readSecret(setting: string, dataDir: string): Promise<string> {
  if (setting) return setting;
  const path = join(dataDir, 'secret');
  const found = await readFile(path, 'utf8').catch(() => null);
  if (found) return found;
  const draft = `${path}.${process.pid}`;
  const file = await open(draft, 'w', OWNER_ONLY);
  await file.writeFile(randomBytes(SECRET_BYTES).toString('base64url'));
  await file.sync();
  await file.close();
  // Of two that start at once, the first link wins and the other reads it.
  await link(draft, path).catch(() => undefined);
  await unlink(draft);
  return readFile(path, 'utf8');
}
