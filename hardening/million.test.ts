import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { DatabaseSync } from '@photostructure/sqlite';
import { expect, onTestFinished, test } from 'vitest';

import { photoPath } from '#domain/photo.ts';
import { databaseFile } from '#server/adapter/database/data-folder.ts';
import { photoFileNames } from '#server/adapter/storage/photo-store.ts';
import { readNumber } from '#tests/support/environment-number.ts';
import { newFolder } from '#tests/support/folder.ts';
import { administer, databaseUrl, startCluster } from '#tests/support/postgres.ts';
import { print } from '#tests/support/print.ts';
import { DIST, startServer } from '#tests/support/server.ts';
import type { RunningServer } from '#tests/support/server.ts';

// Every command of an operator on many cards, with its time, its memory, and how long a card takes meanwhile.
// `npm run hardening -- million` has a million cards.

const CARDS = readNumber('HARDENING_CARDS', 20_000);
const PHOTOS = Math.ceil(CARDS / 500);
const IMPORTED = Math.min(10_000, CARDS);
const CONTACTS_OF_ONE = Math.ceil(CARDS / 25);
const MEMORY_MB_MAX = 500;
const PAUSE_MS = 20;
const FIRST_PHONE = 9_000_000_000;
const PHOTO_BYTES = 20_000;

/** Ids have 16 characters and no 0. */
const idOf = (number: number) => String(1_000_000_000_000_000 + number).replaceAll('0', 'z');
const ID = "replace(CAST(1000000000000000 + n AS TEXT), '0', 'z')";
const photoOf = (number: number) => photoPath(`${idOf(number)}-${'a'.repeat(32)}`);

/** The rows as SQL that both databases read. `numbers` has the column n. */
const fillSql = (numbers: string, time: number) => `
  INSERT INTO users (id, login_phone, name, designation, company_name, bio, phone, email, social_media_handles,
      profile_photo, created_at, updated_at)
    SELECT ${ID}, '+91' || (${FIRST_PHONE} + n), 'Asha Rao ' || n, 'Principal Architect', 'Rao & Partners',
      'Houses that keep cool without machines. Bengaluru, Pune and the hills between.', '+91 98765 43210',
      'asha@rao.example', '{"Whatsapp":"9876543210","Web":"https://web.example/asha"}',
      CASE WHEN n <= ${PHOTOS} THEN '/photos/' || ${ID} || '-${'a'.repeat(32)}' ELSE '' END, ${time}, ${time}
    FROM ${numbers};
  INSERT INTO sessions (token_hash, user_id, created_at, used_at, expires_at)
    SELECT ${ID} || 'session', ${ID}, ${time}, ${time}, ${time + 1e10} FROM ${numbers};
  INSERT INTO contacts (id, user_id, name, mobile, email, company_name, created_at, search)
    SELECT '${String(time).padStart(9, '0')}' || n, CASE WHEN n <= ${CONTACTS_OF_ONE} THEN '${idOf(1)}' ELSE ${ID} END,
      'Ravi ' || n, '+9198' || (10000000 + n), 'ravi@kumar.example', 'Kumar Steel', ${time}, 'ravi' FROM ${numbers};`;

async function fillSqlite(dataDir: string): Promise<void> {
  await (await startServer({ DATA_DIR: dataDir })).stop();
  const database = new DatabaseSync(databaseFile(dataDir));
  database.exec(
    'PRAGMA synchronous = OFF; PRAGMA cache_size = -300000; CREATE TABLE numbers (n INTEGER)',
  );
  database.exec(`INSERT INTO numbers WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL
    SELECT n + 1 FROM number WHERE n < ${CARDS}) SELECT n FROM number`);
  database.exec(`${fillSql('numbers', Date.now())} DROP TABLE numbers`);
  database.close();
}

function writePhotos(dataDir: string): void {
  const folder = join(dataDir, 'photos');
  mkdirSync(folder, { recursive: true });
  const bytes = Buffer.alloc(PHOTO_BYTES, 'a');
  for (let number = 1; number <= PHOTOS; number += 1)
    for (const name of photoFileNames(photoOf(number))) writeFileSync(join(folder, name), bytes);
}

interface Row {
  readonly command: string;
  readonly seconds: number;
  readonly memoryMb: number;
  readonly cardP99Ms: number;
  readonly printed: string;
}

/** Opens other cards in turn, and returns how long 99 % of them took at most. */
function startReading({ origin }: RunningServer) {
  const durations: number[] = [];
  const stopped = new AbortController();
  const done = (async () => {
    for (let number = 1; !stopped.signal.aborted; number = 1 + ((number * 7919) % CARDS)) {
      const startedAt = performance.now();
      const { status } = await fetch(`${origin}/user/${idOf(number)}`);
      if (status !== 200) throw new Error(`A card answers ${status}.`);
      durations.push(performance.now() - startedAt);
      await pause(PAUSE_MS);
    }
  })();
  return async () => {
    stopped.abort();
    await done;
    return durations.toSorted((one, two) => one - two)[Math.floor(durations.length * 0.99)] ?? NaN;
  };
}

