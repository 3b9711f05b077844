import type { AppContext } from '#server/context.ts';

import { apiDocumentRoute } from './openapi.ts';
import { readiness } from './readiness.ts';

const UNAVAILABLE = 503;
const RETRY_AFTER_SECONDS = '2';

declare module 'fastify' {
  interface FastifyInstance {
    /** From now on /readyz says no, and every answer ends its connection, so that callers leave. */
    drain: () => void;
  }
}

/** Whether the process lives, whether it can be sent visitors, and what it answers to. */
export function statusRoutes(context: AppContext): void {
  const { fastify, dependencies } = context;
  const look = readiness(dependencies);
  let isDraining = false;
  fastify.decorate('drain', () => {
    isDraining = true;
    fastify.server.prependListener('request', (_request, response) => {
      response.setHeader('connection', 'close');
    });
  });

  fastify.get('/healthz', async (_request, reply) => {
    void reply.header('cache-control', 'no-store');
    return { status: 'ok' };
  });

  fastify.get('/readyz', async (_request, reply) => {
    void reply.header('cache-control', 'no-store');
    const away = isDraining ? ['draining'] : await look();
    if (away.length === 0) return { status: 'ready' };
    return reply
      .code(UNAVAILABLE)
      .header('retry-after', RETRY_AFTER_SECONDS)
      .send({ status: 'not ready', why: away });
  });

  apiDocumentRoute(context);
}
