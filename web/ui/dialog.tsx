import './dialog.css';

import { useId, useLayoutEffect, useRef } from 'react';
import type { MouseEvent, ReactNode } from 'react';
import { createPortal } from 'react-dom';

import { useBackCloses } from './back-closes.ts';
import { IconButton } from './icon-button.tsx';

interface DialogProps {
  /** Its heading and its name. */
  readonly title: string;
  /** Called for the X, Escape, a press beside it and the browser's back button. */
  readonly onClose: () => void;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/**
 * A pop-up that is open for as long as it is drawn. Its first field has the focus; closing gives it
 * back to what had it before.
 */
export function Dialog({ title, onClose, isWide = false, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useBackCloses(onClose);
  useLayoutEffect(() => {
    const dialog = element.current;
    const page = document.documentElement;
    page.classList.toggle('has-scroll-bar', window.innerWidth > page.clientWidth);
    dialog?.showModal();
    // Else the X would have it, being the first that can.
    dialog?.querySelector('input')?.focus();
    return () => dialog?.close();
  }, []);

  const closeBeside = (event: MouseEvent) => {
    if (event.target === element.current) onClose();
  };

  // In the body: a pop-up's form must not stand inside the form of the page that opens it.
  return createPortal(
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape does for the keyboard what a press beside it does for the mouse
    <dialog
      ref={element}
      className={isWide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // A second Escape closes a dialog whatever its cancel event says.
      onClose={onClose}
      onMouseDown={closeBeside}
      // React's events rise through the portal to the page's own form.
      onSubmit={(event) => event.stopPropagation()}
    >
      <div className="dialog-sheet">
        <header className="dialog-head">
          <h2 id={titleId}>{title}</h2>
          <IconButton name="Close" glyph="close" onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>,
    document.body,
  );
}
