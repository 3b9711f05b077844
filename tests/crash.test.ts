import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, expect, test } from 'vitest';

import { crashRepeatedly, findLosses, runInGroups, startCrashTarget } from './support/crash.ts';
import { readNumber } from './support/environment-number.ts';
import { newFolder } from './support/folder.ts';
import { ENTRY, startServer } from './support/server.ts';

/** `npm run hardening -- crash` has a thousand. */
const ROUNDS = readNumber('HARDENING_CRASHES', 10);

const started: { dispose: () => Promise<void> }[] = [];
afterAll(async () => {
  for (const one of started.toReversed()) await one.dispose();
});

test.concurrent(`kill -9: acknowledged writes survive ${ROUNDS} crashes`, async () => {
  await runInGroups(ROUNDS, async (rounds) => {
    const target = await startCrashTarget();
    started.push(target);
    const { owner, record } = await crashRepeatedly(target, '9876543210', rounds);
    // Control: a deliberate loss is found.
    record.contactsAcknowledged.add('Visitor who was never sent');
    record.lastSaveAcknowledged = record.lastSaveSent = record.lastSaveSent + 1;
    expect(await findLosses(target.server(), owner, record)).toEqual([
      'Visitor who was never sent is lost',
      expect.stringMatching(/^save \d+ is lost/),
    ]);
  });
});

test.concurrent('data folder: a second server exits with a message; it is free after a kill, and waited for', async () => {
  const target = await startCrashTarget();
  started.push(target);
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
