import './dialog.css';

import { useId, useLayoutEffect, useRef } from 'react';
import type { DialogHTMLAttributes } from 'react';
import { createPortal } from 'react-dom';

import { IconButton } from './button.tsx';

interface DialogProps extends DialogHTMLAttributes<HTMLDialogElement> {
  /** Absent where the content has a name and an X of its own. */
  readonly title?: string;
  /** Called by Escape too, a press on the backdrop, and Back where the browser does that. */
  readonly onClose: () => void;
  /**
   * 'input', the default: its first input or submit button, which opens the keyboard of a phone.
   * 'first': whatever is first. 'dialog': itself, which needs a tabIndex.
   */
  readonly initialFocus?: 'input' | 'first' | 'dialog';
}

/** A sheet at the bottom of a phone, centred on a desktop. Closing restores the focus. */
export function Dialog({ title, onClose, initialFocus = 'input', ...rest }: DialogProps) {
  const { className = 'dialog panel', children, ...attributes } = rest;
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
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
      className={className}
      aria-labelledby={title === undefined ? undefined : titleId}
      onClose={onClose}
      onMouseDown={(event) => {
        if (event.target === element.current) onClose();
      }}
      // React events bubble through the portal to the page's form.
      onSubmit={(event) => event.stopPropagation()}
      {...attributes}
    >
      {title === undefined ? (
        children
      ) : (
        <div className="dialog-sheet">
          <header className="dialog-head head row">
            <h2 id={titleId}>{title}</h2>
            <IconButton name="Close" icon="close" onClick={onClose} />
          </header>
          {children}
        </div>
      )}
    </dialog>,
    document.body,
  );
}
