import { PATHS } from './path.ts';

export const shareText = (productName: string): string =>
  `Hey Check Out My Digital Business Card at ${productName}`;
export const copiedMessage = (link: string): string => `Copied: ${link}`;
export const cardPath = (userId: string): string => `/user/${userId}`;
export const currentPhotoPath = (userId: string): string => `${cardPath(userId)}/photo.jpg`;
export const passPath = (userId: string): string => `${cardPath(userId)}/card.pkpass`;

/** The address in a full-screen QR code carries a scan token (docs/develop/product.md#handshake). */
export const SCAN_TOKEN_LENGTH = 8;
export const SCAN_TOKEN_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
export const SCAN_TOKEN = /^[0-9A-Za-z]{8}$/;
export const isScanToken = (text: unknown): text is string =>
  typeof text === 'string' && SCAN_TOKEN.test(text);

export const qrPath = (userId: string): string => `${cardPath(userId)}/qr.svg`;

/** The picture in a link's preview has twice the size at which chats show it. */
export const PREVIEW_PICTURE_SIZE = { widthPx: 1200, heightPx: 630 } as const;

export const QR_FILE_NAME = 'MY_QR.png';
export const QR_PRINT_FILE_NAME = 'MY_QR.svg';
export const QR_SIZE_PX = 256;
export const QR_LEVEL = 'L';
/** ISO/IEC 18004 asks for a quiet zone of four modules. */
export const QR_QUIET_ZONE_MODULES = 4;

export const QR_SCREEN_QUERY = 'qr';
export const QR_SCREEN_PATH = `${PATHS.dashboard}?${QR_SCREEN_QUERY}`;

export const ADD_CONTACT_QUERY = 'add';
export const ADD_CONTACT_PATH = `${PATHS.contacts}?${ADD_CONTACT_QUERY}`;

/** Browsers post a shared contact file to this path, in the form field `file`. */
export const SHARE_TARGET_PATH = `${PATHS.dashboard}/share`;
export const SHARED_FILE_FIELD = 'file';
export const CONTACT_FILE_SIZE_BYTES_MAX = 20_000_000;
export const SHARED_QUERY = 'shared';
export const SHARED_PATH = `${PATHS.contacts}?${SHARED_QUERY}`;
export const VCARD_TYPES = ['text/vcard', 'text/x-vcard', '.vcf'] as const;
