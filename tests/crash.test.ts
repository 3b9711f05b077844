import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeAll, expect, test } from 'vitest';

import { crashRepeatedly, runTwoAtATime, findLosses, startCrashTarget } from './support/crash.ts';
import { startServer } from './support/server.ts';

const ROOT = join(import.meta.dirname, '..');
const ROUNDS_EACH = 25;
/** Of each kind at least so many must have been acknowledged for the test to mean something. */
const KEPT_MIN = 20;
const TEST_TIMEOUT_MS = 300_000;

beforeAll(() => {
  if (existsSync(join(ROOT, 'dist', 'server', 'main.js'))) return;
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: ROOT, stdio: 'ignore' });
}, TEST_TIMEOUT_MS);

const started: { dispose: () => Promise<void> }[] = [];
afterEach(() => Promise.all(started.splice(0).map((one) => one.dispose())));

async function lane() {
  const target = await startCrashTarget();
  started.push(target);
  return { target, ...(await crashRepeatedly(target, '9876543210', ROUNDS_EACH)) };
}

test(
  'what was acknowledged is there after kill -9 at any moment, 50 times over',
  async () => {
    for (const { target, owner, record } of await runTwoAtATime([lane, lane])) {
      // The control: many writes were acknowledged, some were cut off, and a loss would be seen.
      expect(record.lastSaveAcknowledged).toBeGreaterThan(KEPT_MIN);
      expect(record.contactsAcknowledged.size).toBeGreaterThan(KEPT_MIN);
      expect(record.contactsAcknowledged.size).toBeLessThan(record.contactsSent);
      record.contactsAcknowledged.add('Visitor who never was');
      record.lastSaveAcknowledged = record.lastSaveSent = record.lastSaveSent + 1;
      expect(await findLosses(target.server(), owner, record)).toEqual([
        'Visitor who never was is lost',
        expect.stringMatching(/^save \d+ is lost/),
      ]);
    }
  },
  TEST_TIMEOUT_MS,
);

test(
  'a second server on one data folder is refused with a sentence; a killed one leaves it free',
  async () => {
    const target = await startCrashTarget();
    started.push(target);
    const { origin, dataDir } = target.server();
    await expect(startServer({ DATA_DIR: dataDir })).rejects.toThrow(
      `Another Tessera is running on the data folder ${dataDir}. Stop it, or set DATA_DIR to another folder.`,
    );
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    await target.crash();
    expect(await target.server().stop()).toBe(0);
  },
  TEST_TIMEOUT_MS,
);
