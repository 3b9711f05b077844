import { PHOTO_SIDE_PX_MIN } from '#domain/photo.ts';
import type { Dependencies } from '#server/context.ts';
import type { RenderImage } from '#server/image/renderer.ts';
import { readJpeg } from '#server/storage/photo-store.ts';

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

/**
 * Returns the JPEG of a `profilePhoto` for a contact file, in base64 of at most 12,000 characters; ''
 * without a photo. Throws ApiError 'unavailable' if the photo store or the renderer is.
 */
export async function readContactPhoto(
  { photos, renderer }: Pick<Dependencies, 'photos' | 'renderer'>,
  profilePhoto: string,
): Promise<string> {
  const stored = await readJpeg(photos, profilePhoto, PHOTO_SIDE_PX_MIN);
  if (stored === null) return '';
  const photo =
    stored.length <= PHOTO_BYTES_MAX
      ? stored
      : await renderer.render((renderImage) => renderSmaller(renderImage, stored));
  return photo?.toString('base64') ?? '';
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
