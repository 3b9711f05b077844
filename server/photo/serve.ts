import { ApiError } from '#server/http/api-error.ts';
import { FinishedResponse } from '#server/http/finished-response.ts';
import { matchesEtag } from '#server/http/negotiation.ts';
import { sendFinished } from '#server/http/send.ts';
import type { AppContext } from '#server/context.ts';

import { parsePhotoName, photoHeaders } from '#server/storage/photo-store.ts';

/** Photos under /photos/. A name of another form never reaches the store. */
export function servePhotos({ fastify, dependencies, readRateLimit }: AppContext): void {
  fastify.get<{ Params: { name: string } }>('/photos/:name', async (request, reply) => {
    readRateLimit.count(request);
    const { name } = request.params;
    if (!parsePhotoName(name)) throw noPhoto();
    const etag = `"${name}"`;
    // One name never has two contents, so a 304 needs no read.
    const isKnown = matchesEtag(request.headers['if-none-match'], etag);
    const body = isKnown ? Buffer.alloc(0) : await dependencies.photos.read(name);
    if (!body) throw noPhoto();
    const headers = { ...photoHeaders(name), 'cross-origin-resource-policy': 'cross-origin' };
    return sendFinished(request, reply, new FinishedResponse({ body, etag, headers }));
  });
}

function noPhoto(): ApiError {
  return new ApiError('not_found', 'There is no such photo.');
}
