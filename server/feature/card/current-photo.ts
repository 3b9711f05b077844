import { PHOTO_SIDE_PX_MIN } from '#domain/photo.ts';
import { currentPhotoPath } from '#domain/share.ts';
import { publicRoute } from '#server/adapter/cache/public-route.ts';
import type { AppContext } from '#server/context.ts';
import { FinishedResponse } from '#server/http/finished-response.ts';
import { findProfile } from '#server/adapter/profile/store.ts';
import { readJpeg } from '#server/adapter/storage/photo-store.ts';

const HEADERS = { 'content-type': 'image/jpeg', 'cache-control': 'public, max-age=300' };

/**
 * Registers the card's current photo (JPEG, 224 pixels) at a path that stays when the photo changes,
 * for e-mail signatures. Without a photo it is 404.
 */
export function currentPhotoRoutes(context: AppContext): void {
  const { dependencies, responses } = context;
  const { database, photos } = dependencies;

  async function render(userId: string): Promise<FinishedResponse | null> {
    const profile = await findProfile(database, userId);
    const body = await readJpeg(photos, profile?.profilePhoto ?? '', PHOTO_SIDE_PX_MIN);
    return body && new FinishedResponse({ body, headers: HEADERS });
  }

  publicRoute(context, {
    url: currentPhotoPath(':userID'),
    pathOf: currentPhotoPath,
    respond: (key) => responses.getOrRender(key, () => render(key.userId)),
  });
}
