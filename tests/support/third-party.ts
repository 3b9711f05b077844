import { createHttpClient } from '#server/http/client.ts';
import { ApiError } from '#server/http/api-error.ts';
import { openProvider } from '#server/otp/providers.ts';
import { readSettings } from '#server/settings.ts';

import { fixedClock, CLOCK_START } from './app.ts';
import type { TestDatabase } from './database.ts';

/** Shorter than a hang, so that the tests need not wait as long as people do. */
const TIMEOUT_MS = 1500;

/** The login provider that an environment names, asking with a short time-out. */
export async function openTestProvider(
  environment: Record<string, string>,
  { now = CLOCK_START, timeoutMs = TIMEOUT_MS } = {},
) {
  const clock = fixedClock(now);
  const provider = await openProvider(readSettings(environment), {
    httpClient: createHttpClient(timeoutMs),
    clock,
    database: noDatabase,
  });
  return { ...provider, clock };
}

// A provider of others keeps nothing.
const noDatabase = {} as TestDatabase['database'];

/** How a call ended: what it gave, or the error's code, status and Retry-After. */
export async function outcomeOf(work: Promise<unknown>) {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, status, retryAfterSeconds } = error;
    return { code, status, retryAfterSeconds };
  }
}

export const REJECTED = { code: 'token_invalid', status: 403, retryAfterSeconds: null };
export const UNAVAILABLE = { code: 'unavailable', status: 503, retryAfterSeconds: 5 };
export const MISCONFIGURED = { code: 'misconfigured', status: 503, retryAfterSeconds: null };
