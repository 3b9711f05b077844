import { Fault } from '#server/http/fault.ts';
import type { House } from '#server/http/route.ts';

import { readName } from './name.ts';

const TYPES = { jpg: 'image/jpeg', webp: 'image/webp' } as const;
/** A name is made from the content, so what it stands for never changes. */
const FOREVER = 'public, max-age=31536000, immutable';

/** Photos under /photos/. A name of any other shape never reaches the store. */
export function servePhotos({ fastify, parts }: House): void {
  fastify.get<{ Params: { name: string } }>('/photos/:name', async (request, reply) => {
    const name = readName(request.params.name);
    const bytes = name && (await parts.photos.read(request.params.name));
    if (!name || !bytes) throw new Fault('not_found', 'There is no such photo.');
    return reply
      .header('cache-control', FOREVER)
      .header('cross-origin-resource-policy', 'cross-origin')
      .type(TYPES[name.format])
      .send(bytes);
  });
}
