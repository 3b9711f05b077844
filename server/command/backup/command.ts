import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';

import { saveBackupTime } from '#server/adapter/database/backup-time.ts';
import { integer } from '#server/settings/schema.ts';
import { openLog } from '#server/http/log/log.ts';
import { openPhotoStore } from '#server/dependencies.ts';
import { setPrivateUmask } from '#server/adapter/data/private-files.ts';
import { readSettings } from '#server/settings/settings.ts';
import { StartError } from '#server/start-error.ts';

import { backUp } from './back-up.ts';
import { moveData } from './move-data.ts';
import { movePhotos } from './copy-photos.ts';
import { presentError } from './present.ts';
import { showProgress } from './progress.ts';
import { restore } from './restore.ts';
import { backUpAndRotate } from './rotate.ts';
import { openWithoutMigration, openPhotosIn } from './stores.ts';
import type { Stores } from './stores.ts';

const print = (line: string) => void process.stdout.write(`${line}\n`);

function readFolder(argument: string | undefined, command: string): string {
  if (argument) return resolve(argument);
  throw new StartError(`Name a folder: npm run ${command} -- <folder>`);
}

/** The number of backups that remain. */
const KEEP = integer(1, 9999);

/** Throws StartError with the usage. */
function parseArguments<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
  usage: string,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch {
    throw new StartError(`Use: npm run ${usage} <folder>`);
  }
}

/** Reads `[--keep <number>] <folder>`. */
function readBackupArguments(args: readonly string[]): { folder: string; keep: number | null } {
  const options = { keep: { type: 'string' } } as const;
  const { values, positionals } = parseArguments(args, options, 'backup -- [--keep <number>]');
  const folder = readFolder(positionals[0], 'backup');
  if (values.keep === undefined) return { folder, keep: null };
  const { data: keep, error } = KEEP.safeParse(values.keep);
  if (!error) return { folder, keep };
  throw new StartError(`--keep ${error.issues[0]?.message ?? 'is not valid'}.`);
}

function openStores() {
  const settings = readSettings(process.env);
  return {
    hasBucket: settings.photoBucket !== null,
    settings,
    photos: openPhotoStore(settings),
    log: openLog(settings.logLevel, settings.nodeName).log,
    runStep: showProgress(process.stderr),
  };
}

/** The account of a backup may only read the database. */
async function saveTime({ settings, log }: Stores): Promise<void> {
  const database = openWithoutMigration(settings, log);
  try {
    await saveBackupTime(database, Date.now());
  } catch (error) {
    process.stderr.write(`The time of the backup was not saved. ${String(error)}\n`);
  } finally {
    await database.close();
  }
}

function printNames(sentence: string, names: readonly string[]): void {
  if (names.length > 0) print(`${sentence} ${names.join(', ')}`);
}

const COMMANDS: Record<string, (...args: string[]) => Promise<void>> = {
  async backup(...args) {
    const { folder, keep } = readBackupArguments(args);
    const stores = openStores();
    const result =
      keep === null
        ? { ...(await backUp(stores, folder)), folder, removed: [], incomplete: [] }
        : await backUpAndRotate(stores, folder, { keep, now: Date.now() });
    await saveTime(stores);
    const { photos, missing } = result;
    print(`Backed up to ${result.folder}: the database and ${photos} photo files.`);
    printNames('Removed older backups:', result.removed);
    printNames('Incomplete backups, not removed:', result.incomplete);
    if (missing.length === 0) return;
    print(
      `${missing.length} photo files are missing in the photo store, although cards refer to them:`,
    );
    print(missing.join('\n'));
  },

  async restore(...args) {
    const flags = { present: { type: 'string' }, 'bring-back': { type: 'boolean' } } as const;
    const usage = 'restore -- (--present <folder or postgres URL> | --bring-back)';
    const { values, positionals } = parseArguments(args, flags, usage);
    const folder = readFolder(positionals[0], 'restore');
    const { present: target, 'bring-back': mayBeLost = false } = values;
    if (!target && !mayBeLost) throw presentError();
    const options = target ? { target, mayBeLost } : null;
    const { photos, present } = await restore(openStores(), folder, options);
    print(`Restored from ${folder}: the database and ${photos} photo files.`);
    if (target && present === null)
      print('The present database does not open: what was removed since the backup is back.');
    if (present === null) return;
    const { removedAccounts, removedContacts, changedAccounts } = present;
    const contacts =
      removedContacts === null
        ? '. Deleted contacts cannot be known: the present database is of an older version.'
        : ` and ${removedContacts} deleted contacts.`;
    print(
      `Not brought back: ${removedAccounts} removed accounts${contacts} ${changedAccounts} accounts keep their present login phone or block.`,
    );
  },

  async 'move-data'() {
    const results = await moveData(openStores());
    for (const { table, rows, added, different, sha256 } of results) {
      const result = different > 0 ? `, ${different} DIFFERENT` : ', all rows verified';
      print(`${table}: ${rows} rows, ${added} added${result} (sha256 ${sha256.slice(0, 16)})`);
    }
    if (results.every(({ different }) => different === 0)) return print('All rows were copied.');
    throw new StartError(
      'Some rows exist in PostgreSQL with other content. They were not changed. Use an empty database.',
    );
  },

  async 'move-photos'() {
    const { settings, photos, log, hasBucket } = openStores();
    if (!hasBucket) throw new StartError('S3_BUCKET is not set. Set it to the target bucket.');
    const database = openWithoutMigration(settings, log);
    const moved = await movePhotos(database, openPhotosIn(settings.dataDir), photos);
    await database.close();
    const { names, added, missing, different } = moved;
    print(`Cards refer to ${names.length} photo files. ${added} were added to the bucket.`);
    const failed = [...missing, ...different];
    if (failed.length === 0) return print('All photos were copied and verified.');
    throw new StartError(
      `${failed.length} files are missing or different in the bucket:\n${failed.join('\n')}`,
    );
  },
};

const [name = '', ...args] = process.argv.slice(2);

try {
  const command = COMMANDS[name];
  // A backup and a restored database have contacts and phone numbers.
  setPrivateUmask();
  if (!command)
    throw new StartError(`Unknown command. Use one of: ${Object.keys(COMMANDS).join(', ')}.`);
  await command(...args);
} catch (error) {
  const message =
    error instanceof StartError ? error.message : `The command failed. ${String(error)}`;
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
