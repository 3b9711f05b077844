import type { FastifyRequest } from 'fastify';

import type { Settings } from '#server/settings.ts';

import { Fault } from './fault.ts';

const HOST = /^[\w.-]{1,253}(?::\d{1,5})?$|^\[[\da-fA-F:.]{2,45}\](?::\d{1,5})?$/;

/**
 * The origin that links point to: PUBLIC_URL, or the one that the request came to.
 * Throws Fault 'invalid_input' (400) for a Host header that names no host.
 */
export function originOf(request: FastifyRequest, settings: Settings): string {
  if (settings.publicUrl !== '') return settings.publicUrl;
  if (!HOST.test(request.host)) throw new Fault('invalid_input', 'The Host header is not valid.');
  return `${request.protocol}://${request.host}`;
}
