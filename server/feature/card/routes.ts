import { PHOTO_SIDE_PX_MIN } from '#domain/photo.ts';
import type { Profile } from '#domain/profile.ts';
import { cardPath, currentPhotoPath, qrPath } from '#domain/share.ts';
import { qrSvg } from '#view/qr-code.ts';
import type { AppContext } from '#server/context.ts';
import { findVersionedProfile } from '#server/adapter/profile/store.ts';
import { readJpeg } from '#server/adapter/storage/photo-store.ts';
import { publicRoute } from '#server/http/cache/public-route.ts';
import { cacheControl } from '#server/http/headers.ts';
import { StoredResponse } from '#server/http/stored-response.ts';

import { cardPageRoutes } from './card-page.ts';
import { contactFileRoutes } from './contact-file.ts';
import { previewRoutes } from './preview.ts';

const CACHE_CONTROL = 'max-age=300';

export function cardRoutes(context: AppContext): void {
  cardPageRoutes(context);
  contactFileRoutes(context);
  previewRoutes(context);
  pictureRoutes(context);
}

function pictureRoutes(context: AppContext): void {
  const { responses } = context;
  const { database, photos } = context.dependencies;
  const pictures = [
    {
      // Email signatures link to this JPEG of 224 pixels. Its path stays when the photo changes.
      pathOf: currentPhotoPath,
      type: 'image/jpeg',
      containsOrigin: false,
      draw: ({ profilePhoto }: Profile) => readJpeg(photos, profilePhoto, PHOTO_SIDE_PX_MIN),
    },
    {
      // The printed card page shows this QR code.
      pathOf: qrPath,
      type: 'image/svg+xml',
      containsOrigin: true,
      draw: ({ _id }: Profile, origin: string) => qrSvg(`${origin}${cardPath(_id)}`),
    },
  ];
  for (const { pathOf, type, containsOrigin, draw } of pictures)
    publicRoute(context, {
      url: pathOf(':userID'),
      pathOf,
      containsOrigin,
      respond: (key) =>
        responses.getOrRender(key, async () => {
          const profile = (await findVersionedProfile(database, key.userId))?.profile ?? null;
          const body = profile && (await draw(profile, key.origin));
          const headers = {
            'content-type': type,
            'cache-control': cacheControl(key, CACHE_CONTROL),
          };
          return body ? new StoredResponse({ body, headers }) : null;
        }),
    });
}
