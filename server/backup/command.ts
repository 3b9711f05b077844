import { resolve } from 'node:path';

import { openLog } from '#server/log.ts';
import { openPhotoStore } from '#server/dependencies.ts';
import { createFilesPrivately } from '#server/private-files.ts';
import { readSettings } from '#server/settings.ts';
import { StartError } from '#server/start-error.ts';

import { backUp } from './back-up.ts';
import { moveData } from './move-data.ts';
import { movePhotos } from './copy-photos.ts';
import { restore } from './restore.ts';
import { openDatabase, photoFolder } from './stores.ts';

const print = (line: string) => void process.stdout.write(`${line}\n`);

function readFolder(argument: string | undefined, command: string): string {
  if (argument) return resolve(argument);
  throw new StartError(`Name a folder: npm run ${command} -- <folder>`);
}

function openStores() {
  const settings = readSettings(process.env);
  return {
    hasBucket: settings.photoBucket !== null,
    settings,
    photos: openPhotoStore(settings),
    log: openLog(settings.logLevel, settings.nodeName).log,
  };
}

const COMMANDS: Record<string, (argument?: string) => Promise<void>> = {
  async backup(argument) {
    const folder = readFolder(argument, 'backup');
    const { photos, missing } = await backUp(openStores(), folder);
    print(`Backed up to ${folder}: the database and ${photos} photo files.`);
    if (missing.length === 0) return;
    print(`${missing.length} photo files are named by cards and not in the photo store:`);
    print(missing.join('\n'));
  },

  async restore(argument) {
    const folder = readFolder(argument, 'restore');
    const photos = await restore(openStores(), folder);
    print(`Restored from ${folder}: the database and ${photos} photo files.`);
  },

  async 'move-data'() {
    const results = await moveData(openStores());
    for (const { table, rows, added, different, sha256 } of results) {
      const result = different > 0 ? `, ${different} DIFFERENT` : ', every row read back the same';
      print(`${table}: ${rows} rows, ${added} added${result} (sha256 ${sha256.slice(0, 16)})`);
    }
    if (results.every(({ different }) => different === 0)) return print('Everything is there.');
    throw new StartError(
      'PostgreSQL holds other rows in the place of some; nothing of it was changed. Move into a database that nobody has used.',
    );
  },

  async 'move-photos'() {
    const { settings, photos, log, hasBucket } = openStores();
    if (!hasBucket)
      throw new StartError('S3_BUCKET is not set: it says where the photos are to go.');
    const database = openDatabase(settings, log);
    const moved = await movePhotos(database, photoFolder(settings.dataDir), photos);
    await database.close();
    const { names, added, missing, different } = moved;
    print(`${names.length} photo files are named by cards, ${added} added to the bucket.`);
    const failed = [...missing, ...different];
    if (failed.length === 0) return print('Everything is there, every file read back the same.');
    throw new StartError(
      `${failed.length} files are not there as they should be:\n${failed.join('\n')}`,
    );
  },
};

const [name = '', argument] = process.argv.slice(2);

try {
  const command = COMMANDS[name];
  // A backup and a restored database have contacts and phone numbers.
  createFilesPrivately();
  if (!command) throw new StartError(`One of ${Object.keys(COMMANDS).join(', ')} is needed.`);
  await command(argument);
} catch (error) {
  const message = error instanceof StartError ? error.message : `It failed. ${String(error)}`;
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
