import { Fault } from '#server/http/fault.ts';
import type { House } from '#server/http/route.ts';

/** Whether the process lives, and whether what it needs answers. */
export function statusRoutes({ fastify, parts }: House): void {
  fastify.get('/healthz', async (_request, reply) => {
    void reply.header('cache-control', 'no-store');
    return { status: 'ok' };
  });

  fastify.get('/readyz', async (_request, reply) => {
    void reply.header('cache-control', 'no-store');
    try {
      await parts.database.one('SELECT 1 AS one');
      await parts.photos.check();
    } catch (error) {
      const fault = error instanceof Fault ? error.word : 'internal';
      return reply.code(503).header('retry-after', '2').send({ status: 'not ready', error: fault });
    }
    return { status: 'ready' };
  });
}
