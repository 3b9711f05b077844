import { once } from 'node:events';

import { afterAll, beforeAll } from 'vitest';

import { NoResponseError, createHttpClient } from '#server/adapter/client/http-client.ts';
import type { HttpClient } from '#server/adapter/client/http-client.ts';
import { ApiError } from '#server/error.ts';
import { openProvider } from '#server/adapter/otp/providers.ts';
import { readSettings } from '#server/settings/settings.ts';

import { fixedClock, CLOCK_START } from './app.ts';
import type { TestDatabase } from './database.ts';
import { hangs, startFakeServices } from './fake-services.ts';
import type { FakeServices } from './fake-services.ts';

export function useFakeServices(added?: Parameters<typeof startFakeServices>[0]): FakeServices {
  const services = {} as FakeServices;
  beforeAll(async () => void Object.assign(services, await startFakeServices(added)));
  afterAll(() => services.close());
  return services;
}

/** The client of production, for which the time of a request has passed as soon as a fake service hangs. */
export const impatientClient: HttpClient = async (request) => {
  const answered = new AbortController();
  const timeout = once(hangs, 'hang', { signal: answered.signal }).then((): never => {
    throw new NoResponseError('no response in time.', { isTimeout: true });
  });
  const response = Promise.race([createHttpClient()(request), timeout]);
  return response.finally(() => answered.abort());
};

export async function openTestProvider(
  environment: Record<string, string>,
  { now = CLOCK_START, httpClient = impatientClient } = {},
) {
  const clock = fixedClock(now);
  const dependencies = { httpClient, clock, database: noDatabase };
  const provider = openProvider(readSettings(environment), dependencies);
  return { ...provider, clock };
}

// A third-party provider stores nothing.
const noDatabase = {} as TestDatabase['database'];

/** A well-formed token of OTPless and MSG91; the fake services choose their reply by its name. */
export const tokenOf = (name: string) => `${name}.000000000000.1`;

/** The result of a call, or what a function makes of its error. */
const orError = (call: Promise<unknown>, describe: (error: ApiError) => object) =>
  call.catch((error: unknown) => {
    if (error instanceof ApiError) return describe(error);
    throw error;
  });

/** The result of a call, or the code, status and Retry-After of its error. */
export const outcomeOf = (call: Promise<unknown>) =>
  orError(call, ({ code, status, retryAfterSeconds }) => ({ code, status, retryAfterSeconds }));

/** The sentence of a call's error, and the reason in the log. */
export const sentencesOf = (call: Promise<unknown>) =>
  orError(call, ({ message, cause }) => ({
    message,
    cause: cause instanceof Error ? cause.message : cause,
  }));

export const REJECTED = { code: 'token_invalid', status: 403, retryAfterSeconds: null };
export const UNAVAILABLE = { code: 'unavailable', status: 503, retryAfterSeconds: 5 };
export const MISCONFIGURED = { code: 'misconfigured', status: 503, retryAfterSeconds: null };
