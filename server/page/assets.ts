import type { House } from '#server/http/route.ts';

/** The name holds a hash of the content, so a year is not too long. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** The built files of the owner's application. */
export function assetRoutes({ fastify, parts }: House): void {
  for (const [name, { type, content }] of parts.web.assets) {
    fastify.get(`/assets/${name}`, (_request, reply) =>
      reply.header('content-type', type).header('cache-control', FOR_EVER).send(content),
    );
  }
}
