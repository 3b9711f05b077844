import { NETWORKS } from '#domain/network.ts';
import { NETWORK_PATHS } from '#view/network-paths.ts';
import type { AppContext } from '#server/context.ts';

/** Where the product's own icons live: the default of ICON_BASE_URL. */
const OWN_ICONS = '/icons/';
const DAY_SECONDS = 86_400;

/** The base address for a page: '' draws our own icons in place, which costs no request. */
export function ownIconBaseUrl(iconBaseUrl: string): string {
  return iconBaseUrl === OWN_ICONS ? '' : iconBaseUrl;
}

/** The networks' icons as files, for whoever names ours as their icon CDN. */
export function networkIconRoutes({ fastify }: AppContext): void {
  for (const network of NETWORKS) {
    const picture =
      `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 16 16">` +
      `<path d="${NETWORK_PATHS[network]}"/></svg>`;
    fastify.get(`${OWN_ICONS}${network.toLowerCase()}.svg`, (_request, reply) =>
      reply
        .header('content-type', 'image/svg+xml')
        .header('cache-control', `public, max-age=${DAY_SECONDS}`)
        .header('access-control-allow-origin', '*')
        .send(picture),
    );
  }
}
