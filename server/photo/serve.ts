import { ApiError } from '#server/http/api-error.ts';
import { FinishedResponse } from '#server/http/finished-response.ts';
import { matchesEtag } from '#server/http/etag.ts';
import { sendFinished } from '#server/http/send.ts';
import type { AppContext } from '#server/context.ts';
import { isRemovedUser } from '#server/removal/finish-removal.ts';
import { parsePhotoName, photoHeaders } from '#server/storage/photo-store.ts';

const ROUTE = '/photos/:name';

/**
 * Serves the photos under /photos/, from the cache if possible. Rejects an invalid name before the
 * store is read.
 */
export function servePhotos(context: AppContext): void {
  const { fastify, dependencies, responses, readRateLimit } = context;
  const { database, photos } = dependencies;
  // Photos are served without the database too.
  const wasRemoved = (userId: string) => isRemovedUser(database, userId).catch(() => false);

  fastify.get<{ Params: { name: string } }>(ROUTE, async (request, reply) => {
    readRateLimit.countOrThrow(request);
    const { name } = request.params;
    const photo = parsePhotoName(name);
    if (!photo) throw noPhoto();
    // The content under a name never changes, so a 304 needs no read.
    if (matchesEtag(request.headers['if-none-match'], etagOf(name))) {
      return sendFinished(request, reply, finishedPhoto(name, Buffer.alloc(0)));
    }
    const { userId } = photo;
    const key = { userId, path: `/photos/${name}`, route: ROUTE, isVersioned: true };
    const response = await responses.getOrRender(key, async () => {
      const [body, isRemoved] = await Promise.all([photos.read(name), wasRemoved(userId)]);
      return isRemoved ? null : body && finishedPhoto(name, body);
    });
    if (!response) throw noPhoto();
    return sendFinished(request, reply, response);
  });
}

function etagOf(name: string): string {
  return `"${name}"`;
}

function finishedPhoto(name: string, body: Buffer): FinishedResponse {
  const headers = { ...photoHeaders(name), 'cross-origin-resource-policy': 'cross-origin' };
  return new FinishedResponse({ body, etag: etagOf(name), headers });
}

function noPhoto(): ApiError {
  return new ApiError('not_found', 'There is no such photo.');
}
