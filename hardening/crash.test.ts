import { existsSync } from 'node:fs';

import { expect, inject, test } from 'vitest';

import {
  ROUNDS_PER_OWNER_MAX,
  crashRepeatedly,
  runTwoAtATime,
  startCrashTarget,
} from '#tests/support/crash.ts';
import type { WriteRecord, CrashTarget } from '#tests/support/crash.ts';
import { startCluster } from '#tests/support/postgres.ts';
import { startServer } from '#tests/support/server.ts';

import { readNumber } from '#tests/support/environment-number.ts';
import { waitUntil } from '#tests/support/polling.ts';
import { print } from '#tests/support/print.ts';

const CRASHES = readNumber('HARDENING_CRASHES', 1000);
const POSTGRES_CRASHES = readNumber('HARDENING_POSTGRES_CRASHES', 1000);

/** Splits the rounds into groups that one owner's daily limit of contacts allows. */
function groupRounds(rounds: number): number[] {
  const whole = Math.floor(rounds / ROUNDS_PER_OWNER_MAX);
  const rest = rounds % ROUNDS_PER_OWNER_MAX;
  return [...Array<number>(whole).fill(ROUNDS_PER_OWNER_MAX), ...(rest > 0 ? [rest] : [])];
}

/** Control: many writes were acknowledged, and some were not. */
function expectEnoughWrites(records: WriteRecord[], rounds: number): void {
  const sum = (of: (record: WriteRecord) => number) =>
    records.reduce((total, record) => total + of(record), 0);
  const contacts = sum(({ contactsAcknowledged }) => contactsAcknowledged.size);
  const saves = sum(({ lastSaveAcknowledged }) => lastSaveAcknowledged);
  print(
    `${rounds} crashes: ${saves} saves and ${contacts} contacts acknowledged, ${sum(({ contactsSent }) => contactsSent) - contacts} contacts not acknowledged, none lost`,
  );
  expect(sum((record) => record.rounds)).toBe(rounds);
  expect(saves).toBeGreaterThan(rounds);
  expect(contacts).toBeGreaterThan(rounds);
  expect(contacts).toBeLessThan(sum(({ contactsSent }) => contactsSent));
}

test('kill -9 of the server: loses no acknowledged write, and no card is saved in part', async () => {
  const records = await runTwoAtATime(
    groupRounds(CRASHES).map((rounds) => async () => {
      const target = await startCrashTarget();
      try {
        return (await crashRepeatedly(target, '9876543210', rounds)).record;
      } finally {
        await target.dispose();
      }
    }),
  );
  expectEnoughWrites(records, CRASHES);
});

test.skipIf(inject('postgresUrl') === '')(
  'kill -9 of PostgreSQL: loses no acknowledged write, and the server reconnects by itself',
  async () => {
    const records = await runTwoAtATime(
      groupRounds(POSTGRES_CRASHES).map((rounds) => async () => {
        const cluster = await startCluster();
        const server = await startServer({ DATABASE_URL: cluster.url, TRUST_PROXY: '127.0.0.1' });
        const target: CrashTarget = {
          server: () => server,
          crash: async () => {
            const processes = cluster.processes();
            for (const pid of processes) process.kill(pid, 'SIGKILL');
            await waitUntil(() => !processes.some((pid) => existsSync(`/proc/${pid}`)));
            cluster.resume();
            await waitUntil(async () => {
              const response = await fetch(`${server.origin}/readyz`).catch(() => null);
              return response?.status === 200;
            });
          },
        };
        try {
          return (await crashRepeatedly(target, '9876543210', rounds)).record;
        } finally {
          await server.dispose();
          cluster.stop();
        }
      }),
    );
    expectEnoughWrites(records, POSTGRES_CRASHES);
  },
);
