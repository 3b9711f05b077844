import { getLive } from '#contract/live.ts';
import type { AppContext } from '#server/context.ts';
import { route } from '#server/http/route.ts';

export function liveRoutes(context: AppContext): void {
  const { fastify, live } = context;
  // The streams must end before the server waits for pending responses.
  fastify.addHook('preClose', async () => live.close());

  route(context, getLive, async ({ caller, query }) => live.open(caller, query.s));
}
