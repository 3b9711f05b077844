import './qr-screen.css';

import { useLayoutEffect, useState } from 'react';

import { IconButton } from '#web/ui/button.tsx';
import { Modal } from '#web/ui/modal.tsx';

import { QrImage } from './qr-image.tsx';
import { endQrShortcut, isQrShortcut, removeEarlyQrScreen } from './qr-shortcut.ts';
import { useWakeLock } from './use-wake-lock.ts';

interface QrScreenProps {
  readonly link: string;
  /** '' while it is not known. */
  readonly name: string;
  readonly onClose: () => void;
}

/**
 * On white in dark mode too. Keeps the screen on. A press anywhere closes it
 * (docs/product.md#full-screen-qr-code).
 */
export function QrScreen({ link, name, onClose }: QrScreenProps) {
  useWakeLock();
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

/** The first screen stays until this one is open. */
export function useQrShortcut() {
  const [isOpen, setOpen] = useState(isQrShortcut);
  // Before the pop-up adds its history entry, which would keep the query.
  useLayoutEffect(() => {
    if (isOpen) endQrShortcut();
    removeEarlyQrScreen();
  }, [isOpen]);
  return { isOpen, close: () => setOpen(false) };
}
