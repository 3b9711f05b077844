import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { displayName, initials } from '#domain/display.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { userIdSchema } from '#domain/identifier.ts';
import type { Profile } from '#domain/profile.ts';
import { cardPath } from '#domain/share.ts';
import type { AppContext } from '#server/context.ts';
import { ApiError } from '#server/http/api-error.ts';
import { FinishedResponse } from '#server/http/finished-response.ts';
import { matchesEtag } from '#server/http/etag.ts';
import { sendFinished } from '#server/http/send.ts';
import { findProfile } from '#server/profile/store.ts';

import { PLAIN_PREVIEW } from './plain-preview.ts';
import { renderPreview } from './preview-image.ts';
import { renderableText } from './preview-text.ts';
import { RenderQueue } from './render-queue.ts';

/** Chats wait a few seconds for a picture. */
const RENDER_WAIT_MS = 2 * SECOND_MS;

const VERSION_LENGTH = 12;
/** Increase it whenever the layout changes, so that no cache shows the old picture. */
const LAYOUT = 1;

const ROUTE = '/user/:userID/preview.jpg';
/** The picture of one version never changes. Without a version it is revalidated each time. */
const VERSIONED_CACHE_CONTROL = 'public, max-age=31536000, immutable';
const UNVERSIONED_CACHE_CONTROL = 'public, no-cache';
const PICTURE_HEADERS = {
  'cache-control': UNVERSIONED_CACHE_CONTROL,
  'content-type': 'image/jpeg',
  'cross-origin-resource-policy': 'cross-origin',
};
const PHOTO_PATH = /^\/photos\/([\w-]+\.jpg)$/;

interface PreviewRoute {
  Params: { userID: string };
  Querystring: { v?: string | string[] };
}

/** Registers the picture that chats show with a link to a card. */
export function previewRoutes(context: AppContext): void {
  const { fastify, dependencies, responses, readRateLimit } = context;
  const queue = new RenderQueue();

  /** Renders the picture, unless the stale one is of the same version. */
  async function findPicture(userId: string, stale: FinishedResponse | null) {
    const profile = await findProfile(dependencies.database, userId);
    if (!profile) return null;
    if (stale?.etag === previewEtag(profile)) return stale;
    return toResponse(profile, await queue.run(userId, () => renderPicture(context, profile)));
  }

  fastify.get<PreviewRoute>(ROUTE, async (request, reply) => {
    readRateLimit.countOrThrow(request);
    const userId = request.params.userID;
    if (!userIdSchema.safeParse(userId).success) throw noCard();
    const key = { userId, path: unversionedPath(userId), route: ROUTE };
    const tag = request.headers['if-none-match'];
    if (tag !== undefined && !responses.lookup(key.path)) {
      // A 304 needs no picture.
      const profile = await findProfile(dependencies.database, userId);
      const known = profile && toResponse(profile, Buffer.alloc(0));
      if (known?.etag && matchesEtag(tag, known.etag)) return sendFinished(request, reply, known);
    }
    const picture = await inTime(responses.getOrRender(key, (stale) => findPicture(userId, stale)));
    if (!picture) throw noCard();
    const version = String(request.query.v);
    if (picture.etag !== `"${version}"`) return sendFinished(request, reply, picture);
    const versioned = await responses.getOrRender(
      { ...key, path: `${key.path}?v=${version}` },
      async () => picture.withHeaders({ 'cache-control': VERSIONED_CACHE_CONTROL }),
    );
    return sendFinished(request, reply, versioned);
  });
}

function toResponse(profile: Profile, body: Buffer): FinishedResponse {
  return new FinishedResponse({ body, etag: previewEtag(profile), headers: PICTURE_HEADERS });
}

function unversionedPath(userId: string): string {
  return `${cardPath(userId)}/preview.jpg`;
}

/** Returns the path of a card's preview picture. It has a version, so that it can be cached for a year. */
export function previewPath(profile: Profile): string {
  return `${unversionedPath(profile._id)}?v=${previewVersion(profile)}`;
}

/** A hash of everything in the profile that the picture shows. */
function previewVersion(profile: Profile): string {
  const { name, designation, companyName, profilePhoto } = profile;
  const shown = [LAYOUT, name, designation, companyName, profilePhoto];
  const hash = createHash('sha256').update(JSON.stringify(shown)).digest('base64url');
  return hash.slice(0, VERSION_LENGTH);
}

function previewEtag(profile: Profile): string {
  return `"${previewVersion(profile)}"`;
}

async function renderPicture(
  { settings, dependencies }: AppContext,
  profile: Profile,
): Promise<Buffer> {
  const photoName = PHOTO_PATH.exec(profile.profilePhoto)?.[1];
  const photo = photoName === undefined ? null : await dependencies.photos.read(photoName);
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
  return dependencies.renderer.render((renderStep) => renderPreview(renderStep, card));
}

/**
 * Returns the picture; the plain one where it is not ready in time or could not be rendered. Chats do
 * not repeat a request that failed. The picture is there at the next one.
 */
async function inTime(picture: Promise<FinishedResponse | null>): Promise<FinishedResponse | null> {
  const done = new AbortController();
  const { signal } = done;
  try {
    return await Promise.race([picture, delay(RENDER_WAIT_MS, PLAIN_PREVIEW, { signal })]);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unavailable') return PLAIN_PREVIEW;
    throw error;
  } finally {
    done.abort();
    picture.catch(() => undefined);
  }
}

function noCard(): ApiError {
  return new ApiError('not_found', 'There is no such card.');
}