const peakMb = (pid: number) => {
  try {
    return (
      Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
    );
  } catch {
    return 0;
  }
};

async function measure(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  service?: RunningServer,
): Promise<Row> {
  const stopReading = service && startReading(service);
  const startedAt = performance.now();
  const isAdmin = !['backup', 'restore', 'move-data'].includes(args[0] ?? '');
  const program = join(DIST, isAdmin ? 'admin.js' : 'command.js');
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve));
  let memoryMb = 0;
  const timer = setInterval(
    () => (memoryMb = Math.max(memoryMb, peakMb(child.pid ?? 0))),
    PAUSE_MS,
  );
  const code = await exited;
  clearInterval(timer);
  const seconds = (performance.now() - startedAt) / 1000;
  expect([args, code, code === 0 ? '' : output.slice(-1000)]).toEqual([args, 0, '']);
  const [printed = ''] = output.trim().split('\n').slice(-1);
  const command = args.map((one) => one.replace(/^(?:\/|postgres:).*/, '…')).join(' ');
  return { command, seconds, memoryMb, cardP99Ms: (await stopReading?.()) ?? NaN, printed };
}

/** Prints each row at once, because a later command may fail. */
function printRow({ command, seconds, memoryMb, cardP99Ms, printed }: Row): void {
  const p99 = Number.isNaN(cardP99Ms) ? 'stopped' : cardP99Ms.toFixed(0);
  print(
    `| ${command} | ${seconds.toFixed(1)} | ${memoryMb.toFixed(0)} | ${p99} | ${printed.slice(0, 60)} |`,
  );
  expect([command, memoryMb > MEMORY_MB_MAX]).toEqual([command, false]);
}

function printTitle(title: string): void {
  print(`${title}, ${CARDS.toLocaleString('en')} cards, ${PHOTOS * 6} photo files`);
  print('| command | seconds | memory, MB | card p99, ms | printed |');
  print('| --- | --- | --- | --- | --- |');
}

/** Runs the commands beside a service, then a restore of its backup. `empty` is where it is restored. */
async function runCommands(
  title: string,
  env: Record<string, string>,
  empty: Record<string, string>,
) {
  printTitle(title);
  const startedAt = performance.now();
  let service = await startServer(env);
  onTestFinished(async () => void (await service.stop()));
  const startSeconds = (performance.now() - startedAt) / 1000;
  const quiet = startReading(service);
  await pause(5000);
  const started = { command: 'start', memoryMb: 0, printed: 'the service is quiet' };
  printRow({ ...started, seconds: startSeconds, cardP99Ms: await quiet() });
  const folder = newFolder();
  const people = join(folder, 'people.csv');
  const lines = Array.from({ length: IMPORTED }, (_, n) => `+91${8_000_000_000 + n},Ravi ${n}`);
  writeFileSync(people, `phone,name\n${lines.join('\n')}\n`);
  const backup = join(folder, 'backup');
  const middle = Math.ceil(CARDS / 2);
  for (const args of [
    ['stats'],
    ['find', idOf(middle)],
    ['find', `+91${FIRST_PHONE + middle}`],
    ['find', 'Asha Rao 7'],
    ['find', '*rao 77'],
    ['show', idOf(1), '--contacts'],
    ['photos', '--check'],
    ['import', people, '--apply'],
    ['backup', backup],
    ['doctor'],
    ['sessions', 'all', '--end', '--yes'],
  ])
    printRow(await measure(args, env, service));
  await service.stop();
  const present = env['DATABASE_URL'] ?? env['DATA_DIR'] ?? '';
  printRow(await measure(['restore', '--present', present, backup], empty));
  service = await startServer(empty);
  expect((await fetch(`${service.origin}/user/${idOf(middle)}`)).status).toBe(200);
}

const quietDoctor = { PUSH_TEST_ORIGIN: 'http://127.0.0.1:1', LIMIT_READS_PER_MINUTE: '1000000' };

test('a million: every command on SQLite', async () => {
  const folder = newFolder();
  const [dataDir, restored] = [join(folder, 'data'), join(folder, 'restored')];
  await fillSqlite(dataDir);
  writePhotos(dataDir);
  await runCommands('SQLite', { ...quietDoctor, DATA_DIR: dataDir }, { DATA_DIR: restored });
});

test('a million: move-data, and every command on PostgreSQL', async () => {
  const folder = newFolder();
  const [dataDir, restored] = [join(folder, 'data'), join(folder, 'restored')];
  await fillSqlite(dataDir);
  const cluster = await startCluster();
  onTestFinished(() => cluster.stop());
  await administer(cluster.url, 'CREATE DATABASE restored');
  const DATABASE_URL = databaseUrl(cluster.url, 'postgres');
  const env = { ...quietDoctor, DATA_DIR: dataDir, DATABASE_URL };
  printTitle('move-data');
  printRow(await measure(['move-data'], env));
  writePhotos(dataDir);
  const empty = { DATA_DIR: restored, DATABASE_URL: databaseUrl(cluster.url, 'restored') };
  await runCommands('PostgreSQL', env, empty);
});
