import { IMAGE_SIZE_BYTES_MAX, IMAGE_TOO_LARGE_NOTE } from '#domain/photo.ts';

/**
 * What the file picker offers. Naming the formats makes an iPhone hand over a HEIC photo as a JPEG.
 */
export const ACCEPTED = 'image/jpeg,image/png,image/webp';

export const NOT_A_PICTURE_NOTE = 'This file cannot be read. Choose a JPG or PNG.';
export const HEIC_NOTE =
  'This browser cannot open HEIC photos. Save or send it as a JPG, and choose that.';

/** The note about a file that was chosen, before it is opened; '' where there is none. */
export function noteOnFile(file: Pick<File, 'size'>): string {
  return file.size > IMAGE_SIZE_BYTES_MAX ? IMAGE_TOO_LARGE_NOTE : '';
}

/** The note about a file that could not be opened. */
export function noteOnUnreadable({ name, type }: Pick<File, 'name' | 'type'>): string {
  const isHeic = /^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name);
  return isHeic ? HEIC_NOTE : NOT_A_PICTURE_NOTE;
}
