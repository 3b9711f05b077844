import './dialog.css';

import { useId } from 'react';
import type { ReactNode } from 'react';

import { IconButton } from './button.tsx';
import { Modal } from './modal.tsx';

interface DialogProps {
  readonly title: string;
  /** Also by Escape, a press on the backdrop and the browser's back button. */
  readonly onClose: () => void;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** A sheet at the bottom of a phone, centred on a desktop. */
export function Dialog({ title, onClose, isWide = false, children }: DialogProps) {
  const titleId = useId();
  return (
    <Modal
      className={isWide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={titleId}
      onClose={onClose}
    >
      <div className="dialog-sheet">
        <header className="dialog-head">
          <h2 id={titleId}>{title}</h2>
          <IconButton name="Close" icon="close" onClick={onClose} />
        </header>
        {children}
      </div>
    </Modal>
  );
}
