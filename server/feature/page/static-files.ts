import type { FastifyRequest } from 'fastify';

import { DAY_MS } from '#domain/duration.ts';
import { NETWORKS } from '#domain/network.ts';
import { NETWORK_PATHS } from '#view/network-paths.ts';
import type { AppContext } from '#server/context.ts';
import { OWN_ICONS_PATH } from '#server/adapter/html/render.ts';
import { PRODUCT_LOGO_PATH, PRODUCT_LOGO } from '#server/adapter/html/product-logo.ts';
import { PRINT_STYLE, PRINT_STYLE_PATH } from '#server/adapter/html/style.ts';
import { StoredResponse, fixedFile, sendStored } from '#server/http/stored-response.ts';
import type { Settings } from '#server/settings/settings.ts';
import { COMMIT_TIME } from '#server/version.ts';

const SVG = ['image/svg+xml; charset=utf-8', 'public, max-age=86400'] as const;
const ASSET_CACHE_CONTROL = 'public, max-age=31536000, immutable';
const HOUR_CACHE_CONTROL = 'public, max-age=3600';
const SECURITY_FILE_PATH = '/.well-known/security.txt';
/** The file should expire in less than a year (RFC 9116, section 2.5.5). */
const SECURITY_FILE_LIFE_MS = 364 * DAY_MS;

export function staticFileRoutes(context: AppContext): void {
  serveFolder(context, '/assets/', (name) => {
    const asset = context.dependencies.web.assets.get(name);
    if (asset === undefined) return null;
    const { contentType, content, compressed } = asset;
    const headers = { 'content-type': contentType, 'cache-control': ASSET_CACHE_CONTROL };
    return new StoredResponse({ body: content, compressed, headers, isFixed: true });
  });
  const pathsByIcon = new Map(
    NETWORKS.map((network) => [`${network.toLowerCase()}.svg`, NETWORK_PATHS[network]]),
  );
  serveFolder(context, OWN_ICONS_PATH, (name) => {
    const path = pathsByIcon.get(name);
    if (path === undefined) return null;
    return fixedFile(networkIcon(path), SVG, { 'access-control-allow-origin': '*' });
  });
  serveFile(context, PRODUCT_LOGO_PATH, fixedFile(PRODUCT_LOGO, SVG));
  const printStyle = fixedFile(PRINT_STYLE, ['text/css; charset=utf-8', ASSET_CACHE_CONTROL]);
  serveFile(context, PRINT_STYLE_PATH, printStyle);
  const { brandLogo } = context.dependencies;
  if (brandLogo) {
    const logo = fixedFile(Buffer.from(brandLogo.bytes), ['image/webp', ASSET_CACHE_CONTROL]);
    serveFile(context, brandLogo.path, logo);
  }
  // Crawlers may read the owner's pages, because otherwise they would not see the noindex.
  serveFile(context, '/robots.txt', textFile(['User-agent: *', 'Allow: /', 'Disallow: /api']));
  serveFile(context, SECURITY_FILE_PATH, securityFile(context.settings));
}

export function serveFile(context: AppContext, path: string, file: StoredResponse): void {
  context.fastify.get(path, fileRateLimitOptions(context), (request, reply) =>
    sendStored(request, reply, file),
  );
}

function fileRateLimitOptions({ fileRateLimit }: AppContext) {
  return {
    onRequest: async ({ client }: FastifyRequest) => fileRateLimit.countOrThrow(client.prefix64),
  };
}

/** All files share one route and are created when requested, so that the server starts quickly. */
function serveFolder(
  context: AppContext,
  folder: string,
  create: (name: string) => StoredResponse | null,
): void {
  const created = new Map<string, StoredResponse>();
  context.fastify.get<{ Params: { name: string } }>(
    `${folder}:name`,
    fileRateLimitOptions(context),
    (request, reply) => {
      const { name } = request.params;
      const file = created.get(name) ?? create(name);
      if (file === null) return reply.callNotFound();
      created.set(name, file);
      return sendStored(request, reply, file);
    },
  );
}

/** The icons are served for other sites whose ICON_BASE_URL names this server. */
function networkIcon(path: string): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 16 16">` +
    `<path d="${path}"/></svg>`
  );
}

function securityFile({ securityContact, publicUrl }: Settings): StoredResponse {
  const expires = new Date(COMMIT_TIME + SECURITY_FILE_LIFE_MS).toISOString();
  const canonical = publicUrl === null ? [] : [`Canonical: ${publicUrl}${SECURITY_FILE_PATH}`];
  return textFile([`Contact: ${securityContact}`, `Expires: ${expires}`, ...canonical]);
}

function textFile(lines: readonly string[]): StoredResponse {
  return fixedFile(`${lines.join('\n')}\n`, ['text/plain; charset=utf-8', HOUR_CACHE_CONTROL]);
}
