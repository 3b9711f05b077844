import { PHOTO_SIDE_PX_MIN } from '#domain/photo.ts';
import { currentPhotoPath } from '#domain/share.ts';
import { cacheControl, publicRoute } from '#server/http/cache/public-route.ts';
import type { CardKey } from '#server/http/cache/public-route.ts';
import type { AppContext } from '#server/context.ts';
import { StoredResponse } from '#server/http/stored-response.ts';
import { findProfile } from '#server/adapter/profile/store.ts';
import { readJpeg } from '#server/adapter/storage/photo-store.ts';

const CACHE_CONTROL = 'max-age=300';

/** JPEG, 224 pixels, at a path that stays when the photo changes, for e-mail signatures. */
export function currentPhotoRoutes(context: AppContext): void {
  const { dependencies, responses } = context;
  const { database, photos } = dependencies;

  async function render(key: CardKey): Promise<StoredResponse | null> {
    const profile = await findProfile(database, key.userId);
    const body = await readJpeg(photos, profile?.profilePhoto ?? '', PHOTO_SIDE_PX_MIN);
    const headers = {
      'content-type': 'image/jpeg',
      'cache-control': cacheControl(key, CACHE_CONTROL),
    };
    return body && new StoredResponse({ body, headers });
  }

  publicRoute(context, {
    url: currentPhotoPath(':userID'),
    pathOf: currentPhotoPath,
    respond: (key) => responses.getOrRender(key, () => render(key)),
  });
}
