import { apiErrorSchema } from '#contract/api-error.ts';
import type { ApiErrorBody } from '#contract/api-error.ts';
import { addContact, getContacts } from '#contract/contact.ts';
import type { Endpoint, RequestInput, Reply } from '#contract/endpoint.ts';
import { logout } from '#contract/user.ts';
import { SECOND_MS } from '#domain/duration.ts';

import { checkConnection } from './connection.ts';
import { NO_RESPONSE, parseJson, request, withTimeout } from './request.ts';
import { logFailure } from './report.ts';
import { checkSession } from './session-end.ts';
import { settings } from './settings.ts';
import { storedId, storedToken } from './storage.ts';

/** A network failure counts as this status (docs/product.md#calls). */
const NETWORK_FAILURE_STATUS = 500;
export const OK_STATUS = 200;
/** The session is missing, ended, or of another user (docs/product.md#session). */
export const FORBIDDEN_STATUS = 403;

export interface CallResult<E extends Endpoint> {
  readonly status: number;
  /** Null after a failure, or if it does not match the contract. */
  readonly body: Reply<E> | null;
  readonly error: ApiErrorBody | null;
  /** After a failure Retry-After alone. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface CallOptions {
  /** Replaces the stored session token. */
  readonly authorization?: string;
  /** The ETag of the version that the call changes. */
  readonly ifMatch?: string | undefined;
  /** The body, instead of JSON. */
  readonly form?: FormData;
  /** The end of the session is an alert first (docs/product.md#messages). */
  readonly isSave?: boolean;
}

/** A failed call. Its message is the sentence for the user. */
export class CallError extends Error {
  readonly status: number;
  readonly error: ApiErrorBody | null;

  constructor({ status, error }: Pick<CallResult<Endpoint>, 'status' | 'error'>) {
    super(failureSentence({ error }));
    this.status = status;
    this.error = error;
  }
}

export interface Answer<Value> {
  readonly body: Value;
  readonly headers: Readonly<Record<string, string>>;
}

/** Calls like `call`, but rejects with a CallError after a failure. */
export async function send<E extends Endpoint>(
  endpoint: E,
  input?: RequestInput<E>,
  options?: CallOptions,
): Promise<Answer<Reply<E>>> {
  const result = await call(endpoint, input, options);
  if (result.body === null) throw new CallError(result);
  return { body: result.body, headers: result.headers };
}

/**
 * Never throws: a network failure, or 15 s without progress, is status 500 without a body. Never
 * settles after the end of the session: the login page loads.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: RequestInput<E> = {},
  options: CallOptions = {},
): Promise<CallResult<E>> {
  try {
    const received = await request(
      callUrl(endpoint, input),
      requestOptions(endpoint, input, options),
    );
    const result = readResponse(endpoint, received);
    if (options.authorization === undefined) await checkSession(result.error, options.isSave);
    return result;
  } catch (cause) {
    logFailure(`${endpoint.method} ${endpoint.path} did not get through`, cause);
    void checkConnection();
    return { status: NETWORK_FAILURE_STATUS, body: null, error: null, headers: {} };
  }
}

/** docs/product.md#dashboard. */
const LOGOUT_TIMEOUT_MS = 3 * SECOND_MS;

/** If the server answers in time. Never throws. */
export async function revokeSession(sessionToken: string): Promise<void> {
  const ending = call(logout, {}, { authorization: sessionToken });
  await withTimeout(ending, LOGOUT_TIMEOUT_MS).catch(() => undefined);
}

type Values = Readonly<Record<string, string | number | undefined>>;

/** The parameter `id` of an owner's call is the owner's (docs/product.md#calls). */
export function callUrl<E extends Endpoint>(endpoint: E, input: RequestInput<E> = {}): string {
  const params: Values = { id: storedId() ?? '', ...(input.params as Values | undefined) };
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const query = new URLSearchParams(
    Object.entries((input.query ?? {}) as Values).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  ).toString();
  const { apiUrl, serverUrl } = settings();
  const baseUrl = endpoint.path === addContact.path ? serverUrl : apiUrl;
  return `${baseUrl}${path}${query && `?${query}`}`;
}

/** docs/product.md#calls. */
export function requestOptions(
  endpoint: Endpoint,
  { body }: { readonly body?: unknown },
  options: CallOptions = {},
): RequestInit {
  // An open call has no token, except addContact.
  const sendsToken = endpoint.access !== 'open' || endpoint.path === addContact.path;
  const authorization = options.authorization ?? (sendsToken ? storedToken() : null);
  const isJson = body !== undefined || endpoint.path === getContacts.path;
  return {
    method: endpoint.method,
    headers: {
      ...(authorization !== null && { authorization }),
      ...(options.ifMatch !== undefined && { 'if-match': options.ifMatch }),
      ...(isJson && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? (options.form ?? null) : JSON.stringify(body),
    cache: 'no-store',
  };
}

function readResponse<E extends Endpoint>(
  endpoint: E,
  { response, text }: Awaited<ReturnType<typeof request>>,
): CallResult<E> {
  const json = parseJson(text);
  if (!response.ok) {
    const error = apiErrorSchema.safeParse(json).data ?? null;
    logFailure(`${endpoint.method} ${endpoint.path} answered ${response.status}`, error);
    const wait = response.headers.get('retry-after');
    const headers: Record<string, string> = wait === null ? {} : { 'retry-after': wait };
    return { status: response.status, body: null, error, headers };
  }
  const body = (endpoint.reply.safeParse(json).data ?? null) as Reply<E> | null;
  const headers = replyHeaders(endpoint, (name) => response.headers.get(name));
  return { status: response.status, body, error: null, headers };
}

export function replyHeaders(
  { replyHeaders: names = {} }: Endpoint,
  read: (name: string) => string | null,
): Readonly<Record<string, string>> {
  const sent = Object.keys(names).flatMap((name) => {
    const value = read(name);
    return value === null ? [] : [[name, value] as const];
  });
  return Object.fromEntries(sent);
}

/** The server's sentence, or the one for no response. */
export function failureSentence({ error }: { readonly error: ApiErrorBody | null }): string {
  return error?.message || NO_RESPONSE;
}
