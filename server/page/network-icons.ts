import { NETWORKS } from '#domain/network.ts';
import { NETWORK_PATHS } from '#view/network-paths.ts';
import type { AppContext } from '#server/context.ts';
import { OWN_ICONS_PATH } from '#server/html/icon-base.ts';

const DAY_SECONDS = 86_400;

/** The networks' icons as files, for whoever names ours as their icon CDN. */
export function networkIconRoutes({ fastify }: AppContext): void {
  for (const network of NETWORKS) {
    const picture =
      `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 16 16">` +
      `<path d="${NETWORK_PATHS[network]}"/></svg>`;
    fastify.get(`${OWN_ICONS_PATH}${network.toLowerCase()}.svg`, (_request, reply) =>
      reply
        .header('content-type', 'image/svg+xml')
        .header('cache-control', `public, max-age=${DAY_SECONDS}`)
        .header('access-control-allow-origin', '*')
        .send(picture),
    );
  }
}
