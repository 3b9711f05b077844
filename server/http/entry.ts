import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { SECOND_MS } from '#domain/duration.ts';

const REQUEST_TIMEOUT_MS = 300 * SECOND_MS;
const HEADERS_TIMEOUT_MS = 10 * SECOND_MS;
/** A connection that transfers nothing for this long is closed. */
const IDLE_TIMEOUT_MS = 60 * SECOND_MS;
const KEEP_ALIVE_TIMEOUT_MS = 5 * SECOND_MS;

/** Answers a request before the router, or returns false without changing the response. */
export type FastPath = (request: IncomingMessage, response: ServerResponse) => boolean;

export class HttpEntry {
  fastPath: FastPath = () => false;
  /** From now on every response closes its connection, so that clients go to another node. */
  isDraining = false;
  /** The responses of each connection that are not complete, those of the fast path excepted. */
  readonly #responses = new WeakMap<Socket, readonly ServerResponse[]>();

  /**
   * Fastify's `serverFactory`. Once the server stops listening, every request goes to the router,
   * because Fastify adds `Connection: close` during a shutdown.
   */
  readonly createServer = (router: RequestListener): Server => {
    const server = createServer(
      {
        headersTimeout: HEADERS_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
        connectionsCheckingInterval: SECOND_MS,
        // rejectAmbiguousOrigins rejects it with an ApiError.
        requireHostHeader: false,
      },
      (request, response) => {
        if (this.isDraining) response.setHeader('connection', 'close');
        if (server.listening && this.fastPath(request, response)) return;
        const earlier = this.#responses.get(request.socket)?.filter(isPending) ?? [];
        this.#responses.set(request.socket, [...earlier, response]);
        router(request, response);
      },
    );
    return server.setTimeout(IDLE_TIMEOUT_MS);
  };

  readonly isResponding = (socket: Socket): boolean =>
    this.#responses.get(socket)?.some((one) => one.headersSent && isPending(one)) ?? false;
}

function isPending({ writableEnded, req }: ServerResponse): boolean {
  return !writableEnded || !req.complete;
}
