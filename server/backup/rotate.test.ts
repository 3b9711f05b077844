import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, expect, test } from 'vitest';

import { DAY_MS } from '#domain/duration.ts';
import { databaseFile } from '#server/db/data-folder.ts';
import { migrate } from '#server/db/migrate.ts';
import { openSqlite } from '#server/db/sqlite.ts';
import { newFolder } from '#tests/support/folder.ts';
import { silentLog } from '#tests/support/log.ts';

import { verifyChecksums } from './checksums.ts';
import { backUpAndRotate } from './rotate.ts';
import { openPhotosIn } from './stores.ts';
import type { Stores } from './stores.ts';

const FIRST_DAY = Date.UTC(2026, 10, 20, 3, 15);

let folder: string;
let parent: string;
let stores: Stores;
beforeEach(async () => {
  folder = newFolder();
  parent = join(folder, 'backups');
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  const settings = { dataDir, databaseUrl: null };
  stores = { settings, photos: openPhotosIn(dataDir), log: silentLog };
  await changeDatabase();
});

async function changeDatabase(sql = 'SELECT 1'): Promise<void> {
  const database = openSqlite(databaseFile(stores.settings.dataDir));
  await migrate(database);
  await database.script(sql);
  await database.close();
}

const backUpOnDay = (day: number, keep = 2) =>
  backUpAndRotate(stores, parent, { keep, now: FIRST_DAY + day * DAY_MS });
const nameOfDay = (day: number) => `tessera-2026-11-${20 + day}T03-15-00Z`;

test('rotating backup: removes the oldest complete backups beyond the number to keep, and never the new one', async () => {
  const empty = { photos: 0, missing: [], removed: [], incomplete: [] };
  expect(await backUpOnDay(0)).toEqual({ folder: join(parent, nameOfDay(0)), ...empty });
  // In the same second it gets the name of the next one.
  const second = 'tessera-2026-11-20T03-15-01Z';
  expect(await backUpOnDay(0)).toMatchObject({ folder: join(parent, second), removed: [] });
  expect((await backUpOnDay(2)).removed).toEqual([nameOfDay(0)]);
  expect((await backUpOnDay(3, 1)).removed).toEqual([second, nameOfDay(2)]);
  expect(readdirSync(parent)).toEqual([nameOfDay(3)]);
  await verifyChecksums(join(parent, nameOfDay(3)));
  // The clock was set back.
  expect((await backUpOnDay(0, 1)).removed).toEqual([nameOfDay(3)]);
  expect(readdirSync(parent)).toEqual([nameOfDay(0)]);
});

test('rotating backup: never removes what it did not make or did not complete', async () => {
  const make = (name: string, ...files: string[]) => {
    mkdirSync(join(parent, name), { recursive: true });
    for (const file of files) writeFileSync(join(parent, name, file), 'x');
  };
  const files = ['tessera.sqlite', 'SHA256SUMS'];
  make('tessera-2020-01-01T00-00-00Z', 'tessera.sqlite');
  make('tessera-2020-01-02T00-00-00Z', ...files, 'notes.txt');
  for (const name of ['before the upgrade', 'tessera-2020-01-03', 'elsewhere'])
    make(name, ...files);
  symlinkSync(join(parent, 'elsewhere'), join(parent, 'tessera-2020-01-04T00-00-00Z'));
  writeFileSync(join(parent, 'tessera-2020-01-05T00-00-00Z'), 'a file');
  const others = readdirSync(parent);
  await backUpOnDay(0, 1);
  const { removed, incomplete } = await backUpOnDay(1, 1);
  expect([removed, incomplete]).toEqual([[nameOfDay(0)], ['tessera-2020-01-01T00-00-00Z']]);
  expect(readdirSync(parent)).toEqual([...others, nameOfDay(1)].toSorted());
  expect(readdirSync(join(parent, 'elsewhere'))).toHaveLength(2);
});

test('rotating backup: a failed one removes no earlier backup and leaves nothing behind', async () => {
  await backUpOnDay(0, 1);
  await changeDatabase("INSERT INTO migrations (number, name) VALUES (999, 'tomorrow')");
  await expect(backUpOnDay(1, 1)).rejects.toThrow(
    /^The database is from a newer version \(schema 999, .*Use the version that created it\.$/,
  );
  expect(readdirSync(parent)).toEqual([nameOfDay(0)]);
  expect(existsSync(join(parent, nameOfDay(0), 'SHA256SUMS'))).toBe(true);
});
