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
const PHOTO_BYTES_MAX = (BASE64_LENGTH_MAX / 4) * 3;
const ATTEMPTS = [
  { sidePx: 200, jpegQuality: 70 },
  { sidePx: 160, jpegQuality: 60 },
  { sidePx: 120, jpegQuality: 50 },
  { sidePx: 80, jpegQuality: 40 },
] as const;

/** A visitor who has pressed Save waits no longer for the photo. */
const WAIT_MS = 2 * SECOND_MS;
const PHOTOS_MAX = 500;

/**
 * At most 12,000 characters of base64; '' without a photo. Throws ApiError 'unavailable' after 2 s.
 */
export function createContactPhotos(dependencies: Dependencies) {
  const limiter = createRenderLimiter();
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
