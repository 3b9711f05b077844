import './qr-button.css';

import { useState } from 'react';

import { IconButton } from '#web/ui/button.tsx';
import { Modal } from '#web/ui/modal.tsx';

import { QrImage } from './qr-image.tsx';

interface QrButtonProps {
  /** The URL in the QR code; null while it is not known. */
  readonly link: string | null;
  /** The owner's name, below the QR code on the whole screen. */
  readonly name: string;
}

/** The QR code on its white plate. A press shows it as large as the screen. */
export function QrButton({ link, name }: QrButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="qr-plate"
        aria-label="Show QR code full screen"
        onClick={() => setOpen(link !== null)}
      >
        <QrImage link={link} />
      </button>
      {isOpen && <QrScreen link={link} name={name} onClose={() => setOpen(false)} />}
    </>
  );
}

interface QrScreenProps extends QrButtonProps {
  readonly onClose: () => void;
}

/** The QR code on the whole screen, white in dark mode too. A press anywhere closes it. */
function QrScreen({ link, name, onClose }: QrScreenProps) {
  return (
    <Modal
      className="qr-screen"
      aria-label="QR code"
      onClose={onClose}
      onClick={onClose}
      // Otherwise the press would take the focus from the button that opened the screen.
      onMouseDown={(event) => event.preventDefault()}
    >
      <IconButton name="Close" icon="close" className="qr-screen-close" onClick={onClose} />
      <QrImage link={link} />
      <p dir="auto">{name}</p>
    </Modal>
  );
}
