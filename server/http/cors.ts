import cors from '@fastify/cors';
import type { FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyReply } from 'fastify';

import { HELD_CONTACTS_HEADER, WITHDRAWN_CONTACTS_HEADER } from '#contract/contact.ts';
import { PHOTO_PALETTE_HEADER, PREVIOUS_ETAG_HEADER } from '#contract/user.ts';

import { API_PREFIX } from './route.ts';

/** Set before the handler; `sendStored` writes them too. */
const CORS_HEADERS = [
  'access-control-allow-origin',
  'access-control-expose-headers',
  'vary',
] as const;

const isCall = (url: string) => url.startsWith(`${API_PREFIX}/`);

/** Lets the pages of other origins make the calls, without cookies (docs/proxy.md). */
export function allowOrigins(fastify: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const calls: FastifyCorsOptions = {
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST'],
    allowedHeaders: ['Authorization', 'Content-Type', 'If-Match'],
    exposedHeaders: [
      'ETag',
      'Retry-After',
      HELD_CONTACTS_HEADER,
      WITHDRAWN_CONTACTS_HEADER,
      PREVIOUS_ETAG_HEADER,
      PHOTO_PALETTE_HEADER,
    ],
  };
  void fastify.register(cors, {
    delegator: ({ url }, callback) => callback(null, isCall(url ?? '') ? calls : { origin: false }),
  });
}

export function originVaryHeader(url: string, origins: readonly string[]): { vary?: string } {
  return origins.length > 0 && isCall(url) ? { vary: 'Origin' } : {};
}

export function corsHeaders(reply: FastifyReply): Readonly<Record<string, string>> {
  const headers = CORS_HEADERS.flatMap((name) => {
    const value = reply.getHeader(name);
    return value === undefined ? [] : [[name, String(value)]];
  });
  return Object.fromEntries(headers) as Record<string, string>;
}
