import { countEach } from '#server/db/counter.ts';
import type { Allowance } from '#server/db/counter.ts';
import type { Database } from '#server/db/database.ts';
import type { House } from '#server/http/route.ts';
import { newCode, newToken } from '#server/random.ts';

import { sealCode } from './code.ts';
import {
  addressSends,
  allSends,
  phoneFailures,
  phoneSends,
  resendAfterMs,
  sendPause,
} from './limits.ts';
import { gatewayFailed, phoneLocked, tooManySends } from './refusals.ts';
import { keepChallenge } from './store.ts';

/** Who asks for a code: the phone (E.164) that gets it, and the address key of the one who asks. */
interface Ask {
  readonly phone: string;
  readonly address: string;
}

/**
 * Sends a code, known phone or not. The limits and the challenge are one transaction, so that a
 * refused call counts for nothing. Throws Fault 'too_many_requests' (429) or 'unavailable' (503).
 */
export async function sendCodeTo({ settings, parts }: House, ask: Ask) {
  const { database, clock, secret } = parts;
  const now = clock.now();
  const { codes, until } = settings.otpTestNumbers;
  const testCode = now < until ? codes.get(ask.phone) : undefined;
  const code = testCode ?? newCode();
  const challenge = { id: newToken(), phone: ask.phone };
  const pauseMs = await database.transaction(async (inside) => {
    await refuseLocked(inside, ask.phone, settings.supportEmail);
    const pause = await countSend(inside, { ...ask, sendsPerDay: settings.otpSendsPerDay }, now);
    await keepChallenge(inside, { ...challenge, seal: sealCode(secret, challenge, code), now });
    return pause;
  });
  if (testCode === undefined) {
    await parts.sendText(ask.phone, code).catch(async (error: unknown) => {
      await giveBack(database, ask.phone);
      throw gatewayFailed(error);
    });
  }
  return { challenge: challenge.id, pauseMs };
}

async function refuseLocked(database: Database, phone: string, supportEmail: string) {
  const { key, max } = phoneFailures(phone);
  const row = await database.one<{ count: number }>('SELECT count FROM counters WHERE key = $1', [
    key,
  ]);
  if (row && row.count >= max) throw phoneLocked(supportEmail);
}

/** Counts a code against every limit; gives back the pause until the next one. */
async function countSend(
  database: Database,
  { phone, address, sendsPerDay }: Ask & { sendsPerDay: number },
  now: number,
): Promise<number> {
  // Always in this order, so that no two calls wait for each other.
  const { hour, day } = phoneSends(phone);
  await countOrRefuse(database, [hour, day], now);
  const sent = await database.one<{ count: number }>('SELECT count FROM counters WHERE key = $1', [
    hour.key,
  ]);
  const pauseMs = resendAfterMs(sent?.count ?? 1);
  const pause = sendPause(phone, pauseMs);
  await countOrRefuse(database, [pause, addressSends(address), allSends(sendsPerDay)], now);
  return pauseMs;
}

async function countOrRefuse(database: Database, allowances: readonly Allowance[], now: number) {
  const beyond = await countEach(database, allowances, now);
  if (beyond.size > 0) throw tooManySends(Math.max(...beyond.values()));
}

/**
 * A code that never left does not count for its phone, so that its owner can try again at once. It
 * does for the address and for all: a failing gateway is no way round those.
 */
async function giveBack(database: Database, phone: string): Promise<void> {
  const { hour, day } = phoneSends(phone);
  await database.run('UPDATE counters SET count = count - 1 WHERE key IN ($1, $2) AND count > 0', [
    hour.key,
    day.key,
  ]);
  await database.run('DELETE FROM counters WHERE key = $1', [sendPause(phone, 0).key]);
}
