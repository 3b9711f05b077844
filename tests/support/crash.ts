import { setTimeout as pause } from 'node:timers/promises';

import { expect } from 'vitest';

import { createLoad } from './load.ts';
import { createOwner } from './owner.ts';
import { waitUntil } from './polling.ts';
import { print } from './print.ts';
import type { RunningServer } from './server.ts';

/** With 8 contacts per round, an owner receives fewer than 500 a day (docs/develop/product.md#limits). */
export const ROUNDS_PER_OWNER_MAX = 50;
const KILL_DELAY_MS_MAX = 150;
const EARLY_CRASH_EVERY = 4;
const ACKNOWLEDGED_PER_ROUND = 2;

export interface CrashTarget {
  readonly server: () => RunningServer;
  /** Kills the service. Resolves when it serves again after its restart. */
  readonly crash: () => Promise<void>;
  readonly isPowerCut?: true;
}

/** Creates an owner and kills the target `rounds` times while the card is written. Throws if a write is lost. */
export async function crashRepeatedly(target: CrashTarget, rounds: number) {
  const owner = await createOwner(target.server(), '9876543210', { designation: 'Engineer' });
  const load = createLoad([owner], 0, target.isPowerCut ? 'power cut' : 'kill');
  const [record] = load.records as [(typeof load.records)[0]];
  for (let round = 1; round <= rounds; round += 1) {
    load.start(target.server().origin);
    // Some crashes come before the first reply. The others come after some replies, however slow the machine is.
    const saves = record.lastAcknowledged + ACKNOWLEDGED_PER_ROUND;
    const contacts = record.contacts.size + ACKNOWLEDGED_PER_ROUND;
    const hasEnough = () => record.lastAcknowledged >= saves && record.contacts.size >= contacts;
    if (round % EARLY_CRASH_EVERY !== 1) await waitUntil(hasEnough);
    await pause(Math.random() * KILL_DELAY_MS_MAX);
    if (target.isPowerCut) void load.stop();
    await target.crash();
    await load.stop();
    const found = await load.findLosses(target.server().origin);
    if (found.length > 0) throw new Error(`round ${round}: ${found.join(', ')}`);
  }
  const [saves, contacts] = [record.lastAcknowledged, record.contacts.size];
  print(`${rounds} crashes: ${saves} saves and ${contacts} contacts acknowledged, none lost`);
  // Fewer acknowledged writes would prove nothing. Some saves must also have been cut off by a crash.
  expect(Math.min(saves, contacts)).toBeGreaterThan(rounds);
  expect(saves).toBeLessThan(record.lastSent);
  return { load, record };
}

/**
 * Splits the rounds into groups, each of which stays within one owner's daily limit of contacts. Two groups run
 * at once, so that one works while the other waits for a restart.
 */
export async function runInGroups(rounds: number, run: (rounds: number) => Promise<unknown>) {
  const count = Math.max(2, Math.ceil(rounds / ROUNDS_PER_OWNER_MAX));
  const waiting = Array<number>(count).fill(Math.ceil(rounds / count));
  const worker = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await run(next);
  };
  await Promise.all([worker(), worker()]);
}
