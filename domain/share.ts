import { PATHS } from './path.ts';

export function shareText(productName: string): string {
  return `Hey Check Out My Digital Business Card at ${productName}`;
}

export function copiedMessage(link: string): string {
  return `Copied: ${link}`;
}

export function cardPath(userId: string): string {
  return `/user/${userId}`;
}

/** Stays when the photo changes. */
export function currentPhotoPath(userId: string): string {
  return `${cardPath(userId)}/photo.jpg`;
}

export function passPath(userId: string): string {
  return `${cardPath(userId)}/card.pkpass`;
}

export const QR_FILE_NAME = 'MY_QR.png';
export const QR_SIZE_PX = 256;
export const QR_LEVEL = 'L';
/** ISO/IEC 18004. */
export const QR_QUIET_ZONE_MODULES = 4;

/** docs/product.md#full-screen-qr-code. */
export const QR_SCREEN_QUERY = 'qr';
export const QR_SCREEN_PATH = `${PATHS.dashboard}?${QR_SCREEN_QUERY}`;
