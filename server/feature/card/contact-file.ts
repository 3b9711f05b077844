import { LRUCache } from 'lru-cache';

import { parseLinks, shownExtras } from '#domain/extras.ts';
import { socialLinks } from '#domain/handle.ts';
import type { Profile } from '#domain/profile.ts';
import { cardPath } from '#domain/share.ts';
import { contactFileDisposition, writeVcard } from '#domain/vcard.ts';
import type { VcardExtras, VcardTexts } from '#domain/vcard.ts';
import { publicRoute } from '#server/http/cache/public-route.ts';
import type { CardKey } from '#server/http/cache/public-route.ts';
import type { AppContext, Dependencies } from '#server/context.ts';
import { ApiError } from '#server/error.ts';
import { StoredResponse } from '#server/http/stored-response.ts';
import { phonesForExport } from '#server/adapter/profile/phone.ts';
import { findCard } from '#server/adapter/profile/card.ts';
import type { Card } from '#server/adapter/profile/card.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { PHOTO_SIDE_PX_MIN } from '#domain/photo.ts';
import type { RenderImage } from '#server/adapter/image/renderer.ts';
import { readJpeg } from '#server/adapter/storage/photo-store.ts';

import { createRenderLimiter, waitForRender } from './render.ts';

/** The contact file has a URL because phones do not open files that a script creates. */
export function contactFileRoutes(context: AppContext): void {
  const { settings, dependencies, responses } = context;
  const { readPhone } = dependencies;
  const readSmallPhoto = createContactPhotoReader(dependencies);

  async function render(key: CardKey, readPhoto: ReadPhoto) {
    const card = await findCard(dependencies.database, key.userId, context.brand);
    if (card === null) return null;
    const { profile } = card;
    const fields = { ...profile, phone: phonesForExport(readPhone, profile.phone) };
    return createContactFile(key, fields, await readExtras(card, key.origin, readPhoto));
  }

  async function readExtras({ profile, extras }: Card, origin: string, readPhoto: ReadPhoto) {
    if (settings.contactFile !== 'full') return undefined;
    const { phone, email, links, address } = shownExtras(extras, settings.cardExtras);
    return {
      url: `${origin}${cardPath(profile._id)}`,
      links: [
        ...socialLinks(profile.socialMediaHandles).map(({ name, href }) => ({
          label: name,
          url: href,
        })),
        ...parseLinks(links),
      ],
      phone: phonesForExport(readPhone, phone ?? ''),
      email: email ?? '',
      address: address ?? '',
      note: profile.bio,
      photo: await readPhoto(profile),
    };
  }

  publicRoute(context, {
    url: contactFilePath(':userID'),
    pathOf: contactFilePath,
    containsOrigin: settings.contactFile === 'full',
    respond: async (key) => {
      try {
        return await responses.getOrRender(key, () => render(key, readSmallPhoto));
      } catch (error) {
        const isPhotoUnavailable = error instanceof ApiError && error.code === 'unavailable';
        if (!isPhotoUnavailable) throw error;
        // This file has no photo, so it is not cached.
        return render(key, async () => '');
      }
    },
  });
}

function contactFilePath(userId: string): string {
  return `${cardPath(userId)}/contact.vcf`;
}

type ReadPhoto = (profile: Profile) => Promise<string>;

function createContactFile(
  key: CardKey,
  fields: VcardTexts,
  extras: VcardExtras | undefined,
): StoredResponse {
  return new StoredResponse({
    body: writeVcard(fields, extras),
    headers: {
      'content-type': 'text/vcard; charset=utf-8',
      'content-disposition': contactFileDisposition(fields.name),
      'cache-control': key.isShareable ? 'no-cache' : 'private, no-cache',
    },
  });
}

/** Some address books drop a photo that is longer than this, in characters of base64. */
const BASE64_LENGTH_MAX = 12_000;
const PHOTO_BYTES_MAX = (BASE64_LENGTH_MAX / 4) * 3;
const SHRINK_STEPS = [
  { sidePx: 200, jpegQuality: 70 },
  { sidePx: 160, jpegQuality: 60 },
  { sidePx: 120, jpegQuality: 50 },
  { sidePx: 80, jpegQuality: 40 },
] as const;

/** A visitor who has pressed Save does not wait longer than this for the photo. */
const WAIT_MS = 2 * SECOND_MS;
const PHOTOS_MAX = 500;

/** The returned function reads a photo as base64, '' if there is none. It throws 'unavailable' after 2 s. */
export function createContactPhotoReader(dependencies: Dependencies) {
  const limiter = createRenderLimiter();
  const photoCache = new LRUCache<string, string, string>({
    max: PHOTOS_MAX,
    ignoreFetchAbort: true,
    fetchMethod: async (profilePhoto, _stale, { context: userId }) => {
      const photo = await limiter.run(() => readContactPhoto(dependencies, profilePhoto), userId);
      return photo?.toString('base64');
    },
  });
  return async ({ _id: userId, profilePhoto }: Profile): Promise<string> => {
    if (profilePhoto === '') return '';
    const fetched = photoCache.fetch(profilePhoto, { context: userId });
    const photo = await waitForRender(fetched, WAIT_MS, () => null);
    if (photo === null) throw new ApiError('unavailable', "The photo isn't ready.");
    return photo ?? '';
  };
}

async function readContactPhoto(
  { photos, renderer }: Pick<Dependencies, 'photos' | 'renderer'>,
  profilePhoto: string,
): Promise<Buffer | null> {
  const stored = await readJpeg(photos, profilePhoto, PHOTO_SIDE_PX_MIN);
  if (stored === null || stored.length <= PHOTO_BYTES_MAX) return stored;
  return renderer.render((renderImage) => renderSmaller(renderImage, stored));
}

async function renderSmaller(renderImage: RenderImage, stored: Buffer): Promise<Buffer | null> {
  for (const { sidePx, jpegQuality } of SHRINK_STEPS) {
    const side = `width="${sidePx}" height="${sidePx}"`;
    const image = `<image ${side} href="data:image/jpeg;base64,${stored.toString('base64')}"/>`;
    const input = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${side}>${image}</svg>`);
    const { data } = await renderImage({ input, jpegQuality });
    if (data.length <= PHOTO_BYTES_MAX) return data;
  }
  return null;
}
