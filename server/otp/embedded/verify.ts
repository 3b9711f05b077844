import { toAsciiDigits } from '#domain/digit.ts';
import { incrementCounters, deleteCounter } from '#server/db/counter.ts';
import type { Database } from '#server/db/database.ts';
import { newToken } from '#server/token.ts';

import { isSameHmac, codeHmac } from './code.ts';
import type { EmbeddedContext } from './context.ts';
import { allFailures, phoneFailures } from './limits.ts';
import { codeOver, codeWrong, phoneLocked, tooManyFailures } from './errors.ts';
import { keepExchangeToken, takeTry, useChallenge } from './store.ts';

const CODE_LENGTH_MAX = 32;
const CHALLENGE = /^[\w-]{43}$/;

/** A code as typed, without spaces and in ASCII digits; null where it cannot be one. */
export function cleanCode(typed: string): string | null {
  if (typed.length > CODE_LENGTH_MAX) return null;
  const code = toAsciiDigits(typed).replace(/[\s\p{Cf}\p{Pd}]/gu, '');
  return /^\d{6}$/.test(code) ? code : null;
}

/**
 * Exchanges a challenge's code for the token that the page's callback gets. The try, the failures
 * and the token are one transaction. Throws ApiError 'code_invalid' (403) or 'too_many_requests'.
 */
export async function exchangeCode(
  { settings, dependencies }: EmbeddedContext,
  given: { challenge: string; code: string },
): Promise<string> {
  const { database, clock, secret } = dependencies;
  const code = cleanCode(given.code);
  // No try is lost to what cannot be a code.
  if (code === null) throw codeWrong();
  const id = given.challenge;
  if (!CHALLENGE.test(id)) throw codeOver();
  const now = clock.now();
  const token = await database.transaction(async (inside) => {
    const challenge = await takeTry(inside, id, now);
    if (!challenge) throw codeOver();
    const { phone, seal } = challenge;
    await countFailure(inside, { phone, now, settings });
    if (!isSameHmac(codeHmac(secret, { id, phone }, code), seal)) return null;
    if (!(await useChallenge(inside, id))) throw codeOver();
    await forgetFailure(inside, phone, settings.otpSendsPerDay);
    const exchangeToken = newToken();
    await keepExchangeToken(inside, { token: exchangeToken, phone, now });
    return exchangeToken;
  });
  if (token === null) throw codeWrong();
  return token;
}

/**
 * Counts a failure before the code is looked at, so that guesses made at once cannot pass the limit
 * together; a right code takes it back. Beyond the limit nothing is looked at and nothing counted.
 */
async function countFailure(
  database: Database,
  { phone, now, settings }: { phone: string; now: number; settings: EmbeddedContext['settings'] },
): Promise<void> {
  const ofPhone = phoneFailures(phone);
  const ofAll = allFailures(settings.otpSendsPerDay);
  const beyond = await incrementCounters(database, [ofPhone, ofAll], now);
  if (beyond.has(ofPhone.key)) throw phoneLocked(settings.supportEmail);
  const waitMs = beyond.get(ofAll.key);
  if (waitMs !== undefined) throw tooManyFailures(waitMs);
}

async function forgetFailure(database: Database, phone: string, sendsPerDay: number) {
  await deleteCounter(database, phoneFailures(phone).key);
  await database.run('UPDATE counters SET count = count - 1 WHERE key = $1 AND count > 0', [
    allFailures(sendsPerDay).key,
  ]);
}
