import { askWithin } from '#server/http/ask.ts';
import { Fault } from '#server/http/fault.ts';
import { openProvider } from '#server/otp/choose.ts';
import { readSettings } from '#server/settings.ts';

import { heldClock, START } from './app.ts';
import type { TestDatabase } from './database.ts';

/** Shorter than a hang, so that the tests need not wait as long as people do. */
const TIMEOUT_MS = 1500;

/** The login provider that an environment names, asking with a short time-out. */
export function openTestProvider(
  environment: Record<string, string>,
  { now = START, timeoutMs = TIMEOUT_MS } = {},
) {
  const clock = heldClock(now);
  const provider = openProvider(readSettings(environment), {
    ask: askWithin(timeoutMs),
    clock,
    database: noDatabase,
  });
  return { ...provider, clock };
}

// A provider of others keeps nothing.
const noDatabase = {} as TestDatabase['database'];

/** How a call ended: what it gave, or the fault's word, status and Retry-After. */
export async function endOf(work: Promise<unknown>) {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { word, status, retryAfterSeconds } = error;
    return { word, status, retryAfterSeconds };
  }
}

export const REFUSED = { word: 'token_invalid', status: 403, retryAfterSeconds: null };
export const UNAVAILABLE = { word: 'unavailable', status: 503, retryAfterSeconds: 5 };
export const MISCONFIGURED = { word: 'misconfigured', status: 503, retryAfterSeconds: null };
