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

import { createQrCode, qrViewBox } from '#view/qr-code.ts';

/** Over plain HTTP no browser has it. */
export function canShare(): boolean {
  return typeof (navigator as Partial<Navigator>).share === 'function';
}

/** Returns whether it was shared. Without a share sheet nothing happens (docs/product.md#dashboard). */
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

/** Returns whether it was copied. A failure is logged only (docs/product.md#messages). */
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

/** Rejects if the browser did not copy it. */
async function copyText(text: string): Promise<void> {
  try {
    // Over plain HTTP there is no clipboard API, except on localhost (Secure Contexts).
    await navigator.clipboard.writeText(text);
  } catch {
    copyBySelection(text);
  }
}

/** The older API copies what is selected. Restores the focus. */
function copyBySelection(text: string): void {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  // Fixed, so that the page does not scroll to it.
  area.style.position = 'fixed';
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  if (!isCopied) throw new Error('The browser did not copy the selected text');
}

const QR_FOREGROUND = '#000000';
const QR_BACKGROUND = '#ffffff';

/** QR_SIZE_PX on any screen. A module is a whole number of pixels; the rest is quiet zone. */
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

/** Vectors, on white with the quiet zone. */
export function downloadQrForPrint(link: string): void {
  const code = createQrCode(link);
  const start = -QR_QUIET_ZONE_MODULES;
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${qrViewBox(code)}" shape-rendering="crispEdges">`,
    `<rect x="${start}" y="${start}" width="100%" height="100%" fill="${QR_BACKGROUND}"/>`,
    `<path fill="${QR_FOREGROUND}" d="${code.path}"/></svg>`,
  ].join('');
  saveBlob(new Blob([svg], { type: 'image/svg+xml' }), QR_PRINT_FILE_NAME);
}
