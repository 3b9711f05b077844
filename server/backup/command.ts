import { resolve } from 'node:path';

import { openLog } from '#server/log.ts';
import { openPhotoStore } from '#server/dependencies.ts';
import { readSettings } from '#server/settings.ts';
import { StartError } from '#server/start-error.ts';

import { backUp } from './back-up.ts';
import { moveData } from './move-data.ts';
import { movePhotos } from './move-photos.ts';
import { restore } from './restore.ts';
import { openDatabase, photoFolder } from './sources.ts';

const OWNER_ONLY = 0o077;

const say = (sentence: string) => void process.stdout.write(`${sentence}\n`);

function readFolder(argument: string | undefined, command: string): string {
  if (argument) return resolve(argument);
  throw new StartError(`Name a folder: npm run ${command} -- <folder>`);
}

function openStores() {
  const settings = readSettings(process.env);
  return {
    hasBucket: settings.photoBucket !== null,
    where: settings,
    photos: openPhotoStore(settings),
    log: openLog(settings.logLevel),
  };
}

const COMMANDS: Record<string, (argument?: string) => Promise<void>> = {
  async backup(argument) {
    // Contacts and phone numbers are in it: nobody else on this machine is to read it.
    process.umask(OWNER_ONLY);
    const folder = readFolder(argument, 'backup');
    const { photos, missing } = await backUp(openStores(), folder);
    say(`Backed up to ${folder}: the database and ${photos} photo files.`);
    if (missing.length === 0) return;
    say(`${missing.length} photo files are named by cards and not in the photo store:`);
    say(missing.join('\n'));
  },

  async restore(argument) {
    const folder = readFolder(argument, 'restore');
    const photos = await restore(openStores(), folder);
    say(`Restored from ${folder}: the database and ${photos} photo files.`);
  },

  async 'move-data'() {
    const reports = await moveData(openStores());
    for (const { table, rows, added, different, sha256 } of reports) {
      const rest = different > 0 ? `, ${different} DIFFERENT` : ', every row read back the same';
      say(`${table}: ${rows} rows, ${added} added${rest} (sha256 ${sha256.slice(0, 16)})`);
    }
    if (reports.every(({ different }) => different === 0)) return say('Everything is there.');
    throw new StartError(
      'PostgreSQL holds other rows in the place of some; nothing of it was changed. Move into a database that nobody has used.',
    );
  },

  async 'move-photos'() {
    const { where, photos, log, hasBucket } = openStores();
    if (!hasBucket)
      throw new StartError('S3_BUCKET is not set: it says where the photos are to go.');
    const database = openDatabase(where, log);
    const moved = await movePhotos(database, photoFolder(where.dataDir), photos);
    await database.close();
    const { names, added, missing, different } = moved;
    say(`${names.length} photo files are named by cards, ${added} added to the bucket.`);
    const wrong = [...missing, ...different];
    if (wrong.length === 0) return say('Everything is there, every file read back the same.');
    throw new StartError(
      `${wrong.length} files are not there as they should be:\n${wrong.join('\n')}`,
    );
  },
};

const [word = '', argument] = process.argv.slice(2);

try {
  const command = COMMANDS[word];
  if (!command) throw new StartError(`One of ${Object.keys(COMMANDS).join(', ')} is needed.`);
  await command(argument);
} catch (error) {
  const sentence = error instanceof StartError ? error.message : `It failed. ${String(error)}`;
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
