import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { link, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';

import type { Database } from './db/database.ts';
import type { Settings } from './settings.ts';

const SECRET_BYTES = 32;
const OWNER_ONLY = 0o600;

type Source = Pick<Settings, 'secret' | 'dataDir' | 'databaseUrl'>;

/**
 * The service's own secret, under which one-time codes are kept: the setting; or, on PostgreSQL,
 * made of a seed in the database and the database's password, so that all nodes have the same and
 * a copy of the database alone does not; or a file in the data folder.
 */
export async function readSecret(settings: Source, database: Database): Promise<string> {
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

/** A file that is made once, whole or not at all. */
async function fileSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret');
  const found = await readFile(path, 'utf8').catch(() => null);
  if (found) return found;
  const draft = `${path}.${randomUUID()}`;
  const file = await open(draft, 'w', OWNER_ONLY);
  await file.writeFile(newSecret());
  await file.sync();
  await file.close();
  // Of two that start at once, the first link wins and the other reads it.
  await link(draft, path).catch(() => undefined);
  await unlink(draft);
  return readFile(path, 'utf8');
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
