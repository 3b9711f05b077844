import { createHmac, hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import { LogController } from 'fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Clock } from '#server/clock.ts';
import { DAY_MS } from '#domain/duration.ts';
import type { Client, Proxies } from '#server/http/proxy.ts';
import type { Settings } from '#server/settings/settings.ts';

/** A logged path has at most this many characters, because a stranger can send a path of 16 KB. */
const PATH_LENGTH_MAX = 200;
const PHONE = /\+?\d{8,15}/g;
/** Matches one of our own tokens or a provider's token. */
const TOKEN = /[\w-]{32,}(?:\.[\w-]+)*/g;
/** Matches a text that may be the beginning of a phone number or a token. */
const LAST_WORD = /\+?[\w-]+$/;

const HUNDREDTHS = 100;
const ERROR_STATUS_MIN = 400;
/** nginx uses this status for a client that closed the connection before the response. */
const CLIENT_CLOSED_STATUS = 499;

declare module 'fastify' {
  interface FastifyContextConfig {
    isLoggedOnlyOnFailure?: boolean;
  }
}

interface LoggedRequest {
  readonly id: string;
  readonly method: string;
  readonly pathText: string;
  readonly client: Client;
  readonly startedAt: number;
  readonly isLoggedOnlyOnFailure?: () => boolean | undefined;
}

interface Options {
  readonly secret: string;
  readonly clock: Clock;
  readonly writeRequestLine: ((line: string) => void) | null;
}

type LogSettings = Pick<Settings, 'logAddress' | 'nodeName'>;

export function createLogging(settings: LogSettings, options: Options) {
  const formatAddress = createAddressFormatter(settings, options);
  return { formatAddress, requestLog: createRequestLog(settings, options, formatAddress) };
}

/**
 * Writes the line of a request once its response is sent or its connection is closed. Builds the JSON
 * without the logger, which would take longer than a cached response.
 */
function createRequestLog(
  { nodeName }: LogSettings,
  { clock, writeRequestLine: write }: Options,
  formatAddress: FormatAddress,
) {
  if (write === null) return null;
  const nodeText = JSON.stringify(nodeName);
  let time = Number.NaN;
  let timeText = '';

  const writeLine = (request: LoggedRequest, status: number): void => {
    const { id, method, pathText, client, startedAt } = request;
    const durationMs = performance.now() - startedAt;
    const now = clock.now();
    if (now !== time) {
      time = now;
      timeText = new Date(now).toISOString();
    }
    const ms = Math.round(durationMs * HUNDREDTHS) / HUNDREDTHS;
    const logged = client.address === '' ? null : formatAddress(client);
    const addressText = logged === null ? '' : `,"address":${JSON.stringify(logged)}`;
    // `id` matches REQUEST_ID_FORM and `method` comes from Node's parser, so neither needs escaping.
    write(
      `{"level":"info","time":"${timeText}","reqId":"${id}","node":${nodeText},"method":"${method}",` +
        `"path":${pathText},"status":${status},"ms":${ms}${addressText}}\n`,
    );
  };
  return (response: ServerResponse, request: LoggedRequest): void => {
    let isWritten = false;
    const complete = (status: number) => {
      if (isWritten) return;
      isWritten = true;
      if (status < ERROR_STATUS_MIN && request.isLoggedOnlyOnFailure?.()) return;
      writeLine(request, status);
    };
    // Only 'close' is emitted if the client closes the connection before the response is sent.
    response
      .once('finish', () => complete(response.statusCode))
      .once('close', () => complete(CLIENT_CLOSED_STATUS));
  };
}

export type RequestLog = NonNullable<ReturnType<typeof createRequestLog>>;

export function loggedPath(url: string): string {
  return JSON.stringify(redactPath(url));
}

export class RequestLogController extends LogController {
  readonly #log: RequestLog | null;
  readonly #clientOf: Proxies['clientOf'];

  constructor(log: RequestLog | null, { clientOf }: Pick<Proxies, 'clientOf'>) {
    super();
    this.#log = log;
    this.#clientOf = clientOf;
  }

  override incomingRequest(request: FastifyRequest, { raw }: FastifyReply): void {
    const { id, method, url } = request;
    this.#log?.(raw, {
      id,
      method,
      pathText: loggedPath(url),
      // If the router cannot read the URL, the request lacks the decorations of other requests.
      client: this.#clientOf(request.raw),
      startedAt: performance.now(),
      isLoggedOnlyOnFailure: () => request.routeOptions.config.isLoggedOnlyOnFailure,
    });
  }

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest): void {
    if (error) request.log.error({ err: error }, 'the response was not sent');
  }
}

const KEY_LENGTH = 16;

export type FormatAddress = (client: Client) => string | null;

/** An address key is a hash with a secret that changes daily (docs/develop/security.md#logs). */
function createAddressFormatter({ logAddress }: LogSettings, options: Options): FormatAddress {
  const { secret, clock } = options;
  if (logAddress === 'none') return () => null;
  if (logAddress === 'full') return ({ address }) => address;
  let day = -1;
  let secretOfDay = '';
  return ({ prefix64 }) => {
    const today = Math.floor(clock.now() / DAY_MS);
    if (today !== day) {
      day = today;
      secretOfDay = createHmac('sha256', secret).update(`address\n${day}`).digest('base64url');
    }
    // SHA-256 over secret and address is five times as fast as an HMAC. The truncation prevents length
    // extension.
    return hash('sha256', secretOfDay + prefix64, 'base64url').slice(0, KEY_LENGTH);
  };
}

/** Hides phone numbers and tokens in a text that somebody else wrote. */
export function redact(text: string): string {
  return text.replace(TOKEN, '[hidden]').replace(PHONE, '[hidden]');
}

/** Returns the path of a URL. It is cut before it is redacted, so that a long path costs no time. */
export function redactPath(url: string): string {
  const [path = ''] = url.split('?', 1);
  const start = redact(path.slice(0, PATH_LENGTH_MAX));
  return path.length > PATH_LENGTH_MAX ? start.replace(LAST_WORD, '') : start;
}
