import { createHash } from 'node:crypto';

import { displayName, initials } from '#domain/display.ts';
import { PHOTO_SIDE_PX_MAX } from '#domain/photo.ts';
import type { Profile } from '#domain/profile.ts';
import { cardPath } from '#domain/share.ts';
import type { AppContext } from '#server/context.ts';
import { cardNotFoundError } from '#server/error.ts';
import { countCardRead } from '#server/http/card-route.ts';
import type { CardParams } from '#server/http/card-route.ts';
import { matchesEtag } from '#server/http/etag.ts';
import { FinishedResponse } from '#server/http/finished-response.ts';
import { sendFinished } from '#server/http/send.ts';
import { findProfile } from '#server/profile/store.ts';
import { readJpeg } from '#server/storage/photo-store.ts';

import placeholderBase64 from './placeholder-preview.txt?raw';
import { renderPreview } from './preview-image.ts';
import { renderableText } from './preview-text.ts';
import { createRenderLane, waitForRender } from './render.ts';

const VERSION_LENGTH = 12;
/** Increase it whenever the layout changes, so that no cache shows the old picture. */
const LAYOUT_VERSION = 1;

const ROUTE = unversionedPath(':userID');
/** The picture of one version never changes. Without a version it is revalidated each time. */
const VERSIONED_CACHE_CONTROL = 'public, max-age=31536000, immutable';
const UNVERSIONED_CACHE_CONTROL = 'public, no-cache';

/** The headers of every preview picture, except Cache-Control. */
const PICTURE_HEADERS = {
  'content-type': 'image/jpeg',
  'cross-origin-resource-policy': 'cross-origin',
};
/** A stored picture without text, for a card whose preview picture is not ready in time. */
const PLACEHOLDER = new FinishedResponse({
  body: Buffer.from(placeholderBase64, 'base64'),
  headers: { ...PICTURE_HEADERS, 'cache-control': 'no-store' },
});

interface PreviewRoute {
  Params: CardParams;
  Querystring: { v?: string | string[] };
}

/** Registers the picture that chats show with a link to a card. */
export function previewRoutes(context: AppContext): void {
  const { fastify, dependencies, responses } = context;
  const { productName } = context.settings;
  const lane = createRenderLane();
  const etagOf = (profile: Profile) => `"${previewVersion(profile, productName)}"`;

  /** Renders the picture, unless the stale one is of the same version. */
  async function renderIfChanged(userId: string, stale: FinishedResponse | null) {
    const profile = await findProfile(dependencies.database, userId);
    if (!profile) return null;
    const etag = etagOf(profile);
    if (stale?.etag === etag) return stale;
    return toResponse(etag, await lane.run(() => renderPicture(context, profile), userId));
  }

  fastify.get<PreviewRoute>(ROUTE, async (request, reply) => {
    const userId = countCardRead(context, request);
    if (userId === null) throw cardNotFoundError();
    const key = { userId, path: unversionedPath(userId), route: ROUTE };
    const tag = request.headers['if-none-match'];
    if (tag !== undefined && !responses.lookup(key.path)) {
      const profile = await findProfile(dependencies.database, userId);
      const etag = profile && etagOf(profile);
      // This response is always a 304, so its body is never sent.
      if (etag !== null && matchesEtag(tag, etag)) {
        return sendFinished(request, reply, toResponse(etag, Buffer.alloc(0)));
      }
    }
    const rendered = responses.getOrRender(key, (stale) => renderIfChanged(userId, stale));
    // Not an error: chat apps do not retry.
    const picture = await waitForRender(rendered, PLACEHOLDER);
    if (!picture) throw cardNotFoundError();
    const version = String(request.query.v);
    if (picture.etag !== `"${version}"`) return sendFinished(request, reply, picture);
    // Not `isVersioned`: if another node removes the card and no notification arrives, this picture
    // still ends with its lifetime.
    const versioned = await responses.getOrRender(
      { ...key, path: `${key.path}?v=${version}` },
      async () => picture.withHeaders({ 'cache-control': VERSIONED_CACHE_CONTROL }),
    );
    return sendFinished(request, reply, versioned);
  });
}

function toResponse(etag: string, body: Buffer): FinishedResponse {
  const headers = { ...PICTURE_HEADERS, 'cache-control': UNVERSIONED_CACHE_CONTROL };
  return new FinishedResponse({ body, etag, headers });
}

function unversionedPath(userId: string): string {
  return `${cardPath(userId)}/preview.jpg`;
}

/**
 * Returns the path of a card's preview picture. It has a version, so that it can be cached for a
 * year.
 */
export function previewPath(profile: Profile, productName: string): string {
  return `${unversionedPath(profile._id)}?v=${previewVersion(profile, productName)}`;
}

/** Returns a hash of everything that the picture shows: layout, profile fields and product name. */
function previewVersion(profile: Profile, productName: string): string {
  const { name, designation, companyName, profilePhoto } = profile;
  const shown = [LAYOUT_VERSION, name, designation, companyName, profilePhoto, productName];
  const hash = createHash('sha256').update(JSON.stringify(shown)).digest('base64url');
  return hash.slice(0, VERSION_LENGTH);
}

async function renderPicture(
  { settings, dependencies }: AppContext,
  profile: Profile,
): Promise<Buffer> {
  const photo = await readJpeg(dependencies.photos, profile.profilePhoto, PHOTO_SIDE_PX_MAX);
  const name = renderableText(displayName(profile));
  const card = {
    id: profile._id,
    name,
    initials: initials({ name }),
    designation: renderableText(profile.designation),
    companyName: renderableText(profile.companyName),
    productName: renderableText(settings.productName),
    photo,
  };
  return dependencies.renderer.render((renderImage) => renderPreview(renderImage, card));
}
