import {
  QR_FILE_NAME,
  QR_PRINT_FILE_NAME,
  QR_QUIET_ZONE_MODULES,
  QR_SIZE_PX,
  copiedMessage,
  shareText,
} from '#domain/share.ts';
import { logFailure, showAlert } from '#web/shared/http/report.ts';
import { saveBlob } from '#web/shared/http/save-file.ts';
import { settings } from '#web/shared/http/settings.ts';
import { createContext, encodeCanvas } from '#web/shared/ui/canvas.ts';

import { copyText } from '#web/shared/ui/copy-text.ts';
import { createQrCode, qrSvg } from '#view/qr-code.ts';

/** Over plain HTTP, no browser offers the Web Share API. */
export function canShare(): boolean {
  return typeof (navigator as Partial<Navigator>).share === 'function';
}

/** Returns whether the link was shared. Without a share sheet, nothing happens (docs/develop/product.md#dashboard). */
export async function shareCard(link: string): Promise<boolean> {
  const { productName } = settings();
  const text = shareText(productName);
  try {
    await navigator.share({ title: productName, text, url: link });
    return true;
  } catch {
    // There is no share sheet, or the user closed it.
    return false;
  }
}

/** Returns whether the link was copied. A failure is only logged (docs/develop/product.md#messages). */
export async function copyLink(link: string): Promise<boolean> {
  try {
    await copyText(link);
  } catch (cause) {
    logFailure('The link was not copied', cause);
    return false;
  }
  showAlert(copiedMessage(link));
  return true;
}

const QR_FOREGROUND = '#000000';
const QR_BACKGROUND = '#ffffff';

/**
 * Saves a picture with a side of QR_SIZE_PX, whatever the screen's pixel ratio is. Each module is a whole number
 * of pixels wide, and the remaining pixels enlarge the quiet zone.
 */
export async function downloadQr(link: string): Promise<void> {
  const context = createContext(QR_SIZE_PX, QR_SIZE_PX);
  const { path, side } = createQrCode(link);
  const modulePx = Math.floor(QR_SIZE_PX / (side + 2 * QR_QUIET_ZONE_MODULES));
  const start = Math.floor((QR_SIZE_PX - side * modulePx) / 2);
  context.fillStyle = QR_BACKGROUND;
  context.fillRect(0, 0, QR_SIZE_PX, QR_SIZE_PX);
  context.translate(start, start);
  context.scale(modulePx, modulePx);
  context.fillStyle = QR_FOREGROUND;
  const code = new Path2D(path);
  // eslint-disable-next-line unicorn/no-array-fill-with-reference-type -- a canvas, not an array
  context.fill(code);
  saveBlob(await encodeCanvas(context, 'image/png'), QR_FILE_NAME);
}

export function downloadQrForPrint(link: string): void {
  saveBlob(new Blob([qrSvg(link)], { type: 'image/svg+xml' }), QR_PRINT_FILE_NAME);
}
