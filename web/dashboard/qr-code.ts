import { correction, generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';

import { QR_LEVEL, QR_QUIET_ZONE_MODULES } from '#domain/share.ts';

/** A QR code as an SVG path. One unit is a module; the path starts after the quiet zone. */
export interface QrCode {
  readonly path: string;
  /** The side in modules, without the quiet zone. */
  readonly side: number;
}

/** The newest code: the dashboard shows one link in several places. */
let newest: { readonly text: string; readonly code: QrCode } | null = null;

/** Returns the QR code of a text with the product's level of error correction. */
export function createQrCode(text: string): QrCode {
  if (newest?.text !== text) newest = { text, code: generateQrCode(text) };
  return newest.code;
}

function generateQrCode(text: string): QrCode {
  const level = correction[QR_LEVEL];
  const code = generate(text, { minCorrectionLevel: level, maxCorrectionLevel: level });
  return { path: toSvgPath(code), side: code.size };
}

/** The viewBox of a QR code with its quiet zone. */
export function qrViewBox({ side }: QrCode): string {
  const sideWithZone = side + 2 * QR_QUIET_ZONE_MODULES;
  return `${-QR_QUIET_ZONE_MODULES} ${-QR_QUIET_ZONE_MODULES} ${sideWithZone} ${sideWithZone}`;
}
