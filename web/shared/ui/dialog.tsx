import './dialog.css';

import { useId, useLayoutEffect, useRef } from 'react';
import type { DialogHTMLAttributes, InputEvent, MouseEvent } from 'react';
import { createPortal } from 'react-dom';

import { IconButton, isRepeatedClick } from './button.tsx';

interface DialogProps extends DialogHTMLAttributes<HTMLDialogElement> {
  /** The heading of the dialog. Content without it needs a heading and a Close button of its own. */
  readonly title?: string;
  /** Closes the dialog. Escape, a click on the backdrop and, in browsers that support it, Back call it too. */
  readonly onClose: () => void;
  /**
   * The element that gets the focus. 'input', the default, is the first input or submit button, and opens
   * the keyboard of a phone. 'first' is the first element that can get the focus. 'dialog' is the dialog
   * itself, which then needs a tabIndex.
   */
  readonly initialFocus?: 'input' | 'first' | 'dialog';
}

/** Shows a sheet at the bottom of a phone, or a centred pop-up on a desktop. Closing restores the focus. */
export function Dialog({ title, onClose, initialFocus = 'input', ...rest }: DialogProps) {
  const { className = 'dialog panel', children, ...attributes } = rest;
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const presses = useBackdropPresses(onClose);
  useLayoutEffect(() => {
    const dialog = element.current;
    const page = document.documentElement;
    page.classList.toggle('has-scroll-bar', window.innerWidth > page.clientWidth);
    dialog?.showModal();
    // By default, the browser would focus the Close button.
    if (initialFocus === 'input') {
      dialog?.querySelector<HTMLElement>('input:enabled, button[type="submit"]')?.focus();
    }
    if (initialFocus === 'dialog') dialog?.focus();
    return () => dialog?.close();
  }, [initialFocus]);

  // The dialog is a child of the body, because forms cannot be nested.
  return createPortal(
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape is the keyboard equivalent of a press on the backdrop
    <dialog
      ref={element}
      className={className}
      aria-labelledby={title === undefined ? undefined : titleId}
      onClose={onClose}
      {...presses}
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

/**
 * Closes the dialog at a click whose press and release both hit the backdrop, unless typed text would be lost.
 * Ignores the second click of the double click that has opened the dialog.
 */
function useBackdropPresses(onClose: () => void) {
  const pressed = useRef<EventTarget | null>(null);
  const released = useRef<EventTarget | null>(null);
  /**
   * The input in which the owner typed last, until its form is sent. A note is in no form, because it saves by
   * itself.
   */
  const typed = useRef<HTMLElement | null>(null);
  return {
    onInput: ({ target, nativeEvent }: InputEvent) => {
      const isText = 'inputType' in nativeEvent && target instanceof HTMLElement;
      if (isText && target.closest('form')) typed.current = target;
    },
    onSubmitCapture: () => {
      typed.current = null;
    },
    onMouseDownCapture: (event: MouseEvent) => {
      // Only the double click that opened the dialog has a first press that the dialog has not seen.
      if (!isRepeatedClick(event) || pressed.current !== null) pressed.current = event.target;
    },
    onMouseUpCapture: ({ target }: MouseEvent) => {
      released.current = target;
    },
    onClickCapture: (event: MouseEvent) => {
      if (!isRepeatedClick(event) || pressed.current !== null) return;
      event.preventDefault();
      event.stopPropagation();
    },
    onClick: ({ target, currentTarget: backdrop }: MouseEvent) => {
      const targets = [target, pressed.current, released.current];
      if (!typed.current?.isConnected && targets.every((one) => one === backdrop)) onClose();
    },
  };
}
