import { PATHS } from './path.ts';

/** Returns the share sheet's text (docs/product.md#dashboard), for example '… at Tessera'. */
export function shareText(productName: string): string {
  return `Hey Check Out My Digital Business Card at ${productName}`;
}

/** Returns the alert after the link is copied (docs/product.md#messages). */
export function copiedMessage(link: string): string {
  return `Copied: ${link}`;
}

/** Returns the path of a public card. */
export function cardPath(userId: string): string {
  return `/user/${userId}`;
}

/** Returns the path of a card's current photo. It stays when the photo changes. */
export function currentPhotoPath(userId: string): string {
  return `${cardPath(userId)}/photo.jpg`;
}

/** Returns the path of a card's pass for Apple Wallet. */
export function passPath(userId: string): string {
  return `${cardPath(userId)}/card.pkpass`;
}

/** The QR code's file name, side in pixels and error correction level (docs/product.md#limits). */
export const QR_FILE_NAME = 'MY_QR.png';
export const QR_SIZE_PX = 256;
export const QR_LEVEL = 'L';
/** The quiet zone around a QR code in modules (ISO/IEC 18004). */
export const QR_QUIET_ZONE_MODULES = 4;

/**
 * The query that opens the dashboard with the QR code on the whole screen
 * (docs/product.md#full-screen-qr-code).
 */
export const QR_SCREEN_QUERY = 'qr';
export const QR_SCREEN_PATH = `${PATHS.dashboard}?${QR_SCREEN_QUERY}`;
