import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { databaseFile } from '#server/adapter/database/data-folder.ts';
import { readSettings } from '#server/settings/settings.ts';
import { newFolder } from '#tests/support/folder.ts';
import { silentLog } from '#tests/support/log.ts';

import { diagnose } from './doctor.ts';

const NOWHERE = 'http://127.0.0.1:1';

async function examine(settings: Record<string, string>) {
  const findings = await diagnose(
    readSettings({ PUSH_TEST_ORIGIN: NOWHERE, ...settings }),
    silentLog,
  );
  return Object.fromEntries(findings.map(({ check, detail }) => [check, detail]));
}

test('doctor: says what to check if the folder is missing and the bucket does not answer', async () => {
  const DATA_DIR = join(newFolder(), 'none');
  const { disk, photos } = await examine({
    DATA_DIR,
    S3_ENDPOINT: NOWHERE,
    S3_BUCKET: 'photos',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  });
  expect(disk).toMatch(
    /^The free space of \S+none cannot be read \(ENOENT\)\. Set DATA_DIR to the data folder of the service\.$/,
  );
  expect(photos).toMatch(
    /^The photo store cannot be used \(.*ECONNREFUSED\)\. Check the bucket and the settings that start with S3_\.$/,
  );
});

test('doctor: says what to do if the database is damaged and photos cannot be written', async () => {
  const DATA_DIR = newFolder();
  writeFileSync(databaseFile(DATA_DIR), 'x'.repeat(4096));
  writeFileSync(join(DATA_DIR, 'photos'), '');
  const { database, photos } = await examine({ DATA_DIR });
  expect(database).toMatch(
    /^DATA_DIR: .* is damaged \(file is not a database\)\. Restore a backup /,
  );
  expect(photos).toMatch(
    /^The photo store cannot be used \(E.*\)\. Check the disk, the owner and the permissions of \S+photos\.$/,
  );
});
