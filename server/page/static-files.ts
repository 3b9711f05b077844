import { NETWORKS } from '#domain/network.ts';
import { NETWORK_PATHS } from '#view/network-paths.ts';
import type { AppContext } from '#server/context.ts';
import { OWN_ICONS_PATH } from '#server/html/icon-base.ts';
import { markSvg } from '#server/html/mark.ts';
import { FinishedResponse } from '#server/http/finished-response.ts';
import { sendFinished } from '#server/http/send.ts';

import { INSTALLED_ICONS } from './icons.ts';

/** A built file's name has a hash of its content, so it never changes. */
const ASSET_CACHING = 'public, max-age=31536000, immutable';
const HOUR_CACHING = 'public, max-age=3600';
const DAY_CACHING = 'public, max-age=86400';
/** The light paper colour of tokens.css: a manifest has one colour. */
const PAPER = '#fbfaf7';
/** Only owners use these paths. Search engines may index cards and policies. */
const DISALLOWED_PATHS = ['/login', '/ftue', '/dashboard', '/api'];

/** The files that never change while the server runs: built ones, and those made at the start. */
export function staticFileRoutes(context: AppContext): void {
  const { fastify, settings, dependencies } = context;
  const serve = (path: string, file: FinishedResponse) =>
    fastify.get(path, (request, reply) => sendFinished(request, reply, file));

  for (const [name, { type, content }] of dependencies.web.assets) {
    const headers = { 'content-type': type, 'cache-control': ASSET_CACHING };
    serve(`/assets/${name}`, new FinishedResponse({ body: content, headers }));
  }
  for (const network of NETWORKS) {
    serve(
      `${OWN_ICONS_PATH}${network.toLowerCase()}.svg`,
      svgFile(networkIcon(NETWORK_PATHS[network]), { 'access-control-allow-origin': '*' }),
    );
  }
  serve('/favicon.svg', svgFile(markSvg()));
  serve('/manifest.webmanifest', manifest(settings.productName));
  serve('/robots.txt', robots());
}

function svgFile(body: string, headers: Record<string, string> = {}): FinishedResponse {
  return new FinishedResponse({
    body,
    headers: {
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': DAY_CACHING,
      ...headers,
    },
  });
}

/** A network's icon as a file, for a site that uses this server as its ICON_BASE_URL. */
function networkIcon(path: string): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 16 16">` +
    `<path d="${path}"/></svg>`
  );
}

/** What a phone shows when the product is on its home screen. */
function manifest(productName: string): FinishedResponse {
  const body = JSON.stringify({
    id: '/dashboard/',
    name: productName,
    short_name: productName,
    description: 'Your digital business card: shared by link or QR code, saved in one tap.',
    start_url: '/dashboard/',
    scope: '/',
    display: 'standalone',
    background_color: PAPER,
    theme_color: PAPER,
    icons: INSTALLED_ICONS.map(({ path, sidePx, purpose }) => ({
      src: path,
      sizes: `${sidePx}x${sidePx}`,
      type: 'image/png',
      purpose,
    })),
  });
  const type = 'application/manifest+json; charset=utf-8';
  return new FinishedResponse({
    body,
    headers: { 'content-type': type, 'cache-control': HOUR_CACHING },
  });
}

function robots(): FinishedResponse {
  const lines = [
    'User-agent: *',
    'Allow: /',
    ...DISALLOWED_PATHS.map((path) => `Disallow: ${path}`),
  ];
  return new FinishedResponse({
    body: `${lines.join('\n')}\n`,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': HOUR_CACHING },
  });
}
