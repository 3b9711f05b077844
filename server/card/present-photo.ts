import { userIdSchema } from '#domain/identifier.ts';
import { presentPhotoPath } from '#domain/share.ts';
import type { AppContext } from '#server/context.ts';
import { FinishedResponse } from '#server/http/finished-response.ts';
import { sendFinished } from '#server/http/send.ts';
import { findProfile } from '#server/profile/store.ts';

import { cardNotFoundError } from './not-found.ts';

const ROUTE = presentPhotoPath(':userID');
const PHOTO_PATH = /^\/photos\/([\w-]+)-448\.jpg$/;
/** The side of the smaller stored file. */
const SIDE_PX = 224;
const CACHE_CONTROL = 'public, max-age=300';

/**
 * Registers the card's present photo (JPEG, 224 pixels) at a path that stays when the photo changes,
 * for e-mail signatures. Without a photo it is 404.
 */
export function presentPhotoRoutes(context: AppContext): void {
  const { fastify, dependencies, responses, readRateLimit } = context;
  fastify.get<{ Params: { userID: string } }>(ROUTE, async (request, reply) => {
    readRateLimit.countOrThrow(request);
    const userId = request.params.userID;
    if (!userIdSchema.safeParse(userId).success) throw cardNotFoundError();
    const key = { userId, path: presentPhotoPath(userId), route: ROUTE };
    const photo = await responses.getOrRender(key, async () => {
      const profile = await findProfile(dependencies.database, userId);
      const name = PHOTO_PATH.exec(profile?.profilePhoto ?? '')?.[1];
      const body =
        name === undefined ? null : await dependencies.photos.read(`${name}-${SIDE_PX}.jpg`);
      const headers = { 'content-type': 'image/jpeg', 'cache-control': CACHE_CONTROL };
      return body && new FinishedResponse({ body, headers });
    });
    if (!photo) throw cardNotFoundError();
    return sendFinished(request, reply, photo);
  });
}
