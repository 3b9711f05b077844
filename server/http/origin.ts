import type { FastifyRequest } from 'fastify';

import { ApiError } from './api-error.ts';

const HOST = /^[\w.-]{1,253}(?::\d{1,5})?$|^\[[\da-fA-F:.]{2,45}\](?::\d{1,5})?$/;

/**
 * The origin that links point to: PUBLIC_URL, or the one that the request came to.
 * Throws ApiError 'invalid_input' (400) for a Host header that names no host.
 */
export function originOf(request: FastifyRequest, publicUrl: string): string {
  if (publicUrl !== '') return publicUrl;
  if (!HOST.test(request.host))
    throw new ApiError('invalid_input', 'The Host header is not valid.');
  return `${request.protocol}://${request.host}`;
}
