import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { link, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';

import type { Database } from './db/database.ts';
import type { Settings } from './settings.ts';

const SECRET_BYTES = 32;
const OWNER_ONLY = 0o600;

type SecretSettings = Pick<Settings, 'secret' | 'dataDir' | 'databaseUrl'>;

/**
 * Returns the key of the HMAC of one-time codes: the setting SECRET; else, with PostgreSQL, an HMAC of
 * a seed in the database under the database's password; else the content of a file in the data
 * folder. The seed gives all nodes the same key, and a copy of the database does not contain it.
 */
export async function readSecret(settings: SecretSettings, database: Database): Promise<string> {
  if (settings.secret) return settings.secret;
  if (settings.databaseUrl) return sharedSecret(settings.databaseUrl, database);
  return fileSecret(settings.dataDir);
}

async function sharedSecret(databaseUrl: string, database: Database): Promise<string> {
  await database.run(
    "INSERT INTO seeds (name, value) VALUES ('codes', $1) ON CONFLICT DO NOTHING",
    [newSecret()],
  );
  const seed = await database.one<{ value: string }>(
    "SELECT value FROM seeds WHERE name = 'codes'",
  );
  const password = URL.canParse(databaseUrl) ? new URL(databaseUrl).password : databaseUrl;
  return createHmac('sha256', password)
    .update(seed?.value ?? '')
    .digest('base64url');
}

/** Reads the secret's file. Creates it first if it does not exist; the creation is atomic. */
async function fileSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret');
  const found = await readFile(path, 'utf8').catch(() => null);
  if (found) return found;
  const temporary = `${path}.${randomUUID()}`;
  const file = await open(temporary, 'w', OWNER_ONLY);
  await file.writeFile(newSecret());
  await file.sync();
  await file.close();
  // If two processes start together, the second link fails and both read the first one's file.
  await link(temporary, path).catch(() => undefined);
  await unlink(temporary);
  return readFile(path, 'utf8');
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
