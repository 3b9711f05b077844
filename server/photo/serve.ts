import { ApiError } from '#server/http/api-error.ts';
import { FinishedResponse } from '#server/http/finished-response.ts';
import { matchesEtag } from '#server/http/negotiation.ts';
import { sendFinished } from '#server/http/send.ts';
import type { AppContext } from '#server/context.ts';

import { parsePhotoName, photoHeaders } from '#server/storage/photo-store.ts';

/** Serves the photos under /photos/. Rejects an invalid name before the store is read. */
export function servePhotos({ fastify, dependencies, readRateLimit }: AppContext): void {
  fastify.get<{ Params: { name: string } }>('/photos/:name', async (request, reply) => {
    readRateLimit.count(request);
    const { name } = request.params;
    if (!parsePhotoName(name)) throw noPhoto();
    const etag = `"${name}"`;
    // The content under a name never changes, so a 304 needs no read.
    const isUnchanged = matchesEtag(request.headers['if-none-match'], etag);
    const body = isUnchanged ? Buffer.alloc(0) : await dependencies.photos.read(name);
    if (!body) throw noPhoto();
    const headers = { ...photoHeaders(name), 'cross-origin-resource-policy': 'cross-origin' };
    return sendFinished(request, reply, new FinishedResponse({ body, etag, headers }));
  });
}

function noPhoto(): ApiError {
  return new ApiError('not_found', 'There is no such photo.');
}
