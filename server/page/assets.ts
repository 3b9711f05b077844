import type { AppContext } from '#server/context.ts';

import { FinishedResponse, chooseEncoding } from '#server/http/finished-response.ts';

/** The name holds a hash of the content, so a year is not too long. */
const FOR_EVER = 'public, max-age=31536000, immutable';
/** Pictures and fonts are small already. */
const COMPRESSIBLE = /^text\/|svg/;

/** The built files of the owner's application, compressed once each. */
export function assetRoutes({ fastify, dependencies }: AppContext): void {
  for (const [name, { type, content }] of dependencies.web.assets) {
    const headers = { 'content-type': type, 'cache-control': FOR_EVER };
    const file = new FinishedResponse(content, headers);
    const isCompressible = COMPRESSIBLE.test(type);
    fastify.get(`/assets/${name}`, async (request, reply) => {
      const accepted = isCompressible ? request.headers['accept-encoding'] : undefined;
      const encoding = chooseEncoding(accepted);
      const body = await file.body(encoding);
      return reply.headers(file.headersFor(encoding, body)).send(body);
    });
  }
}
