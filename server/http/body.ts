import type { FastifyInstance } from 'fastify';

import { ApiError } from './api-error.ts';

/** The largest JSON body in bytes (docs/security.md#limits). */
export const JSON_SIZE_BYTES_MAX = 64 * 1024;

/** Accepts JSON bodies only. An empty body is undefined; compressed requests are rejected. */
export function addBodyParser(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  const parseJson = fastify.getDefaultJsonParser('error', 'error');
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: JSON_SIZE_BYTES_MAX },
    (request, body, done) => {
      if (body === '') done(null, undefined);
      else void parseJson(request, String(body), done);
    },
  );
  fastify.addHook('onRequest', (request, _reply, done) => {
    const encoding = request.headers['content-encoding'];
    if (encoding === undefined || encoding === 'identity') done();
    else done(new ApiError('media_type_unsupported', 'Compressed requests are not accepted.'));
  });
}
