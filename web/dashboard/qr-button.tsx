import './qr-button.css';

import { useState } from 'react';

import { QrImage } from './qr-image.tsx';
import { QrScreen } from './qr-screen.tsx';

interface QrButtonProps {
  /** Null while it is not known. */
  readonly link: string | null;
  readonly name: string;
}

export function QrButton({ link, name }: QrButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="qr-plate"
        aria-label="Show QR code full screen"
        onClick={() => setOpen(true)}
      >
        <QrImage link={link} />
      </button>
      {isOpen && link !== null && (
        <QrScreen link={link} name={name} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
