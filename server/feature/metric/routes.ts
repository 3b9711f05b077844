import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { ApiErrorCode } from '#contract/api-error.ts';
import { SECOND_MS } from '#domain/duration.ts';
import type { CountRequest } from '#server/http/cache/public-route.ts';
import { hashToken } from '#server/token.ts';

import type { Meter } from './meter.ts';

const FORBIDDEN = 403;
const TOKEN_REQUIRED = {
  error: 'token_invalid' satisfies ApiErrorCode,
  message: 'METRICS_TOKEN is needed.',
};

declare module 'fastify' {
  interface FastifyInstance {
    meter: Meter | null;
  }
}

export function metricRoutes(
  fastify: FastifyInstance,
  meter: Meter | null,
  token: string | null,
): void {
  fastify.decorate('meter', meter);
  if (!meter) return;
  fastify.addHook('onResponse', async (request, reply) => count(meter, request, reply));
  if (token === null) return;

  fastify.get('/metrics', async (request, reply) => {
    void reply.header('cache-control', 'no-store');
    if (!isEqual(request.headers.authorization ?? '', `Bearer ${token}`)) {
      return reply.code(FORBIDDEN).send(TOKEN_REQUIRED);
    }
    return reply.type(meter.contentType).send(await meter.render());
  });
}

export function createRequestCounter({ duration }: Meter): CountRequest {
  return (labels, durationMs) => duration.observe(labels, durationMs / SECOND_MS);
}

function count(meter: Meter, request: FastifyRequest, reply: FastifyReply): void {
  // The duration of an open stream says nothing about the speed of the server.
  if (request.routeOptions.config.endpoint?.replyType === 'text/event-stream') return;
  const status = reply.raw.statusCode;
  // Unmatched paths share one label, so that random URLs cannot create time series.
  const route = request.routeOptions.url ?? 'none';
  const method = route === 'none' ? 'any' : request.method;
  meter.duration.observe({ method, route, status }, reply.elapsedTime / SECOND_MS);
}

function isEqual(value: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(hashToken(value)), Buffer.from(hashToken(expected)));
}

/** Serves /metrics on a separate port, so that only the operator's network can open it. */
export async function listenForMetrics(
  meter: Meter,
  address: { host: string; port: number },
): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    meter.render().then(
      (text) => response.writeHead(200, { 'content-type': meter.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await once(server.listen(address.port, address.host), 'listening');
  return server.unref();
}
