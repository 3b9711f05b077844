import { displayName, initials } from '#domain/display.ts';
import { userIdSchema } from '#domain/identifier.ts';
import type { Profile } from '#domain/profile.ts';
import { ApiError } from '#server/http/api-error.ts';
import type { AppContext } from '#server/context.ts';
import { previewVersion } from './preview-path.ts';
import { findProfile } from '#server/profile/store.ts';

import { ImageCache } from './image-cache.ts';
import { drawPreview } from './preview-image.ts';
import { drawableText } from './renderable-text.ts';

/** Under a matching version the picture never changes; without one it is asked about each time. */
const FOREVER = 'public, max-age=31536000, immutable';
const ASK_FIRST = 'public, no-cache';
const OWN_PHOTO = /^\/photos\/([\w-]+\.jpg)$/;

interface Asked {
  Params: { userID: string };
  Querystring: { v?: string | string[] };
}

/** The picture that a link to a card is shown with. */
export function previewRoutes(context: AppContext): void {
  const { fastify, settings, dependencies, readRateLimit } = context;
  const imageCache = new ImageCache();

  async function draw(profile: Profile): Promise<Buffer> {
    const photoName = OWN_PHOTO.exec(profile.profilePhoto)?.[1];
    const photo = photoName === undefined ? null : await dependencies.photos.read(photoName);
    const name = drawableText(displayName(profile));
    const card = {
      id: profile._id,
      name,
      initials: initials({ name }),
      designation: drawableText(profile.designation),
      companyName: drawableText(profile.companyName),
      productName: drawableText(settings.productName),
      photo,
    };
    return dependencies.renderer.render((renderStep) => drawPreview(renderStep, card));
  }

  fastify.get<Asked>('/user/:userID/preview.jpg', async (request, reply) => {
    readRateLimit.count(request);
    const userId = userIdSchema.safeParse(request.params.userID);
    const profile = userId.success ? await findProfile(dependencies.database, userId.data) : null;
    if (!profile) throw new ApiError('not_found', 'There is no such card.');
    const version = previewVersion(profile);
    const etag = `"${version}"`;
    void reply
      .header('cache-control', request.query.v === version ? FOREVER : ASK_FIRST)
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('etag', etag);
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    const picture = await imageCache.show(`${profile._id}-${version}`, () => draw(profile));
    return reply.type('image/jpeg').send(picture);
  });
}
