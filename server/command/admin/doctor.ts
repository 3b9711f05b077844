import { join } from 'node:path';

import type { Logger } from 'pino';

import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/duration.ts';
import { systemClock } from '#server/clock.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { toDamagedError, toStartError } from '#server/adapter/database/connect.ts';
import { databaseFile, findRejectedStart } from '#server/adapter/database/data-folder.ts';
import { findClockJump } from '#server/adapter/database/clock-guard.ts';
import { isOtherSecret } from '#server/adapter/data/secret.ts';
import {
  countSealed,
  findDamage,
  readOverdueMs,
  readSeedTime,
  tryWrite,
} from '#server/adapter/database/statistics.ts';
import { createDecoder } from '#server/adapter/image/decoder.ts';
import { settingWarnings } from '#server/settings/conflicts.ts';
import type { Settings } from '#server/settings/settings.ts';
import { StartError, causeOf } from '#server/start-error.ts';
import { VERSION } from '#server/version.ts';
import { AdminError, withAdminContext } from './context.ts';
import type { AdminContext } from './context.ts';
import { findPostgresDamage } from './store.ts';
import { checkClock, checkPublicUrl, failed, ok, request, warning } from './site-check.ts';
import type { Finding, Result } from './site-check.ts';
import { checkDisk, checkPhotoStore, messageOf } from './storage-check.ts';
import { checkSignIn } from './test-code.ts';

/** The alert TesseraBackupOld has the same limit. */
const BACKUP_AGE_MS_MAX = 2 * DAY_MS;
/** The alert TesseraQueueStuck has the same limit. */
const OVERDUE_MS_MAX = 15 * MINUTE_MS;
/** No check changes anything, so nobody is recorded or asked. */
const NOBODY = { actor: '', confirm: async () => undefined, fail: () => undefined };
/** Chrome's push service. Any push service shows whether this machine may send requests out. */
const PUSH_SERVICE = 'https://fcm.googleapis.com';

/** Returns one finding for each part of the service, whether or not it runs (docs/operate/admin.md#admin). */
export async function diagnose(settings: Settings, log: Logger): Promise<readonly Finding[]> {
  const [site, push, stored] = await Promise.all([
    checkPublicUrl(settings.publicUrl),
    checkPush(settings),
    checkStored({ settings, log }),
  ]);
  const results: Readonly<Record<string, Result>> = {
    version: ok(`This is Tessera ${VERSION}.`),
    settings: checkSettings(settings),
    PUBLIC_URL: site.publicUrl,
    TRUST_PROXY: site.proxy,
    clock: checkClock(push.time ?? stored.time, stored.clockJump),
    disk: await checkDisk(settings.dataDir),
    folder: await checkFolder(settings.dataDir),
    database: stored.database,
    photos: await checkPhotoStore(settings),
    pictures: await checkPictures(),
    gateway: await checkGateway(settings),
    push: push.result,
    queue: stored.queue,
    SECRET: stored.secret,
    backup: stored.backup,
  };
  return Object.entries(results).map(([check, result]) => ({ check, ...result }));
}

/** Decodes in a process like that of the service. */
async function checkPictures(): Promise<Result> {
  const decoder = createDecoder(join(import.meta.dirname, 'decode-worker.js'));
  const why = await decoder.check();
  decoder.close();
  const advice =
    'No photo can be accepted and no preview picture made. Install the packages again on this machine (npm ci), and check that sharp supports its processor.';
  return why === null ? ok('A picture was decoded.') : failed(`${advice} ${why}`);
}

function checkSettings(settings: Settings): Result {
  const warnings = settingWarnings(settings);
  return warnings.length === 0 ? ok('Every setting is valid.') : warning(warnings.join(' '));
}

async function checkPush({ pushTestOrigin }: Settings) {
  const origin = pushTestOrigin ?? PUSH_SERVICE;
  try {
    const { headers } = await request(origin, 'HEAD');
    return { result: ok(`${origin} answers.`), time: Date.parse(headers.get('date') ?? '') };
  } catch (error) {
    const detail = `${origin} does not answer (${causeOf(error)}), so owners get no notifications. Allow outgoing https.`;
    return { result: warning(detail), time: undefined };
  }
}

async function checkFolder(dataDir: string): Promise<Result> {
  const rejected = await findRejectedStart(dataDir, systemClock.now());
  return rejected === null
    ? ok('No second process has tried to use the data folder in the last 15 minutes.')
    : failed(`${rejected} See docs/operate/runbooks.md#two-processes-on-one-folder.`);
}

