import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { backUp } from '#server/backup/back-up.ts';
import { openPhotosIn } from '#server/backup/stores.ts';
import { databaseFile } from '#server/db/data-folder.ts';
import { migrate } from '#server/db/migrate.ts';
import { openSqlite } from '#server/db/sqlite.ts';

import { newFolder } from './support/folder.ts';
import { silentLog } from './support/log.ts';
import { DIST } from './support/server.ts';

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
    const args = [join(DIST, 'command.js'), 'restore', ...flags.split(' ').filter(Boolean), folder];
    const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: newFolder() };
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
    expect(stdout + stderr).toMatch(expected);
    expect(status).toBe(expected.source.includes('Restored') ? 0 : 1);
  }
});
