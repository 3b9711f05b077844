import type { Endpoint, RequestInput, Reply } from '#contract/endpoint.ts';
import { apiErrorSchema } from '#contract/api-error.ts';
import type { ApiErrorBody } from '#contract/api-error.ts';

import { callAddress } from './address.ts';
import { logFailure } from './log.ts';
import { storedToken } from './session.ts';

/** What a network failure counts as (specification, section 7). */
const NETWORK_FAILURE_STATUS = 500;

export interface Answer<E extends Endpoint> {
  readonly status: number;
  /** The reply as the contract has it; null where the call failed or another thing came. */
  readonly body: Reply<E> | null;
  readonly fault: ApiErrorBody | null;
}

export interface CallOptions {
  /** Sent as Authorization in place of the stored session token. */
  readonly authorization?: string;
  /** The parts of a multipart call. */
  readonly form?: FormData;
}

/** Makes one call. Never throws: a network failure is status 500 without a body. */
export async function call<E extends Endpoint>(
  endpoint: E,
  given: RequestInput<E> = {},
  options: CallOptions = {},
): Promise<Answer<E>> {
  try {
    const response = await fetch(callAddress(endpoint, given), {
      method: endpoint.method,
      headers: callHeaders(given, options),
      body: options.form ?? (given.body === undefined ? null : JSON.stringify(given.body)),
      cache: 'no-store',
    });
    return await readAnswer(endpoint, response);
  } catch (cause) {
    logFailure(`${endpoint.method} ${endpoint.path} did not get through`, cause);
    return { status: NETWORK_FAILURE_STATUS, body: null, fault: null };
  }
}

function callHeaders(given: { readonly body?: unknown }, options: CallOptions): HeadersInit {
  const authorization = options.authorization ?? storedToken();
  return {
    ...(authorization === null ? {} : { authorization }),
    ...(given.body === undefined ? {} : { 'content-type': 'application/json' }),
  };
}

async function readAnswer<E extends Endpoint>(endpoint: E, response: Response): Promise<Answer<E>> {
  const said: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    const fault = apiErrorSchema.safeParse(said).data ?? null;
    logFailure(`${endpoint.method} ${endpoint.path} answered ${response.status}`, fault);
    return { status: response.status, body: null, fault };
  }
  const body = (endpoint.reply.safeParse(said).data ?? null) as Reply<E> | null;
  return { status: response.status, body, fault: null };
}
