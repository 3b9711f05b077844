import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';

import { SECOND_MS } from '#domain/duration.ts';

import { BODY_LIMITS, limitBodyTime } from '#server/limit/body-timeout.ts';
import type { BodyLimits } from '#server/limit/body-timeout.ts';

const HEADERS_TIMEOUT_MS = 10 * SECOND_MS;
/** A connection that transfers nothing for this long is closed. */
const IDLE_TIMEOUT_MS = 60 * SECOND_MS;
const KEEP_ALIVE_TIMEOUT_MS = 5 * SECOND_MS;

/** Answers a request before the router, or returns false without changing the response. */
export type FastPath = (request: IncomingMessage, response: ServerResponse) => boolean;

/** The entry of every request: a fast path may answer it before Fastify's router does. */
export class HttpEntry {
  #fastPath: FastPath = () => false;
  #isDraining = false;
  readonly #bodyLimits: BodyLimits;

  constructor(bodyLimits = BODY_LIMITS) {
    this.#bodyLimits = bodyLimits;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Sets the handler that runs before the router. */
  setFastPath(fastPath: FastPath): void {
    this.#fastPath = fastPath;
  }

  /** From now on every response closes its connection, so that clients go to another node. */
  drain(): void {
    this.#isDraining = true;
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
        if (this.#isDraining) response.setHeader('connection', 'close');
        // The fast path answers no request with a body.
        if (server.listening && this.#fastPath(request, response)) return;
        this.#limitBodyTime(server, request, response);
        router(request, response);
      },
    );
    return server.setTimeout(IDLE_TIMEOUT_MS);
  };

  #limitBodyTime(server: Server, request: IncomingMessage, response: ServerResponse): void {
    limitBodyTime(request, response, {
      limits: this.#bodyLimits,
      // Node reports its own timeouts in the same way.
      onTimeout: () => {
        const error = new Error('The body did not arrive in time.');
        const code = 'ERR_HTTP_REQUEST_TIMEOUT';
        server.emit('clientError', Object.assign(error, { code }), request.socket);
      },
    });
  }
}
