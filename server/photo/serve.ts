import { Fault } from '#server/http/fault.ts';
import type { House } from '#server/http/route.ts';

import { readName } from './name.ts';
import { photoHeaders } from './photo-headers.ts';

const NOT_MODIFIED = 304;

/** Photos under /photos/. A name of any other shape never reaches the store. */
export function servePhotos({ fastify, parts }: House): void {
  fastify.get<{ Params: { name: string } }>('/photos/:name', async (request, reply) => {
    const { name } = request.params;
    if (!readName(name)) throw noPhoto();
    const etag = `"${name}"`;
    // Whoever has seen a name has all that it will ever stand for.
    const isKnown = request.headers['if-none-match']?.includes(etag) ?? false;
    const bytes = isKnown ? null : await parts.photos.read(name);
    if (!isKnown && !bytes) throw noPhoto();
    void reply
      .headers(photoHeaders(name))
      .header('etag', etag)
      .header('cross-origin-resource-policy', 'cross-origin');
    return bytes ? reply.send(bytes) : reply.code(NOT_MODIFIED).send();
  });
}

function noPhoto(): Fault {
  return new Fault('not_found', 'There is no such photo.');
}
