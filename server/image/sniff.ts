/** The picture formats that are decoded. */
export type PictureFormat = 'jpeg' | 'png' | 'webp';

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG = [0xff, 0xd8, 0xff];
const RIFF = [0x52, 0x49, 0x46, 0x46];
const WEBP = [0x57, 0x45, 0x42, 0x50];
const WEBP_AT = 8;

/** What a file is by its first bytes, whatever its name or type says; null for anything else. */
export function sniffPicture(bytes: Uint8Array): PictureFormat | null {
  const has = (signature: readonly number[], at = 0) =>
    signature.every((byte, index) => bytes[at + index] === byte);
  if (has(JPEG)) return 'jpeg';
  if (has(PNG)) return 'png';
  return has(RIFF) && has(WEBP, WEBP_AT) ? 'webp' : null;
}
