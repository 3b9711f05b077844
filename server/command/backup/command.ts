import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';

import { saveBackupTime } from '#server/adapter/database/backup-time.ts';
import { databaseFile } from '#server/adapter/database/data-folder.ts';
import { openSqlite } from '#server/adapter/database/sqlite.ts';
import { integer } from '#server/settings/schema.ts';
import { openLog } from '#server/http/log/log.ts';
import { openPhotoStore } from '#server/dependencies.ts';
import { setPrivateUmask } from '#server/adapter/data/private-files.ts';
import { readSettings } from '#server/settings/settings.ts';
import { StartError } from '#server/start-error.ts';

import { backUp, backUpAndRemoveOlder } from './back-up.ts';
import { presentError } from './present.ts';
import { moveData, restore } from './restore.ts';
import { openPostgresForCopy } from './stores.ts';
import type { Stores } from './stores.ts';

const print = (line: string) => void process.stdout.write(`${line}\n`);

/** The number of backups that remain. */
const KEEP = integer(1, 9999);

/** Returns the folder and the values of options. Throws StartError with the usage. */
function readArguments<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
  usage: string,
) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
    });
    const [folder, ...others] = positionals;
    if (folder && others.length === 0) return { values, folder: resolve(folder) };
  } catch {
    // An unknown option.
  }
  throw new StartError(`Use: npm run ${usage} <folder>`);
}

function readKeep(text: string): number {
  const { data: keep, error } = KEEP.safeParse(text);
  if (!error) return keep;
  throw new StartError(`--keep ${error.issues[0]?.message ?? 'is not valid'}.`);
}

function openStores() {
  const settings = readSettings(process.env);
  const { log } = openLog(settings.logLevel, settings.nodeName);
  return { settings, photos: openPhotoStore(settings), log, print };
}

/** The account of a backup may only read the database. */
async function saveTime({ settings: { dataDir, databaseUrl }, log }: Stores): Promise<void> {
  const database =
    databaseUrl === null
      ? openSqlite(databaseFile(dataDir))
      : openPostgresForCopy(databaseUrl, log);
  try {
    await saveBackupTime(database, Date.now());
  } catch (error) {
    process.stderr.write(`The time of the backup was not saved. ${String(error)}\n`);
  } finally {
    await database.close();
  }
}

const COMMANDS: Record<string, (...args: string[]) => Promise<void>> = {
  async backup(...args) {
    const options = { keep: { type: 'string' } } as const;
    const usage = 'backup -- [--keep <number>]';
    const { values, folder } = readArguments(args, options, usage);
    const stores = openStores();
    const result =
      values.keep === undefined
        ? { ...(await backUp(stores, folder)), folder, removed: [] }
        : await backUpAndRemoveOlder(stores, folder, {
            keep: readKeep(values.keep),
            now: new Date(),
          });
    await saveTime(stores);
    const { photos, missing, removed } = result;
    print(`Backed up to ${result.folder}: the database and ${photos} photo files.`);
    if (removed.length > 0) print(`Removed older backups: ${removed.join(', ')}`);
    if (missing.length === 0) return;
    print(
      `${missing.length} photo files are missing in the photo store, although cards refer to them:`,
    );
    print(missing.join('\n'));
  },

  async restore(...args) {
    const flags = { present: { type: 'string' }, 'bring-back': { type: 'boolean' } } as const;
    const usage = 'restore -- (--present <folder or postgres URL> | --bring-back)';
    const { values, folder } = readArguments(args, flags, usage);
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
    const counts = await moveData(openStores());
    for (const [table, rows] of counts) print(`${table}: ${rows} rows`);
    print('All rows were copied.');
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
