import type { FastifyInstance } from 'fastify';

import { DAY_MS } from '#domain/duration.ts';
import { NETWORKS } from '#domain/network.ts';
import { NETWORK_PATHS } from '#view/network-paths.ts';
import type { AppContext } from '#server/context.ts';
import { OWN_ICONS_PATH } from '#server/adapter/html/icon-base.ts';
import { MARK_PATH, markSvg } from '#server/adapter/html/mark.ts';
import { PRINT_STYLE, PRINT_STYLE_PATH } from '#server/adapter/html/style.ts';
import { FinishedResponse } from '#server/http/finished-response.ts';
import { sendFinished } from '#server/http/send.ts';
import type { Settings } from '#server/settings/settings.ts';
import { COMMIT_TIME } from '#server/version.ts';

/** A built file's name has a hash of its content, so it never changes. */
const ASSET_CACHE_CONTROL = 'public, max-age=31536000, immutable';
const HOUR_CACHE_CONTROL = 'public, max-age=3600';
const DAY_CACHE_CONTROL = 'public, max-age=86400';
const SECURITY_FILE_PATH = '/.well-known/security.txt';
/** RFC 9116, section 2.5.5: less than a year. */
const SECURITY_FILE_LIFE_MS = 364 * DAY_MS;
/** Only owners use them. */
const DISALLOWED_PATHS = ['/login', '/ftue', '/dashboard', '/api'];

export function staticFileRoutes(context: AppContext): void {
  const { fastify, dependencies } = context;
  serveFolder(fastify, '/assets/', (name) => {
    const asset = dependencies.web.assets.get(name);
    if (asset === undefined) return null;
    const headers = { 'content-type': asset.contentType, 'cache-control': ASSET_CACHE_CONTROL };
    return new FinishedResponse({ body: asset.content, brotli: asset.brotli, headers });
  });
  const pathsByIcon = new Map(
    NETWORKS.map((network) => [`${network.toLowerCase()}.svg`, NETWORK_PATHS[network]]),
  );
  serveFolder(fastify, OWN_ICONS_PATH, (name) => {
    const path = pathsByIcon.get(name);
    if (path === undefined) return null;
    return svgFile(networkIcon(path), { 'access-control-allow-origin': '*' });
  });
  serveFile(fastify, MARK_PATH, svgFile(markSvg()));
  serveFile(fastify, PRINT_STYLE_PATH, printStyle());
  serveFile(fastify, '/robots.txt', robotsFile());
  serveFile(fastify, SECURITY_FILE_PATH, securityFile(context.settings));
}

function serveFile(fastify: FastifyInstance, path: string, file: FinishedResponse): void {
  fastify.get(path, (request, reply) => sendFinished(request, reply, file));
}

/** One route for all files, for a quick start. `create` returns null for an unknown name. */
function serveFolder(
  fastify: FastifyInstance,
  folder: string,
  create: (name: string) => FinishedResponse | null,
): void {
  const created = new Map<string, FinishedResponse>();
  fastify.get<{ Params: { name: string } }>(`${folder}:name`, (request, reply) => {
    const { name } = request.params;
    const file = created.get(name) ?? create(name);
    if (file === null) return reply.callNotFound();
    created.set(name, file);
    return sendFinished(request, reply, file);
  });
}

function printStyle(): FinishedResponse {
  return new FinishedResponse({
    body: PRINT_STYLE,
    headers: {
      'content-type': 'text/css; charset=utf-8',
      'cache-control': ASSET_CACHE_CONTROL,
    },
  });
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

/** For a site whose ICON_BASE_URL is this server. */
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
  return textFile(lines);
}

/** Who receives reports of vulnerabilities (RFC 9116). */
function securityFile({ securityContact, publicUrl }: Settings): FinishedResponse {
  const expires = new Date(COMMIT_TIME + SECURITY_FILE_LIFE_MS).toISOString();
  const canonical = publicUrl === null ? [] : [`Canonical: ${publicUrl}${SECURITY_FILE_PATH}`];
  return textFile([`Contact: ${securityContact}`, `Expires: ${expires}`, ...canonical]);
}

function textFile(lines: readonly string[]): FinishedResponse {
  return new FinishedResponse({
    body: `${lines.join('\n')}\n`,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': HOUR_CACHE_CONTROL },
  });
}
