import { PHOTO_SIDE_PX_MIN } from '#domain/photo.ts';
import type { Profile } from '#domain/profile.ts';
import type { AppContext, Dependencies } from '#server/context.ts';
import { ApiError } from '#server/error.ts';
import { FinishedResponse } from '#server/http/finished-response.ts';
import type { RenderImage } from '#server/adapter/image/renderer.ts';
import { readJpeg } from '#server/adapter/storage/photo-store.ts';

import { createRenderLane, waitForRender } from './render.ts';

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

/** The photos of contact files. */
export class ContactPhotos {
  readonly #context: Pick<AppContext, 'responses' | 'dependencies'>;
  readonly #lane = createRenderLane();

  constructor(context: Pick<AppContext, 'responses' | 'dependencies'>) {
    this.#context = context;
  }

  /**
   * Returns the JPEG of a card's photo in base64 of at most 12,000 characters; '' without a photo. A
   * photo is rendered once, whatever the origin of the file is. Throws ApiError 'unavailable' if it is
   * not ready within 2 s, or if the photo store or the renderer is not available.
   */
  async read({ _id: userId, profilePhoto }: Profile): Promise<string> {
    const { responses, dependencies } = this.#context;
    // No URL has a space, so no request finds the cached photo.
    const key = { userId, path: `contact photo ${profilePhoto}`, origin: '', route: '' };
    const rendered = responses.getOrRender(key, async () =>
      toResponse(await this.#lane.run(() => readContactPhoto(dependencies, profilePhoto), userId)),
    );
    const photo = await waitForRender<FinishedResponse | null>(rendered, null);
    if (photo === null) throw new ApiError('unavailable', 'The photo is not ready.');
    return photo.body.toString('base64');
  }
}

function toResponse(photo: Buffer | null): FinishedResponse {
  const body = photo ?? Buffer.alloc(0);
  return new FinishedResponse({ body, headers: { 'content-type': 'image/jpeg' } });
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
