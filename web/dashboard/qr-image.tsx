import { QR_SIZE_PX } from '#domain/share.ts';

import { createQrCode, qrViewBox } from './qr-code.ts';

/** Dark in dark mode too, because many scanners cannot read a light code on a dark background. */
const FOREGROUND = '#16181d';

/** Empty while the link is not known. */
export function QrImage({ link }: { readonly link: string | null }) {
  const code = link === null ? null : createQrCode(link);
  return (
    <svg
      className="qr-image"
      width={QR_SIZE_PX}
      height={QR_SIZE_PX}
      viewBox={code === null ? undefined : qrViewBox(code)}
      shapeRendering="crispEdges"
      role="img"
      aria-label="QR code of your card"
    >
      <path fill={FOREGROUND} d={code?.path} />
    </svg>
  );
}
