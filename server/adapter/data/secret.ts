import { createHmac, randomUUID } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Logger } from 'pino';

import type { Database } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { countSealed, saveSeed } from '#server/adapter/database/statistics.ts';
import { SECRET_LENGTH_MIN } from '#server/settings/service-table.ts';
import type { Settings } from '#server/settings/settings.ts';
import { StartError, reasonOf } from '#server/start-error.ts';
import { hashToken, newToken } from '#server/token.ts';

const OWNER_ONLY = 0o600;

type SecretSettings = Pick<Settings, 'secret' | 'dataDir' | 'databaseUrl'>;

/**
 * Returns the setting SECRET. Without it, PostgreSQL gives a key of a stored seed and its password, and the
 * embedded database a file. Throws StartError.
 */
export async function readSecret(settings: SecretSettings, database: Database): Promise<string> {
  if (settings.secret !== null) return settings.secret;
  if (settings.databaseUrl !== null) return sharedSecret(settings.databaseUrl, database);
  return fileSecret(settings.dataDir);
}

/**
 * Returns whether the database was last used with another secret. What that one has sealed, the secrets of
 * webhooks and the key of notifications, cannot be read with this one.
 */
export async function isOtherSecret(database: Database, secret: string): Promise<boolean> {
  const mark = await database.one<{ value: string }>(
    "SELECT value FROM seeds WHERE name = 'secret'",
  );
  return mark !== null && mark.value !== markOf(secret);
}

/** Logs what a new secret ends. */
export async function noteSecret(database: Database, secret: string, log: Logger): Promise<void> {
  try {
    if (await isOtherSecret(database, secret))
      log.warn(
        await countSealed(database),
        'SECRET has changed, so these webhooks and subscriptions to notifications have ended: see docs/operate/runbooks.md#new-secret',
      );
    await saveSeed(database, 'secret', markOf(secret));
  } catch (error) {
    // A damaged page or a full disk does not prevent the start.
    log.warn({ err: error }, 'it is not known whether SECRET has changed');
  }
}

/** The database must not contain the secret itself. */
const markOf = (secret: string) => hashToken(`the mark of ${secret}`);

async function sharedSecret(databaseUrl: string, database: Database): Promise<string> {
  await database.run(sql`INSERT INTO seeds (name, value)
    VALUES ('codes', ${newToken()}) ON CONFLICT DO NOTHING`);
  const seed = await database.one<{ value: string }>(
    "SELECT value FROM seeds WHERE name = 'codes'",
  );
  const password = URL.canParse(databaseUrl) ? new URL(databaseUrl).password : databaseUrl;
  return createHmac('sha256', password)
    .update(seed?.value ?? '')
    .digest('base64url');
}

async function fileSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret');
  const stored = await readFile(path, 'utf8').catch(() => null);
  if (stored !== null && stored.length < SECRET_LENGTH_MIN) {
    const problem = stored === '' ? 'is empty' : 'is damaged: it is shorter than the secret that was created';
    throw new StartError(
      `DATA_DIR: ${path} ${problem}. Restore it, or delete it to create a new secret, which makes pending one-time codes invalid.`,
    );
  }
  if (stored !== null) return stored;
  const temporary = `${path}.${randomUUID()}`;
  await writeFile(temporary, newToken(), { mode: OWNER_ONLY, flush: true });
  // If two processes start together, the second link fails and both read the first one's file.
  await link(temporary, path).catch((error: unknown) => {
    if (reasonOf(error) !== 'EEXIST') throw error;
  });
  await unlink(temporary);
  return readFile(path, 'utf8');
}
