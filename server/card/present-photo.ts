import { userIdSchema } from '#domain/identifier.ts';
import { PHOTO_SIDE_PX_MIN } from '#domain/photo.ts';
import { presentPhotoPath } from '#domain/share.ts';
import type { AppContext } from '#server/context.ts';
import { cardNotFoundError } from '#server/http/api-error.ts';
import { FinishedResponse } from '#server/http/finished-response.ts';
import { sendFinished } from '#server/http/send.ts';
import { findProfile } from '#server/profile/store.ts';
import { readJpeg } from '#server/storage/photo-store.ts';

const ROUTE = presentPhotoPath(':userID');
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
      const { photos } = dependencies;
      const body = await readJpeg(photos, profile?.profilePhoto ?? '', PHOTO_SIDE_PX_MIN);
      const headers = { 'content-type': 'image/jpeg', 'cache-control': CACHE_CONTROL };
      return body && new FinishedResponse({ body, headers });
    });
    if (!photo) throw cardNotFoundError();
    return sendFinished(request, reply, photo);
  });
}
