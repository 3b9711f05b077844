import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { backUp } from '#server/backup/back-up.ts';
import { openPhotosIn } from '#server/backup/stores.ts';
import { databaseFile } from '#server/db/data-folder.ts';
import { readBackupTime } from '#server/db/backup-time.ts';
import { SCHEMA_VERSION, migrate } from '#server/db/migrate.ts';
import { openSqlite } from '#server/db/sqlite.ts';

import { newFolder } from './support/folder.ts';
import { silentLog } from './support/log.ts';
import { DIST } from './support/server.ts';

/** Without a terminal, for a backup of an empty database. */
const CHECKED = 'Checksums: 0 of 1 files, 0 %\nChecksums: 1 of 1 files, 100 %, 0s left\n';

function runCommand(dataDir: string, ...args: string[]) {
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir };
  const program = [join(DIST, 'command.js'), ...args];
  return spawnSync(process.execPath, program, { env, encoding: 'utf8' });
}

test('npm run backup: shows its progress as lines on standard error, and the database has its time', async () => {
  const dataDir = newFolder();
  const database = openSqlite(databaseFile(dataDir));
  await migrate(database);
  await database.run("INSERT INTO seeds (name, value) VALUES ('a', 'b'), ('c', 'd')");
  const startedAt = Date.now();
  const { stdout, stderr } = runCommand(dataDir, 'backup', join(newFolder(), 'backup'));
  const rows = `${2 + SCHEMA_VERSION} rows`;
  const copied = `Database: 0 of ${rows}, 0 %\nDatabase: ${2 + SCHEMA_VERSION} of ${rows}, 100 %, 0s left\n`;
  expect(stderr).toBe(copied + CHECKED);
  expect(stdout).toMatch(/^Backed up to .*\n$/);
  expect(await readBackupTime(database)).toBeGreaterThanOrEqual(startedAt);
  await database.close();
});

test('npm run restore: without a flag it stops, and it says what is not known of the present database', async () => {
  const present = newFolder();
  const settings = { dataDir: present, databaseUrl: null };
  const database = openSqlite(databaseFile(present));
  await migrate(database);
  const folder = join(newFolder(), 'backup');
  await backUp({ settings, photos: openPhotosIn(present), log: silentLog }, folder);
  // As the previous version has left it.
  await database.run('DROP TABLE removed_contacts');
  await database.close();
  const outputs = {
    '': /^Nothing was restored: /,
    [`--present ${newFolder()}`]: /^--present: .* cannot be read .* use --bring-back instead\.\n$/,
    [`--present ${newFolder()} --bring-back`]:
      /^Restored .*\nThe present database does not open: what was removed since the backup is back\.\n$/,
    '--present postgres://127.0.0.1:1/none --bring-back': /^Restored .*\nThe present /,
    '--bring-back': /^Restored .*\n$/,
    [`--present ${present}`]:
      /^Restored .*\nNot brought back: 0 removed accounts\. Deleted contacts cannot be known: .* 0 accounts keep /,
  };
  for (const [flags, expected] of Object.entries(outputs)) {
    const args = ['restore', ...flags.split(' ').filter(Boolean), folder];
    const { stdout, stderr, status } = runCommand(newFolder(), ...args);
    expect(stdout + stderr.replace(CHECKED, '')).toMatch(expected);
    expect(status).toBe(expected.source.includes('Restored') ? 0 : 1);
  }
});
