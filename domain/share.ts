/** The share sheet's sentence (specification, section 9), for example '… at Tessera'. */
export function shareText(productName: string): string {
  return `Hey Check Out My Digital Business Card at ${productName}`;
}

/** What is said after the link is copied (specification, section 2). */
export function copiedMessage(link: string): string {
  return `Copied: ${link}`;
}

/** The public card's path for a user id. */
export function cardPath(userId: string): string {
  return `/user/${userId}`;
}

/** The downloaded QR code's file name and side in pixels, and the level (specification, section 9). */
export const QR_FILE_NAME = 'MY_QR.png';
export const QR_SIZE_PX = 256;
export const QR_LEVEL = 'L';
/** The quiet zone around a QR code in modules (ISO/IEC 18004). */
export const QR_QUIET_ZONE_MODULES = 4;
