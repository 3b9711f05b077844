import { afterEach, expect, test } from 'vitest';

import { crashRepeatedly, runTwoAtATime, findLosses, startCrashTarget } from './support/crash.ts';
import { startServer } from './support/server.ts';

/** `npm run hardening -- crash` has a thousand. */
const ROUNDS_EACH = 10;
/** The minimum of acknowledged writes of each kind; fewer would prove nothing. */
const ACKNOWLEDGED_MIN = 10;
const TEST_TIMEOUT_MS = 300_000;

const started: { dispose: () => Promise<void> }[] = [];
afterEach(() => Promise.all(started.splice(0).map((one) => one.dispose())));

async function runRounds() {
  const target = await startCrashTarget();
  started.push(target);
  return { target, ...(await crashRepeatedly(target, '9876543210', ROUNDS_EACH)) };
}

test(
  `kill -9: acknowledged writes survive ${2 * ROUNDS_EACH} crashes`,
  async () => {
    for (const { target, owner, record } of await runTwoAtATime([runRounds, runRounds])) {
      // Control: many writes were acknowledged, some were not, and a deliberate loss is found.
      expect(record.lastSaveAcknowledged).toBeGreaterThan(ACKNOWLEDGED_MIN);
      expect(record.contactsAcknowledged.size).toBeGreaterThan(ACKNOWLEDGED_MIN);
      expect(record.lastSaveAcknowledged).toBeLessThan(record.lastSaveSent);
      record.contactsAcknowledged.add('Visitor who was never sent');
      record.lastSaveAcknowledged = record.lastSaveSent = record.lastSaveSent + 1;
      expect(await findLosses(target.server(), owner, record)).toEqual([
        'Visitor who was never sent is lost',
        expect.stringMatching(/^save \d+ is lost/),
      ]);
    }
  },
  TEST_TIMEOUT_MS,
);

test(
  'data folder: a second server exits with a message; after a kill the folder is free',
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
