import { ApiError } from '#server/error.ts';
import { FinishedResponse } from '#server/http/finished-response.ts';
import { matchesEtag } from '#server/http/etag.ts';
import { sendFinished } from '#server/http/send.ts';
import type { AppContext } from '#server/context.ts';
import { Unavailable } from '#server/db/database.ts';
import { findPhoto } from '#server/profile/store.ts';
import { parsePhotoName, photoFileNames, photoHeaders } from '#server/storage/photo-store.ts';

const ROUTE = '/photos/:name';

/**
 * Serves the photos under /photos/, from the cache if possible. Rejects a name that its owner's card
 * does not use, and the photos of users who do not exist or are blocked, before the store is read.
 */
export function servePhotos(context: AppContext): void {
  const { fastify, dependencies, responses, readRateLimit } = context;

  /** Throws ApiError 'not_found' or 'card_blocked'. While the database is unavailable it allows all. */
  async function checkName(name: string, userId: string): Promise<void> {
    const photo = await findPhoto(dependencies.database, userId).catch((error: unknown) => {
      if (error instanceof Unavailable) return undefined;
      throw error;
    });
    if (photo === undefined) return;
    if (photo === null || !photoFileNames(photo).includes(name)) throw photoNotFoundError();
  }

  fastify.get<{ Params: { name: string } }>(ROUTE, async (request, reply) => {
    readRateLimit.countOrThrow(request);
    const { name } = request.params;
    const userId = parsePhotoName(name)?.userId;
    if (userId === undefined) throw photoNotFoundError();
    // The content under a name never changes, so a 304 needs no read of the file.
    if (matchesEtag(request.headers['if-none-match'], etagOf(name))) {
      await checkName(name, userId);
      return sendFinished(request, reply, finishedPhoto(name, Buffer.alloc(0)));
    }
    const key = { userId, path: `/photos/${name}`, route: ROUTE };
    const response = await responses.getOrRender(key, async (stale) => {
      await checkName(name, userId);
      if (stale) return stale;
      const body = await dependencies.photos.read(name);
      return body && finishedPhoto(name, body);
    });
    if (!response) throw photoNotFoundError();
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

function photoNotFoundError(): ApiError {
  return new ApiError('not_found', 'There is no such photo.');
}
