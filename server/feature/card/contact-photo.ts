import { LRUCache } from 'lru-cache';

import { SECOND_MS } from '#domain/duration.ts';
import { PHOTO_SIDE_PX_MIN } from '#domain/photo.ts';
import type { Profile } from '#domain/profile.ts';
import type { Dependencies } from '#server/context.ts';
import { ApiError } from '#server/error.ts';
import type { RenderImage } from '#server/adapter/image/renderer.ts';
import { readJpeg } from '#server/adapter/storage/photo-store.ts';

import { createRenderLimiter, waitForRender } from './render.ts';

/** The longest photo of a contact file in characters of base64: some address books drop larger ones. */
const BASE64_LENGTH_MAX = 12_000;
/** The size of the largest JPEG with that many characters in base64. */
const PHOTO_BYTES_MAX = (BASE64_LENGTH_MAX / 4) * 3;
/** The pictures to try, from the best to the smallest. */
const ATTEMPTS = [
  { sidePx: 200, jpegQuality: 70 },
  { sidePx: 160, jpegQuality: 60 },
  { sidePx: 120, jpegQuality: 50 },
  { sidePx: 80, jpegQuality: 40 },
] as const;

/** A visitor who has pressed Save waits no longer for the photo. */
const WAIT_MS = 2 * SECOND_MS;
/** At most 12 KB each. */
const PHOTOS_MAX = 500;

/**
 * Returns a function that returns the JPEG of a card's photo in base64 of at most 12,000 characters; ''
 * without a photo. A photo is rendered once. The function throws ApiError 'unavailable' if it is not
 * ready within 2 s, or if the photo store or the renderer is not available.
 */
export function createContactPhotos(dependencies: Dependencies) {
  const limiter = createRenderLimiter();
  // By the path of the photo, whose content never changes.
  const rendered = new LRUCache<string, string, string>({
    max: PHOTOS_MAX,
    ignoreFetchAbort: true,
    fetchMethod: async (profilePhoto, _stale, { context: userId }) => {
      const photo = await limiter.run(() => readContactPhoto(dependencies, profilePhoto), userId);
      return photo?.toString('base64');
    },
  });
  return async ({ _id: userId, profilePhoto }: Profile): Promise<string> => {
    if (profilePhoto === '') return '';
    const fetched = rendered.fetch(profilePhoto, { context: userId });
    const photo = await waitForRender(fetched, WAIT_MS, () => null);
    if (photo === null) throw new ApiError('unavailable', 'The photo is not ready.');
    return photo ?? '';
  };
}

/** Returns the photo as a JPEG that is small enough; null for none. */
async function readContactPhoto(
  { photos, renderer }: Pick<Dependencies, 'photos' | 'renderer'>,
  profilePhoto: string,
): Promise<Buffer | null> {
  const stored = await readJpeg(photos, profilePhoto, PHOTO_SIDE_PX_MIN);
  if (stored === null || stored.length <= PHOTO_BYTES_MAX) return stored;
  return renderer.render((renderImage) => renderSmaller(renderImage, stored));
}

async function renderSmaller(renderImage: RenderImage, stored: Buffer): Promise<Buffer | null> {
  for (const { sidePx, jpegQuality } of ATTEMPTS) {
    const side = `width="${sidePx}" height="${sidePx}"`;
    const image = `<image ${side} href="data:image/jpeg;base64,${stored.toString('base64')}"/>`;
    const input = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${side}>${image}</svg>`);
    const { data } = await renderImage({ input, jpegQuality });
    if (data.length <= PHOTO_BYTES_MAX) return data;
  }
  return null;
}
