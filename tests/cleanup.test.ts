import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, onTestFinished, test } from 'vitest';

import { openSqlite } from '#server/db/sqlite.ts';

import { waitUntil } from './support/polling.ts';
import { startServer } from './support/server.ts';

const ROOT = join(import.meta.dirname, '..');
const BUILD_TIMEOUT_MS = 300_000;
const LONG_AGO = new Date('2020-01-01');

beforeAll(() => {
  if (existsSync(join(ROOT, 'dist', 'server', 'main.js'))) return;
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: ROOT, stdio: 'ignore' });
}, BUILD_TIMEOUT_MS);

test('cleanup: a start of the server removes expired rows and orphaned photo files', async () => {
  const first = await startServer();
  onTestFinished(() => first.dispose());
  await first.stop();
  const database = openSqlite(join(first.dataDir, 'tessera.sqlite'));
  await database.run("INSERT INTO counters (key, count, expires_at) VALUES ('expired', 1, 0)");
  const orphan = join(first.dataDir, 'photos', 'unfinished.part');
  mkdirSync(join(first.dataDir, 'photos'), { recursive: true });
  writeFileSync(orphan, '');
  utimesSync(orphan, LONG_AGO, LONG_AGO);

  const second = await startServer({ DATA_DIR: first.dataDir });
  onTestFinished(async () => void (await second.stop('SIGKILL')));
  await waitUntil(() => !existsSync(orphan));
  await waitUntil(async () => (await database.all('SELECT key FROM counters')).length === 0);
  await database.close();
});
