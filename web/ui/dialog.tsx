import './dialog.css';

import { useId, useLayoutEffect, useRef } from 'react';
import type { MouseEvent, ReactNode } from 'react';
import { createPortal } from 'react-dom';

import { IconButton } from './button.tsx';
import { useCloseOnBack } from './close-on-back.ts';

interface DialogProps {
  /** The heading and the accessible name. */
  readonly title: string;
  /** Called by the X, Escape, a press on the backdrop and the browser's back button. */
  readonly onClose: () => void;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/**
 * A pop-up that is open while it is mounted. Its first input gets the focus; closing restores the
 * previous focus.
 */
export function Dialog({ title, onClose, isWide = false, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useCloseOnBack(onClose);
  useLayoutEffect(() => {
    const dialog = element.current;
    const page = document.documentElement;
    page.classList.toggle('has-scroll-bar', window.innerWidth > page.clientWidth);
    dialog?.showModal();
    // By default the X would get the focus.
    dialog?.querySelector('input')?.focus();
    return () => dialog?.close();
  }, []);

  const closeOnBackdrop = (event: MouseEvent) => {
    if (event.target === element.current) onClose();
  };

  // A portal to the body, because forms cannot be nested.
  return createPortal(
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape is the keyboard equivalent of a press on the backdrop
    <dialog
      ref={element}
      className={isWide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // Browsers close a dialog at the second Escape even if its cancel event is prevented.
      onClose={onClose}
      onMouseDown={closeOnBackdrop}
      // React events bubble through the portal to the page's form.
      onSubmit={(event) => event.stopPropagation()}
    >
      <div className="dialog-sheet">
        <header className="dialog-head">
          <h2 id={titleId}>{title}</h2>
          <IconButton name="Close" icon="close" onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>,
    document.body,
  );
}
