import { QR_FILE_NAME, QR_QUIET_ZONE_MODULES, QR_SIZE_PX } from '#domain/share.ts';

const INK = '#000000';
const PLATE = '#ffffff';

/**
 * Saves the QR code as a picture of exactly QR_SIZE_PX on each side, whatever the screen's pixels:
 * a canvas of its own, every module a whole number of pixels, the rest of the side quiet zone.
 */
export function downloadQr(qr: SVGSVGElement | null): void {
  // The second path is the code itself, in modules; the first is its plate.
  const code = qr?.querySelectorAll('path')[1]?.getAttribute('d');
  const context = newCanvas().getContext('2d');
  if (!qr || !code || !context) return;
  const sideModules = qr.viewBox.baseVal.width;
  const modulePx = Math.floor(QR_SIZE_PX / sideModules);
  const codePx = (sideModules - 2 * QR_QUIET_ZONE_MODULES) * modulePx;
  const start = Math.floor((QR_SIZE_PX - codePx) / 2) - QR_QUIET_ZONE_MODULES * modulePx;
  context.fillStyle = PLATE;
  context.fillRect(0, 0, QR_SIZE_PX, QR_SIZE_PX);
  context.translate(start, start);
  context.scale(modulePx, modulePx);
  context.fillStyle = INK;
  const path = new Path2D(code);
  // eslint-disable-next-line unicorn/no-array-fill-with-reference-type -- a canvas, not an array
  context.fill(path);
  context.canvas.toBlob(saveFile, 'image/png');
}

function newCanvas(): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = QR_SIZE_PX;
  canvas.height = QR_SIZE_PX;
  return canvas;
}

function saveFile(file: Blob | null): void {
  if (!file) return;
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = QR_FILE_NAME;
  link.click();
  // Some browsers start reading only after the click has been dealt with.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
