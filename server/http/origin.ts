import type { FastifyRequest } from 'fastify';

import { ApiError } from '#server/error.ts';

const HOST = /^[\w.-]{1,253}(?::\d{1,5})?$|^\[[\da-fA-F:.]{2,45}\](?::\d{1,5})?$/;

/** Returns whether a text is a host name or an IP address, with or without a port. */
export function isHost(text: string): boolean {
  return HOST.test(text) && URL.canParse(`http://${text}`);
}

/**
 * Returns the origin for links: PUBLIC_URL, or else the origin of the request.
 * Throws ApiError 'invalid_input' (400) if the Host header is not a valid host.
 */
export function originOf(request: FastifyRequest, publicUrl: string | null): string {
  if (publicUrl !== null) return publicUrl;
  if (!isHost(request.host)) throw new ApiError('invalid_input', 'The Host header is not valid.');
  return `${request.protocol}://${request.host}`;
}
