import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { SECOND_MS } from '#domain/duration.ts';

const REQUEST_TIMEOUT_MS = 300 * SECOND_MS;
const HEADERS_TIMEOUT_MS = 10 * SECOND_MS;
const IDLE_TIMEOUT_MS = 60 * SECOND_MS;
const KEEP_ALIVE_TIMEOUT_MS = 5 * SECOND_MS;
/**
 * At most this many requests of one connection may wait for their responses. Browsers and proxies send one
 * at a time.
 */
const PIPELINED_MAX = 32;

/** Answers a request before the router, or returns false without changing the response. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => boolean;

export class HttpEntry {
  /** While this is true, every response closes its connection, so that clients go to another node. */
  isDraining = false;
  readonly #answer: Answer;
  /** The responses of each connection that are not sent yet. */
  readonly #responses = new WeakMap<Socket, readonly ServerResponse[]>();

  constructor(answer: Answer) {
    this.#answer = answer;
  }

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
        // If the header is missing, identifyClients rejects the request with an ApiError.
        requireHostHeader: false,
      },
      (request, response) => {
        const { socket } = request;
        const waiting = this.#responses.get(socket)?.filter(isWaiting) ?? [];
        // Node goes on parsing what has arrived after the connection is closed.
        if (socket.destroyed || waiting.length === PIPELINED_MAX) {
          socket.destroy();
          return;
        }
        this.#responses.set(socket, [...waiting, response]);
        if (this.isDraining) response.setHeader('connection', 'close');
        try {
          const isAnswered = server.listening && this.#answer(request, response);
          if (!isAnswered) router(request, response);
        } catch (error) {
          socket.destroy();
          throw error;
        }
      },
    );
    return server.setTimeout(IDLE_TIMEOUT_MS);
  };

  readonly isResponding = (socket: Socket): boolean =>
    this.#responses.get(socket)?.some((response) => response.headersSent && isPending(response)) ??
    false;
}

function isWaiting(response: ServerResponse): boolean {
  return !response.writableFinished || isPending(response);
}

function isPending({ writableEnded, req }: ServerResponse): boolean {
  return !writableEnded || !req.complete;
}
