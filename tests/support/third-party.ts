import { once } from 'node:events';

import { afterAll, beforeAll } from 'vitest';

import { createHttpClient } from '#server/adapter/http-client.ts';
import { NoResponseError } from '#server/adapter/outside/exchange.ts';
import type { HttpClient } from '#server/adapter/http-client.ts';
import { ApiError } from '#server/error.ts';
import { openProvider } from '#server/adapter/otp/providers.ts';
import { readSettings } from '#server/settings/settings.ts';

import { hangs, startFakeServices } from './fake-services.ts';
import type { FakeServices } from './fake-services.ts';

export function useFakeServices(added?: Parameters<typeof startFakeServices>[0]): FakeServices {
  const services = {} as FakeServices;
  beforeAll(async () => void Object.assign(services, await startFakeServices(added)));
  afterAll(() => services.close());
  return services;
}

/** The client of production, except that a request times out as soon as a fake service hangs. */
export const impatientClient: HttpClient = async (request) => {
  const answered = new AbortController();
  const timeout = once(hangs, 'hang', { signal: answered.signal }).then((): never => {
    throw new NoResponseError('time-out');
  });
  const response = Promise.race([createHttpClient()(request), timeout]);
  return response.finally(() => answered.abort());
};

export function openTestProvider(
  environment: Record<string, string>,
  httpClient: HttpClient = impatientClient,
) {
  const { verify, ...provider } = openProvider(readSettings(environment), httpClient);
  if (verify === null) throw new Error('The embedded provider calls no service.');
  return { ...provider, verify };
}

/** Returns a well-formed token of OTPless or MSG91. Its name selects the reply of the fake services. */
export const tokenOf = (name: string) => `${name}.000000000000.1`;

/** Returns the result of a call, or a description of its error. */
const resultOrError = (call: Promise<unknown>, describe: (error: ApiError) => object) =>
  call.catch((error: unknown) => {
    if (error instanceof ApiError) return describe(error);
    throw error;
  });

/** Returns the result of a call, or the code, status and Retry-After of its error. */
export const outcomeOf = (call: Promise<unknown>) =>
  resultOrError(call, ({ code, status, retryAfterSeconds }) => ({
    code,
    status,
    retryAfterSeconds,
  }));

/** Returns the sentence of a call's error, and the reason that is logged. */
export const sentencesOf = (call: Promise<unknown>) =>
  resultOrError(call, ({ message, cause }) => ({
    message,
    cause: cause instanceof Error ? cause.message : cause,
  }));

export const REJECTED = { code: 'token_invalid', status: 403, retryAfterSeconds: null };
export const UNAVAILABLE = { code: 'unavailable', status: 503, retryAfterSeconds: 5 };
export const MISCONFIGURED = { code: 'misconfigured', status: 503, retryAfterSeconds: null };
