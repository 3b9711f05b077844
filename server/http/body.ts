import type { FastifyInstance } from 'fastify';

import { ApiError } from '#server/error.ts';

/** The largest JSON body in bytes (docs/security.md#limits). */
const JSON_SIZE_BYTES_MAX = 64 * 1024;
/**
 * The largest JSON body of a call without a session. The longest contact has 13 KB, with every
 * character decomposed and escaped. A larger body is not read: decoding 64 KiB can take 0.6 ms.
 */
export const OPEN_JSON_SIZE_BYTES_MAX = 16 * 1024;

/** Accepts JSON bodies only. An empty body is undefined; compressed requests are rejected. */
export function addBodyParser(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  // Reject `__proto__` and `constructor` keys.
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
