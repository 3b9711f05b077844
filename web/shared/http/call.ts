import { apiErrorSchema } from '#contract/api-error.ts';
import type { ApiErrorBody } from '#contract/api-error.ts';
import { addContact, getContacts } from '#contract/contact.ts';
import type { Endpoint, RequestInput, Reply } from '#contract/endpoint.ts';
import { logout } from '#contract/user.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { withLanguageQuery } from '#domain/language/language.ts';
import type { Language } from '#domain/language/language.ts';

import { checkConnection } from './connection.ts';
import { failureSentence } from './failure-text.ts';
import type { Failure } from './failure-text.ts';
import {
  RequestError,
  SERVER_ERROR_STATUS,
  fetchInTime,
  parseJson,
  withTimeout,
} from './request.ts';
import { logFailure } from './report.ts';
import { checkSession } from './session-end.ts';
import { settings } from './settings.ts';
import { storedId, storedSession } from './storage.ts';
import type { Session } from './storage.ts';

export const OK_STATUS = 200;
/** The session is missing, ended, or of another user (docs/develop/product.md#session). */
export const FORBIDDEN_STATUS = 403;

export interface CallResult<Body> extends Failure {
  /** The body is null after a failure, or if it does not match the contract. */
  readonly body: Body | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** A network failure counts as status 500 (docs/develop/product.md#calls). */
const UNANSWERED = {
  status: SERVER_ERROR_STATUS,
  body: null,
  error: null,
  headers: {},
  isUnanswered: true,
} as const;

export interface CallOptions {
  /** This token is sent instead of the stored session token. */
  readonly authorization?: string;
  /** Calls that belong together pass the same session, which is used instead of the stored one. */
  readonly session?: Session | null;
  /** The ETag of the version that the call changes. */
  readonly ifMatch?: string | undefined;
  readonly form?: FormData;
  /** Sends the request in another way, such as one that reports its progress. */
  readonly transport?: (url: string, init: RequestInit) => Promise<Response>;
  /** Whether an alert tells the user first if the session has ended (docs/develop/product.md#messages). */
  readonly isSave?: boolean;
}

/** Makes the server answer a call of a public page in the language of that page. */
export const inLanguage: CallOptions = {
  transport: (url, init) => {
    const { lang } = document.documentElement;
    return fetchInTime(lang === 'en' ? url : withLanguageQuery(url, lang as Language), init);
  },
};

export class CallError extends RequestError {
  readonly status: number;
  readonly error: ApiErrorBody | null;
  readonly isCut: boolean;

  constructor(failure: Failure) {
    super(failureSentence(failure), Number(failure.headers?.['retry-after']) || 0);
    this.status = failure.status;
    this.error = failure.error;
    this.isCut = failure.isCut === true;
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
  return answerOf(await call(endpoint, input, options));
}

/**
 * Returns the file that an endpoint replies with. Rejects with a CallError after a failure or a reply of another
 * type.
 */
export async function sendForFile<E extends Endpoint>(
  endpoint: E,
  input: RequestInput<E>,
): Promise<Blob> {
  const readBody = async (response: Response) =>
    mediaType(response.headers.get('content-type')) === mediaType(endpoint.replyType)
      ? response.blob()
      : null;
  return answerOf(await callAndRead(endpoint, input, { readBody })).body;
}

const mediaType = (contentType: string | null = null) => contentType?.split(';')[0];

function answerOf<Body>(result: CallResult<Body>): Answer<Body> {
  if (result.body === null) throw new CallError(result);
  return { body: result.body, headers: result.headers };
}

/**
 * Makes a call and never throws. A network failure, or 15 s without progress, counts as status 500 without
 * a body. If the session has ended, the promise never settles, because the login page loads.
 */
export function call<E extends Endpoint>(
  endpoint: E,
  input: RequestInput<E> = {},
  options: CallOptions = {},
): Promise<CallResult<Reply<E>>> {
  const readBody = async (response: Response) => {
    const { data } = endpoint.reply.safeParse(parseJson(await response.text()));
    return (data ?? null) as Reply<E> | null;
  };
  return callAndRead(endpoint, input, { ...options, readBody });
}

async function callAndRead<E extends Endpoint, Body>(
  endpoint: E,
  input: RequestInput<E>,
  options: CallOptions & { readonly readBody: (response: Response) => Promise<Body | null> },
): Promise<CallResult<Body>> {
  const { transport = fetchInTime, authorization, isSave, readBody } = options;
  try {
    const { session, url, init } = prepareCall(endpoint, input, options);
    const hasId = session !== null || storedId() !== null || input.params !== undefined;
    // An owner's call lacks its id if somebody has cleared the storage by hand.
    if (!hasId && endpoint.path.includes(':id')) await checkSession(NO_SESSION, session, isSave);
    const response = await transport(url, init);
    const { status, ok } = response;
    const headers = replyHeaders(endpoint, response);
    if (ok) return { status, body: await readBody(response), error: null, headers };
    const error = apiErrorSchema.safeParse(parseJson(await response.text())).data ?? null;
    logFailure(`${endpoint.method} ${endpoint.path} answered ${status}`, error);
    if (authorization === undefined) await checkSession(error, session, isSave);
    return { status, body: null, error, headers };
  } catch (cause) {
    logFailure(`${endpoint.method} ${endpoint.path} did not get through`, cause);
    void checkConnection();
    const isTimeout = cause instanceof DOMException && cause.name === 'AbortError';
    return { ...UNANSWERED, isCut: !isTimeout };
  }
}

const NO_SESSION: ApiErrorBody = { error: 'session_invalid', message: '' };

/** See docs/develop/product.md#dashboard. */
const LOGOUT_TIMEOUT_MS = 3 * SECOND_MS;

/** Revokes a session on the server, and gives up after 3 s. Never throws. */
export async function revokeSession(sessionToken: string): Promise<void> {
  const ending = call(logout, {}, { authorization: sessionToken });
  await withTimeout(ending, LOGOUT_TIMEOUT_MS).catch(() => undefined);
}

/** Returns the request of a call, and the session that both its URL and its token belong to. */
export function prepareCall<E extends Endpoint>(
  endpoint: E,
  input: RequestInput<E> = {},
  { session = storedSession(), ifMatch, form, ...options }: CallOptions = {},
) {
  const { body } = input;
  // Open calls send no token. The exception is addContact.
  const sendsToken = endpoint.access !== 'open' || endpoint.path === addContact.path;
  const authorization = options.authorization ?? (sendsToken ? session?.token : undefined);
  const isJson = body !== undefined || endpoint.path === getContacts.path;
  const init: RequestInit = {
    method: endpoint.method,
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      ...(isJson && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? (form ?? null) : JSON.stringify(body),
    cache: 'no-store',
  };
  return { session, url: callUrl(endpoint, input, session), init };
}

type Values = Readonly<Record<string, string | number | undefined>>;

/** Fills in the owner's id for the parameter `id` of an owner's call (docs/develop/product.md#calls). */
function callUrl<E extends Endpoint>(
  endpoint: E,
  input: RequestInput<E>,
  session: Session | null,
): string {
  const params: Values = {
    id: session?.id ?? storedId() ?? '',
    ...(input.params as Values | undefined),
  };
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

function replyHeaders(
  { replyHeaders: names = {} }: Endpoint,
  { headers }: Response,
): Readonly<Record<string, string>> {
  const sent = ['retry-after', ...Object.keys(names)].flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return Object.fromEntries(sent);
}
