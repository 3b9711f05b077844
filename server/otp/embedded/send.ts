import { incrementCounters } from '#server/db/counter.ts';
import type { Database } from '#server/db/database.ts';
import { newCode, newToken } from '#server/token.ts';

import { codeHmac } from './code.ts';
import type { EmbeddedContext } from './context.ts';
import {
  addressSends,
  allSends,
  phoneFailures,
  phoneSends,
  resendAfterMs,
  sendPause,
} from './limits.ts';
import { gatewayFailed, phoneLocked, tooManySends } from './errors.ts';
import { keepChallenge, readCounts } from './store.ts';

/** Who asks for a code: the phone (E.164) that gets it, and the address key of the one who asks. */
interface CodeRequest {
  readonly phone: string;
  readonly address: string;
}

/**
 * Sends a code, known phone or not. The limits and the challenge are one transaction, so that a
 * refused call counts for nothing. Throws ApiError 'too_many_requests' (429) or 'unavailable' (503).
 */
export async function sendCodeTo(
  { settings, dependencies }: EmbeddedContext,
  request: CodeRequest,
) {
  const { database, clock, secret } = dependencies;
  const now = clock.now();
  const { codes, until } = settings.otpTestNumbers;
  const testCode = now < until ? codes.get(request.phone) : undefined;
  const code = testCode ?? newCode();
  const challenge = { id: newToken(), phone: request.phone };
  const { rateLimits, pauseMs } = await standing(dependencies, settings, { ...request, now });
  await database.transaction(async (inside) => {
    await keepChallenge(inside, { ...challenge, seal: codeHmac(secret, challenge, code), now });
    // Last, since everybody waits for the one row that counts all codes.
    const beyond = await incrementCounters(inside, rateLimits, now);
    if (beyond.size > 0) throw tooManySends(Math.max(...beyond.values()));
  });
  if (testCode === undefined) {
    await dependencies.sendText(request.phone, code).catch(async (error: unknown) => {
      await giveBack(database, request.phone);
      throw gatewayFailed(error);
    });
  }
  return { challenge: challenge.id, pauseMs };
}

/**
 * What a code counts against, and the pause after it. Refuses at once, by one read, whoever has
 * used up a limit already: a flood costs no more than that. Counting decides for those who come
 * together.
 */
async function standing(
  { database }: EmbeddedContext['dependencies'],
  settings: EmbeddedContext['settings'],
  { phone, address, now }: CodeRequest & { now: number },
) {
  const failures = phoneFailures(phone);
  const { hour, day } = phoneSends(phone);
  // Always in this order, so that no two calls wait for each other.
  const limits = [hour, day, addressSends(address), allSends(settings.otpSendsPerDay)] as const;
  const pause = sendPause(phone, 0);
  const keys = [failures, pause, ...limits].map(({ key }) => key);
  const counts = await readCounts(database, keys, now);
  if ((counts.get(failures.key)?.count ?? 0) >= failures.max) {
    throw phoneLocked(settings.supportEmail);
  }
  const waits = [pause, ...limits].map(({ key, max }) => {
    const known = counts.get(key);
    return known && known.count >= max ? known.waitMs : 0;
  });
  if (Math.max(...waits) > 0) throw tooManySends(Math.max(...waits));
  const pauseMs = resendAfterMs((counts.get(hour.key)?.count ?? 0) + 1);
  return { rateLimits: [sendPause(phone, pauseMs), ...limits], pauseMs };
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
