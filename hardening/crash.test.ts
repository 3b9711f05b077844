import { existsSync } from 'node:fs';

import { expect, inject, test } from 'vitest';

import { ROUNDS_OF_ONE_OWNER_MAX, crashAgainAndAgain, inTwoLanes } from '#tests/support/crash.ts';
import type { Ledger, Victim } from '#tests/support/crash.ts';
import { startVictim } from '#tests/support/killed-server.ts';
import { startCluster } from '#tests/support/postgres.ts';
import { startServer } from '#tests/support/server.ts';

import { countOf, tell, until } from '#tests/support/long-run.ts';

const CRASHES = countOf('HARDENING_CRASHES', 1000);
const POSTGRES_CRASHES = countOf('HARDENING_POSTGRES_CRASHES', 1000);

/** Rounds in portions that one owner's card can take. */
function portions(rounds: number): number[] {
  const whole = Math.floor(rounds / ROUNDS_OF_ONE_OWNER_MAX);
  const rest = rounds % ROUNDS_OF_ONE_OWNER_MAX;
  return [...Array<number>(whole).fill(ROUNDS_OF_ONE_OWNER_MAX), ...(rest > 0 ? [rest] : [])];
}

/** The control: writes were acknowledged, and others were cut off. */
function expectMuch(ledgers: Ledger[], rounds: number): void {
  const sum = (of: (ledger: Ledger) => number) =>
    ledgers.reduce((total, ledger) => total + of(ledger), 0);
  const kept = sum(({ contactsKept }) => contactsKept.size);
  const saves = sum(({ saveKept }) => saveKept);
  tell(
    `${rounds} crashes: ${saves} saves and ${kept} contacts acknowledged, ${sum(({ contactSent }) => contactSent) - kept} contacts cut off, none lost`,
  );
  expect(sum((ledger) => ledger.rounds)).toBe(rounds);
  expect(saves).toBeGreaterThan(rounds);
  expect(kept).toBeGreaterThan(rounds);
  expect(kept).toBeLessThan(sum(({ contactSent }) => contactSent));
}

test('kill -9 of the server: what was acknowledged is there, and no card is half saved', async () => {
  const ledgers = await inTwoLanes(
    portions(CRASHES).map((rounds) => async () => {
      const victim = await startVictim();
      try {
        return (await crashAgainAndAgain(victim, '9876543210', rounds)).ledger;
      } finally {
        await victim.dispose();
      }
    }),
  );
  expectMuch(ledgers, CRASHES);
});

test.skipIf(inject('postgresUrl') === '')(
  'kill -9 of PostgreSQL: what was acknowledged is there, and the server takes up by itself',
  async () => {
    const ledgers = await inTwoLanes(
      portions(POSTGRES_CRASHES).map((rounds) => async () => {
        const cluster = await startCluster();
        const server = await startServer({ DATABASE_URL: cluster.url, TRUST_PROXY: '127.0.0.1' });
        const victim: Victim = {
          server: () => server,
          crash: async () => {
            const processes = cluster.processes();
            for (const pid of processes) process.kill(pid, 'SIGKILL');
            await until(() => !processes.some((pid) => existsSync(`/proc/${pid}`)));
            cluster.resume();
            await until(async () => {
              const answer = await fetch(`${server.origin}/readyz`).catch(() => null);
              return answer?.status === 200;
            });
          },
        };
        try {
          return (await crashAgainAndAgain(victim, '9876543210', rounds)).ledger;
        } finally {
          await server.dispose();
          cluster.stop();
        }
      }),
    );
    expectMuch(ledgers, POSTGRES_CRASHES);
  },
);
