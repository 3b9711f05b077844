import { useLayoutEffect, useRef } from 'react';
import type { DialogHTMLAttributes } from 'react';
import { createPortal } from 'react-dom';

import { useCloseOnBack } from './close-on-back.ts';

interface ModalProps extends DialogHTMLAttributes<HTMLDialogElement> {
  /** Also by the browser's back button and a press on the backdrop. */
  readonly onClose: () => void;
  /**
   * 'input', the default: its first input or submit button, which opens the keyboard of a phone.
   * 'first': whatever is first. 'dialog': itself, which needs a tabIndex.
   */
  readonly initialFocus?: 'input' | 'first' | 'dialog';
}

/** Closing restores the focus. */
export function Modal({ onClose, initialFocus = 'input', children, ...attributes }: ModalProps) {
  const element = useRef<HTMLDialogElement>(null);
  useCloseOnBack(onClose);
  useLayoutEffect(() => {
    const dialog = element.current;
    const page = document.documentElement;
    page.classList.toggle('has-scroll-bar', window.innerWidth > page.clientWidth);
    dialog?.showModal();
    // By default the X would get the focus.
    if (initialFocus === 'input') {
      dialog?.querySelector<HTMLElement>('input:enabled, button[type="submit"]')?.focus();
    }
    if (initialFocus === 'dialog') dialog?.focus();
    return () => dialog?.close();
  }, [initialFocus]);

  // A portal to the body, because forms cannot be nested.
  return createPortal(
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape is the keyboard equivalent of a press on the backdrop
    <dialog
      ref={element}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // Browsers close a dialog at the second Escape even if its cancel event is prevented.
      onClose={onClose}
      onMouseDown={(event) => {
        if (event.target === element.current) onClose();
      }}
      // React events bubble through the portal to the page's form.
      onSubmit={(event) => event.stopPropagation()}
      {...attributes}
    >
      {children}
    </dialog>,
    document.body,
  );
}
