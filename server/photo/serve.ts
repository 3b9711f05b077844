import { ApiError } from '#server/http/api-error.ts';
import type { AppContext } from '#server/context.ts';

import { parsePhotoName } from '#server/storage/photo-store.ts';
import { photoHeaders } from '#server/storage/photo-store.ts';

const NOT_MODIFIED = 304;

/** Photos under /photos/. A name of any other shape never reaches the store. */
export function servePhotos({ fastify, dependencies }: AppContext): void {
  fastify.get<{ Params: { name: string } }>('/photos/:name', async (request, reply) => {
    const { name } = request.params;
    if (!parsePhotoName(name)) throw noPhoto();
    const etag = `"${name}"`;
    // Whoever has seen a name has all that it will ever stand for.
    const isKnown = request.headers['if-none-match']?.includes(etag) ?? false;
    const bytes = isKnown ? null : await dependencies.photos.read(name);
    if (!isKnown && !bytes) throw noPhoto();
    void reply
      .headers(photoHeaders(name))
      .header('etag', etag)
      .header('cross-origin-resource-policy', 'cross-origin');
    return bytes ? reply.send(bytes) : reply.code(NOT_MODIFIED).send();
  });
}

function noPhoto(): ApiError {
  return new ApiError('not_found', 'There is no such photo.');
}
