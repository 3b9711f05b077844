import { getLive } from '#contract/live.ts';
import type { AppContext } from '#server/context.ts';
import { route } from '#server/http/route.ts';

export function liveRoutes(context: AppContext): void {
  const { fastify, live } = context;
  // Before the server waits for pending responses.
  fastify.addHook('preClose', async () => live.close());

  route(context, getLive, async ({ caller, query, reply }) => {
    // For nginx. Caddy sends every event at once.
    void reply.header('x-accel-buffering', 'no');
    return live.open(caller, query.s);
  });
}
