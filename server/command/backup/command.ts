import { constants, setPriority } from 'node:os';
import { resolve } from 'node:path';

import { Command, InvalidArgumentError } from 'commander';

import { SECOND_MS } from '#domain/duration.ts';
import { saveBackupTime } from '#server/adapter/database/statistics.ts';
import { withDatabase } from '#server/command/connect.ts';
import { openLog } from '#server/http/log/log.ts';
import { openPhotoStore } from '#server/dependencies.ts';
import { setPrivateUmask } from '#server/adapter/data/private-files.ts';
import { readSettings } from '#server/settings/settings.ts';
import { StartError, causeNote } from '#server/start-error.ts';

import { backUp, backUpAndRemoveOlder } from './back-up.ts';
import { presentError } from './present.ts';
import { moveData, restore } from './restore.ts';
import type { Step, Stores } from './copy.ts';

const print = (line: string) => void process.stdout.write(`${line}\n`);

const PROGRESS_EVERY_MS = 5 * SECOND_MS;
const INTERRUPTED = 130;
const DISK_FULL = /disk is full|ENOSPC/;
let isInterrupted = false;
let printAt = performance.now() + PROGRESS_EVERY_MS;

/** Prints what was done from time to time, and ends the work after Ctrl-C, so that nothing is left half done. */
const step: Step = (what, done) => {
  if (isInterrupted)
    throw new StartError('Interrupted. Nothing was kept, so you can run it again.');
  if (performance.now() < printAt) return;
  printAt = performance.now() + PROGRESS_EVERY_MS;
  print(`  ${what}: ${done}`);
};

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (isInterrupted) process.exit(INTERRUPTED);
    isInterrupted = true;
  });

const toPath = (folder: string) => resolve(folder);

function toCount(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 to 9999.');
}

function openStores() {
  const settings = readSettings(process.env);
  const { log } = openLog(settings.logLevel, settings.nodeName);
  return { settings, photos: openPhotoStore(settings), log, print, step };
}

/** Only warns if this fails, because the account of a backup may have no permission to write. */
async function saveTime({ settings, log }: Stores): Promise<void> {
  await withDatabase(settings, log, (database) => saveBackupTime(database, Date.now())).catch(
    (error: unknown) => {
      process.stderr.write(
        `The backup is complete, but its time was not saved, so doctor and the metrics do not know it. ${String(error)}\n`,
      );
    },
  );
}

const program = new Command('tessera')
  .description('Copy the data of the service. Run the commands with the settings of the service.')
  .showHelpAfterError();

program
  .command('backup')
  .description(
    'Copy the database and the photos into a new or empty folder, even while the service runs.',
  )
  .argument('<folder>', 'The folder of the backup. With --keep, the folder of all backups.', toPath)
  .option(
    '--keep <number>',
    'Make the backup in a dated folder, and remove the oldest backups beyond this number.',
    toCount,
  )
  .action(async (folder: string, { keep }: { readonly keep?: number }) => {
    // A low priority lets the requests of a service on the same machine go first.
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
    const stores = openStores();
    const result =
      keep === undefined
        ? { ...(await backUp(stores, folder)), folder, removed: [] }
        : await backUpAndRemoveOlder(stores, folder, { keep, now: new Date() });
    await saveTime(stores);
    const { photos, missing, removed } = result;
    print(`Backed up to ${result.folder}: the database and ${photos} photo files.`);
    if (removed.length > 0) print(`Removed older backups: ${removed.join(', ')}`);
    if (missing.length === 0) return;
    print(
      `${missing.length} photo files are missing in the photo store, although cards refer to them:`,
    );
    print(missing.join('\n'));
  });

interface RestoreOptions {
  readonly present?: string;
  readonly bringBack?: boolean;
}

program
  .command('restore')
  .description('Fill an empty data folder or database and an empty photo store from a backup.')
  .argument('<folder>', 'The folder of the backup.', toPath)
  .option('--present <database>', 'Name what the backup replaces: a data folder or a postgres URL.')
  .option('--bring-back', 'Accept that what was removed since the backup comes back.')
  .action(
    async (folder: string, { present: target, bringBack: mayBeLost = false }: RestoreOptions) => {
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
  );

program
  .command('move-data')
  .description('Copy the embedded database into an empty PostgreSQL database.')
  .action(async () => {
    const counts = await moveData(openStores());
    for (const [table, rows] of counts) print(`${table}: ${rows} rows`);
    print('All rows were copied.');
  });

try {
  // Backups and restored databases contain contacts and phone numbers.
  setPrivateUmask();
  await program.parseAsync();
} catch (error) {
  const text = `${String(error)}${causeNote(error)}`;
  const advice = DISK_FULL.test(text)
    ? ' The disk of the target or of DATA_DIR is full (df -h shows which). Free space, and run the command again.'
    : '';
  const message =
    error instanceof StartError ? error.message : `The command failed. ${text}${advice}`;
  process.stderr.write(`${message}\n`);
  process.exitCode = isInterrupted ? INTERRUPTED : 1;
}
