import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, expect, test } from 'vitest';

import { crashRepeatedly, runInGroups } from './support/crash.ts';
import { readNumber } from './support/environment-number.ts';
import { newFolder } from './support/folder.ts';
import { ENTRY, startServer } from './support/server.ts';

/** `npm run hardening -- crash` has a thousand. */
const ROUNDS = readNumber('HARDENING_CRASHES', 10);

/** The service with its own data folder; `crash` kills it with SIGKILL. */
async function startCrashTarget() {
  const dataDir = mkdtempSync(join(tmpdir(), 'tessera-crash-'));
  const start = () => startServer({ DATA_DIR: dataDir, TRUST_PROXY: '127.0.0.1' });
  let server = await start();
  const dispose = async () => {
    await server.stop('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  };
  started.push({ dispose });
  const crash = async () => {
    await server.stop('SIGKILL');
    server = await start();
  };
  return { server: () => server, crash };
}

const started: { dispose: () => Promise<void> }[] = [];
afterAll(async () => {
  for (const one of started.toReversed()) await one.dispose();
});

test.concurrent(`kill -9: acknowledged writes survive ${ROUNDS} crashes`, async () => {
  await runInGroups(ROUNDS, async (rounds) => {
    const target = await startCrashTarget();
    const { load, record } = await crashRepeatedly(target, rounds);
    // Control: a deliberate loss is found.
    record.contacts.add('Visitor who was never sent');
    record.lastAcknowledged = record.lastSent = record.lastSent + 1;
    expect(await load.findLosses(target.server().origin)).toEqual([
      'Visitor who was never sent is lost',
      expect.stringMatching(/^save \d+ is lost/),
    ]);
  });
});

test.concurrent('data folder: a second server exits with a message; it is free after a kill, and waited for', async () => {
  const target = await startCrashTarget();
  const { origin, dataDir } = target.server();
  await expect(startServer({ DATA_DIR: dataDir })).rejects.toThrow(
    `Another Tessera is running on the data folder ${dataDir}. Stop it, or set DATA_DIR to another folder.`,
  );
  expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  await target.crash();
  expect(await target.server().stop()).toBe(0);

  const closing = await startServer({ DATA_DIR: dataDir, DRAIN_SECONDS: '2' });
  const ended = closing.stop();
  const next = await startServer({ DATA_DIR: dataDir });
  started.push(next);
  expect([await ended, (await fetch(`${next.origin}/readyz`)).status]).toEqual([0, 200]);
});

test.each(['.new', '.new-wal', '', '-wal'])(
  'first start: killed when tessera.sqlite%s appears, the next start works',
  async (suffix) => {
    const dataDir = newFolder();
    const file = join(dataDir, 'tessera.sqlite');
    const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1' };
    const first = spawn(process.execPath, [ENTRY], { env, stdio: 'ignore' });
    // The last file of a start ends the wait for one that was missed.
    while (![suffix, '-wal'].some((end) => existsSync(file + end))) await yieldToEventLoop();
    first.kill('SIGKILL');
    await once(first, 'exit');
    if (existsSync(file)) {
      const database = new DatabaseSync(file, { readOnly: true });
      expect(database.prepare('SELECT number FROM migrations').all()).not.toEqual([]);
      database.close();
    }
    const next = await startServer({ DATA_DIR: dataDir });
    expect((await fetch(`${next.origin}/readyz`)).status).toBe(200);
    await next.stop('SIGKILL');
  },
);
