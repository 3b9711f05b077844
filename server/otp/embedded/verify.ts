import { toAsciiDigits } from '#domain/digit.ts';
import { deleteCounter, incrementCounters } from '#server/db/counter.ts';
import type { Database } from '#server/db/database.ts';
import { ApiError } from '#server/http/api-error.ts';
import { newToken } from '#server/token.ts';

import { allFailures, failureLimitReached, phoneFailures, phoneLocked } from './limits.ts';
import type { EmbeddedContext } from './send.ts';
import {
  codeHmac,
  decrementCounters,
  isSameHmac,
  saveExchangeToken,
  useAttempt,
  useChallenge,
} from './store.ts';

const TYPED_LENGTH_MAX = 32;
const CHALLENGE = /^[\w-]{43}$/;

/**
 * Exchanges a challenge's code for the token that the page's callback receives. Attempt, failures
 * and token are one transaction. Throws ApiError 'code_invalid' (403) or 'too_many_requests' (429).
 */
export async function exchangeCode(
  { settings, dependencies }: EmbeddedContext,
  { challenge: id, code: typed }: { challenge: string; code: string },
): Promise<string> {
  const { database, clock, secret } = dependencies;
  const code = normalizeCode(typed);
  // A text that cannot be a code does not count as an attempt.
  if (code === null) throw codeWrong();
  if (!CHALLENGE.test(id)) throw codeVoid();
  const now = clock.now();
  const token = await database.transaction(async (inside) => {
    const challenge = await useAttempt(inside, id, now);
    if (!challenge) throw codeVoid();
    const { phone, hmac } = challenge;
    await countFailure(inside, { phone, now, settings });
    // Returned instead of thrown, because an error would roll back the attempt.
    if (!isSameHmac(codeHmac(secret, { id, phone }, code), hmac)) return null;
    if (!(await useChallenge(inside, id))) throw codeVoid();
    await resetFailures(inside, phone, settings.otpSendsPerDay);
    const exchangeToken = newToken();
    await saveExchangeToken(inside, { token: exchangeToken, phone, now });
    return exchangeToken;
  });
  if (token === null) throw codeWrong();
  return token;
}

/** Returns a typed code without spaces and in ASCII digits; null if it cannot be a code. */
function normalizeCode(typed: string): string | null {
  if (typed.length > TYPED_LENGTH_MAX) return null;
  const code = toAsciiDigits(typed).replace(/[\s\p{Cf}\p{Pd}]/gu, '');
  return /^\d{6}$/.test(code) ? code : null;
}

/**
 * Counts a failure before the code is compared, so that simultaneous guesses cannot exceed the
 * limit. A right code is subtracted later. Throws ApiError 'too_many_requests' (429).
 */
async function countFailure(
  database: Database,
  { phone, now, settings }: { phone: string; now: number; settings: EmbeddedContext['settings'] },
): Promise<void> {
  const ofPhone = phoneFailures(phone);
  const ofAll = allFailures(settings.otpSendsPerDay);
  const exceeded = await incrementCounters(database, [ofPhone, ofAll], now);
  if (exceeded.has(ofPhone.key)) throw phoneLocked(settings.supportEmail);
  const waitMs = exceeded.get(ofAll.key);
  if (waitMs !== undefined) throw failureLimitReached(waitMs);
}

async function resetFailures(database: Database, phone: string, sendsPerDay: number) {
  await deleteCounter(database, phoneFailures(phone).key);
  await decrementCounters(database, [allFailures(sendsPerDay).key]);
}

function codeWrong(): ApiError {
  return new ApiError('code_invalid', 'This code is not right. Check it and try again.');
}

/** The code is expired, used or was tried too often. The reason is not disclosed. */
function codeVoid(): ApiError {
  return new ApiError('code_invalid', 'This code is not valid any more. Ask for a new one.');
}
