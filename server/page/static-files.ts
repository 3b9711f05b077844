import { NETWORKS } from '#domain/network.ts';
import { NETWORK_PATHS } from '#view/network-paths.ts';
import type { AppContext } from '#server/context.ts';
import { OWN_ICONS_PATH } from '#server/html/icon-base.ts';
import { MARK_PATH, markSvg } from '#server/html/mark.ts';
import { FinishedResponse } from '#server/http/finished-response.ts';
import { sendFinished } from '#server/http/send.ts';

/** A built file's name has a hash of its content, so it never changes. */
const ASSET_CACHE_CONTROL = 'public, max-age=31536000, immutable';
const HOUR_CACHE_CONTROL = 'public, max-age=3600';
const DAY_CACHE_CONTROL = 'public, max-age=86400';
/** Only owners use these paths. Search engines may index cards and policies. */
const DISALLOWED_PATHS = ['/login', '/ftue', '/dashboard', '/api'];

/** Registers the files that do not change while the server runs. */
export function staticFileRoutes(context: AppContext): void {
  const { fastify, dependencies } = context;
  const serve = (path: string, file: FinishedResponse) =>
    fastify.get(path, (request, reply) => sendFinished(request, reply, file));

  for (const [name, { contentType, content }] of dependencies.web.assets) {
    const headers = { 'content-type': contentType, 'cache-control': ASSET_CACHE_CONTROL };
    serve(`/assets/${name}`, new FinishedResponse({ body: content, headers }));
  }
  for (const network of NETWORKS) {
    serve(
      `${OWN_ICONS_PATH}${network.toLowerCase()}.svg`,
      svgFile(networkIcon(NETWORK_PATHS[network]), { 'access-control-allow-origin': '*' }),
    );
  }
  serve(MARK_PATH, svgFile(markSvg()));
  serve('/robots.txt', robotsFile());
}

function svgFile(body: string, headers: Record<string, string> = {}): FinishedResponse {
  return new FinishedResponse({
    body,
    headers: {
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': DAY_CACHE_CONTROL,
      ...headers,
    },
  });
}

/** Returns a network's icon, for a site whose ICON_BASE_URL is this server. */
function networkIcon(path: string): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 16 16">` +
    `<path d="${path}"/></svg>`
  );
}

function robotsFile(): FinishedResponse {
  const lines = [
    'User-agent: *',
    'Allow: /',
    ...DISALLOWED_PATHS.map((path) => `Disallow: ${path}`),
  ];
  return new FinishedResponse({
    body: `${lines.join('\n')}\n`,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': HOUR_CACHE_CONTROL },
  });
}
