import { QR_SIZE_PX } from '#domain/share.ts';
import { createQrCode, qrViewBox } from '#view/qr-code.ts';

/** The code is dark even in dark mode, because many scanners cannot read a light code on a dark background. */
const FOREGROUND = '#16181d';

interface QrImageProps {
  readonly text: string;
  readonly label?: string;
}

export function QrImage({ text, label = 'QR code of your card' }: QrImageProps) {
  const code = createQrCode(text);
  return (
    <svg
      className="qr-image"
      width={QR_SIZE_PX}
      height={QR_SIZE_PX}
      viewBox={qrViewBox(code)}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <path fill={FOREGROUND} d={code.path} />
    </svg>
  );
}