async function checkStored({ settings, log }: { settings: Settings; log: Logger }) {
  try {
    return await withAdminContext({ settings, log, ...NOBODY }, readStored);
  } catch (error) {
    return {
      database: failed(explainDatabaseError(settings, error)),
      secret: warning('The secret cannot be compared without the database.'),
      backup: warning('The age of the last backup is unknown without the database.'),
      queue: warning('The waiting messages are unknown without the database.'),
      clockJump: null,
      time: undefined,
    };
  }
}

function explainDatabaseError({ databaseUrl, dataDir }: Settings, error: unknown): string {
  if (error instanceof AdminError) return error.message;
  const explained =
    databaseUrl === null ? toDamagedError(error, databaseFile(dataDir)) : toStartError(error);
  if (explained instanceof StartError) return explained.message;
  return `The database cannot be used (${messageOf(error)}). See docs/operate/runbooks.md#nothing-is-saved.`;
}

async function readStored({ database, settings }: AdminContext) {
  const startedAt = performance.now();
  const row = await database.one<{ time: number }>(
    database.kind === 'postgres'
      ? 'SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS time'
      : 'SELECT NULL AS time',
  );
  const ms = Math.ceil(performance.now() - startedAt);
  const name = database.kind === 'postgres' ? 'PostgreSQL' : 'The embedded database';
  const damage =
    database.kind === 'postgres'
      ? await findPostgresDamage(database)
      : await findDamage(settings.dataDir);
  // No other check could rely on what it reads from a damaged file.
  if (damage !== null)
    throw new AdminError(
      `${name} is damaged (${damage}). See docs/operate/runbooks.md#restore-at-night.`,
    );
  return {
    database: await checkWrite(database, `${name} answers in ${ms} ms`),
    secret: await checkSecret(database, settings.secret),
    backup: checkBackup(await readSeedTime(database, 'backup')),
    queue: await checkQueue(database),
    clockJump: await findClockJump(database, systemClock.now()),
    time: row?.time ?? undefined,
  };
}

async function checkQueue(database: Database): Promise<Result> {
  const overdue = Object.entries(await readOverdueMs(database, systemClock.now()));
  const late = overdue.filter(([, ms]) => ms > OVERDUE_MS_MAX);
  if (late.length === 0) return ok('No message has waited for long.');
  const detail = late.map(([name, ms]) => `${name} for ${Math.round(ms / MINUTE_MS)} minutes`);
  return failed(
    `Messages have waited although they could be sent: ${detail.join(', ')}. See docs/operate/runbooks.md#a-queue-does-not-empty.`,
  );
}

async function checkWrite(database: Database, answers: string): Promise<Result> {
  try {
    await tryWrite(database, systemClock.now());
    return ok(`${answers}.`);
  } catch (error) {
    return failed(
      `${answers}, but nothing can be saved (${messageOf(error)}). See docs/operate/runbooks.md#nothing-is-saved.`,
    );
  }
}

async function checkSecret(database: Database, secret: string | null): Promise<Result> {
  if (secret === null) return ok('The service keeps a secret of its own.');
  if (!(await isOtherSecret(database, secret))) return ok('It is the secret of the last start.');
  const { webhooks, subscriptions } = await countSealed(database);
  return warning(
    `It is not the secret of the last start. The next start with it ends ${webhooks} webhooks and ${subscriptions} subscriptions to notifications. See docs/operate/runbooks.md#new-secret.`,
  );
}

function checkBackup(time: number | null): Result {
  if (time === null)
    return warning(
      'No backup was made yet. Make one with npm run backup (docs/operate/backup.md).',
    );
  const age = systemClock.now() - time;
  const detail = `The last backup is ${Math.round(age / HOUR_MS)} hours old.`;
  return age > BACKUP_AGE_MS_MAX
    ? failed(`${detail} See docs/operate/runbooks.md#the-backup-is-old.`)
    : ok(detail);
}

async function checkGateway(settings: Settings): Promise<Result> {
  const { otpProvider } = settings;
  if (otpProvider === 'otpless' || otpProvider === 'msg91')
    return ok(`${otpProvider} sends the codes.`);
  const { gateways } = await checkSignIn({ settings, clock: systemClock });
  if (gateways.length === 0)
    return ok(
      'The gateway can be tested only by sending a message: npm run admin -- send-test-code <phone>',
    );
  const details = gateways.map(({ gateway, meaning }) => `${gateway}: ${meaning}`);
  const isAccepted = gateways.every(({ outcome }) => outcome === 'accepted');
  return { state: isAccepted ? 'ok' : 'failed', detail: details.join(' ') };
}
