import { createHmac, hash } from 'node:crypto';

import { LogController } from 'fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Clock } from '#server/clock.ts';
import { DAY_MS } from '#domain/duration.ts';
import { rateLimitKey } from '#server/http/limit/address.ts';

import { redact } from './log.ts';

const HUNDREDTHS = 100;
const ERROR_STATUS_MIN = 400;
/** The status of nginx for a client that closed the connection before the response. */
const CLIENT_CLOSED_STATUS = 499;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests of this route are logged only if they fail. */
    isLoggedOnlyOnFailure?: boolean;
  }
}

export interface CompletedRequest {
  readonly id: string;
  readonly method: string;
  readonly pathText: string;
  readonly status: number;
  readonly durationMs: number;
  readonly address: string;
}

interface AddressOptions {
  readonly mode: 'full' | 'key' | 'none';
  readonly secret: string;
  readonly clock: Clock;
}

interface Options extends Pick<AddressOptions, 'clock'> {
  readonly write: (line: string) => void;
  readonly node: string;
  readonly formatAddress: FormatAddress;
}

export function createLogging(
  { logAddress: mode, nodeName: node }: { logAddress: AddressOptions['mode']; nodeName: string },
  {
    secret,
    clock,
    writeRequestLine: write,
  }: Omit<AddressOptions, 'mode'> & { readonly writeRequestLine: Options['write'] | null },
) {
  const formatAddress = createAddressFormatter({ mode, secret, clock });
  const requestLog = write && createRequestLog({ write, node, clock, formatAddress });
  return { formatAddress, requestLog };
}

/** Builds the JSON without the logger, which would take longer than a cached response. */
function createRequestLog({ write, node, clock, formatAddress }: Options) {
  const nodeText = JSON.stringify(node);
  let time = Number.NaN;
  let timeText = '';

  return ({ id, method, pathText, status, durationMs, address }: CompletedRequest): void => {
    const now = clock.now();
    if (now !== time) {
      time = now;
      timeText = new Date(now).toISOString();
    }
    const ms = Math.round(durationMs * HUNDREDTHS) / HUNDREDTHS;
    const logged = formatAddress(address);
    const addressText = logged === null ? '' : `,"address":${JSON.stringify(logged)}`;
    // `id` matches WELL_FORMED and `method` comes from Node's parser, so neither needs escaping.
    write(
      `{"level":"info","time":"${timeText}","reqId":"${id}","node":${nodeText},"method":"${method}",` +
        `"path":${pathText},"status":${status},"ms":${ms}${addressText}}\n`,
    );
  };
}

export type RequestLog = ReturnType<typeof createRequestLog>;

export function loggedPath(url: string): string {
  return JSON.stringify(redact(url.split('?', 1)[0] ?? ''));
}

export class RequestLogController extends LogController {
  readonly #log: RequestLog | null;

  constructor(log: RequestLog | null) {
    super();
    this.#log = log;
  }

  override incomingRequest(request: FastifyRequest, { raw }: FastifyReply): void {
    const log = this.#log;
    if (log === null) return;
    const startedAt = performance.now();
    // Read now, because a closed connection has no address.
    const { ip: address } = request;
    let isWritten = false;
    const write = (status: number) => {
      if (isWritten) return;
      isWritten = true;
      const { id, method, url, routeOptions } = request;
      if (status < ERROR_STATUS_MIN && routeOptions.config.isLoggedOnlyOnFailure) return;
      const durationMs = performance.now() - startedAt;
      log({ id, method, pathText: loggedPath(url), status, durationMs, address });
    };
    // Only 'close' is emitted if the client closes the connection before the response is sent.
    raw
      .once('finish', () => write(raw.statusCode))
      .once('close', () => write(CLIENT_CLOSED_STATUS));
  }

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest): void {
    if (error) request.log.error({ err: error }, 'the response was not sent');
  }
}

const KEY_LENGTH = 16;

export type FormatAddress = (address: string) => string | null;

/** A key is a hash with a secret that changes daily (docs/security.md#logs). */
function createAddressFormatter({ mode, secret, clock }: AddressOptions): FormatAddress {
  if (mode === 'none') return () => null;
  if (mode === 'full') return (address) => address;
  let day = -1;
  let secretOfDay = '';
  return (address) => {
    const today = Math.floor(clock.now() / DAY_MS);
    if (today !== day) {
      day = today;
      secretOfDay = createHmac('sha256', secret).update(`address\n${day}`).digest('base64url');
    }
    // SHA-256 over secret and address is five times as fast as an HMAC; the truncation prevents length
    // extension.
    return hash('sha256', secretOfDay + rateLimitKey(address), 'base64url').slice(0, KEY_LENGTH);
  };
}
