import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';

import { MINUTE_MS, SECOND_MS } from '#domain/duration.ts';

const HEADERS_TIMEOUT_MS = 10 * SECOND_MS;
/** A connection that transfers nothing for this long is closed. */
const IDLE_TIMEOUT_MS = 60 * SECOND_MS;
const KEEP_ALIVE_TIMEOUT_MS = 5 * SECOND_MS;

interface BodyLimits {
  /** The limit of a body. Only an upload may take longer, if it makes progress within each interval. */
  readonly intervalMs: number;
  readonly bytesPerSecondMin: number;
  readonly timeoutMs: number;
}

const BODY_LIMITS: BodyLimits = {
  intervalMs: 30 * SECOND_MS,
  // A tenth of what a bad mobile connection transfers.
  bytesPerSecondMin: 8 * 1024,
  // Longer than 10,000,000 bytes take at the lowest speed.
  timeoutMs: 25 * MINUTE_MS,
};

/** Answers a request before the router, or returns false without changing the response. */
export type FastPath = (request: IncomingMessage, response: ServerResponse) => boolean;

export class HttpEntry {
  fastPath: FastPath = () => false;
  /** From now on every response closes its connection, so that clients go to another node. */
  isDraining = false;
  readonly #bodyLimits: BodyLimits;

  constructor(bodyLimits = BODY_LIMITS) {
    this.#bodyLimits = bodyLimits;
  }

  /**
   * Fastify's `serverFactory`. Once the server stops listening, every request goes to the router,
   * because Fastify adds `Connection: close` during a shutdown.
   */
  readonly createServer = (router: RequestListener): Server => {
    const server = createServer(
      {
        headersTimeout: HEADERS_TIMEOUT_MS,
        // limitBodyTime limits the rest of a request.
        requestTimeout: 0,
        keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
        connectionsCheckingInterval: SECOND_MS,
        // rejectAmbiguousOrigins rejects it with an ApiError.
        requireHostHeader: false,
      },
      (request, response) => {
        if (this.isDraining) response.setHeader('connection', 'close');
        // The fast path answers no request with a body.
        if (server.listening && this.fastPath(request, response)) return;
        limitBodyTime(request, response, {
          limits: this.#bodyLimits,
          // Node reports its own timeouts in the same way.
          onTimeout: () => server.emit('clientError', bodyTimeoutError(), request.socket),
        });
        router(request, response);
      },
    );
    return server.setTimeout(IDLE_TIMEOUT_MS);
  };
}

/**
 * Calls `onTimeout` if the body does not arrive in time. Node's requestTimeout would end a photo over a
 * slow connection, which takes minutes. An upload must make progress in each interval instead, until
 * the response is sent (docs/security.md#limits).
 */
function limitBodyTime(
  request: IncomingMessage,
  response: ServerResponse,
  { limits, onTimeout }: { readonly limits: BodyLimits; readonly onTimeout: () => void },
): void {
  if (!hasBody(request)) return;
  const { socket } = request;
  // Only the route of uploads reads this type; every other one answers 415 at once.
  const isUpload = /^multipart\/form-data/i.test(request.headers['content-type'] ?? '');
  const startedAt = performance.now();
  const bytesMin = (limits.bytesPerSecondMin * limits.intervalMs) / SECOND_MS;
  let bytesBefore = socket.bytesRead;

  const timer = setInterval(() => {
    const bytes = socket.bytesRead - bytesBefore;
    bytesBefore = socket.bytesRead;
    const isInTime = performance.now() - startedAt < limits.timeoutMs;
    // A body that no handler reads yet stays in the socket's buffer, so bytesRead does not grow.
    const hasProgress = bytes >= bytesMin || request.readableFlowing === null;
    const mayContinue = isUpload && hasProgress && isInTime && !response.writableEnded;
    if (!request.complete && mayContinue) return;
    clearInterval(timer);
    if (!request.complete) onTimeout();
  }, limits.intervalMs).unref();
  const stop = () => clearInterval(timer);
  request.once('end', stop).once('close', stop);
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function bodyTimeoutError(): Error {
  const error = new Error('The body did not arrive in time.');
  return Object.assign(error, { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
}
