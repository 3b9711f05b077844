import { correction, generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';

import { QR_LEVEL, QR_QUIET_ZONE_MODULES } from '#domain/share.ts';

/** One unit of the path is a module. The path does not include the quiet zone. */
export interface QrCode {
  readonly path: string;
  readonly side: number;
}

/** The newest code is kept, because the dashboard shows one link in several places. */
let newest: { readonly text: string; readonly code: QrCode } | null = null;

export function createQrCode(text: string): QrCode {
  if (newest?.text !== text) newest = { text, code: generateQrCode(text) };
  return newest.code;
}

function generateQrCode(text: string): QrCode {
  const level = correction[QR_LEVEL];
  const code = generate(text, { minCorrectionLevel: level, maxCorrectionLevel: level });
  return { path: toSvgPath(code), side: code.size };
}

/** Returns the text of an SVG file with black modules on white, including the quiet zone. */
export function qrSvg(text: string): string {
  const code = createQrCode(text);
  const start = -QR_QUIET_ZONE_MODULES;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${qrViewBox(code)}" shape-rendering="crispEdges">` +
    `<rect x="${start}" y="${start}" width="100%" height="100%" fill="#fff"/>` +
    `<path d="${code.path}" fill="#000"/></svg>`
  );
}

export function qrViewBox({ side }: QrCode): string {
  const sideWithZone = side + 2 * QR_QUIET_ZONE_MODULES;
  return `${-QR_QUIET_ZONE_MODULES} ${-QR_QUIET_ZONE_MODULES} ${sideWithZone} ${sideWithZone}`;
}
