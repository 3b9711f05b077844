import './button.css';

import type { ButtonHTMLAttributes, ReactNode } from 'react';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** 'main' is the one thing to press on a screen. */
  readonly look?: 'main' | 'outlined' | 'plain';
  readonly isBusy?: boolean;
  readonly children: ReactNode;
}

/** A button with words. While busy it cannot be pressed twice, and keeps its focus and its name. */
export function Button({ look = 'outlined', isBusy = false, ...rest }: ButtonProps) {
  const { className = '', onClick, type = 'button', children, ...attributes } = rest;
  return (
    <button
      {...attributes}
      // eslint-disable-next-line react/button-has-type -- 'button' unless a form asks for 'submit'
      type={type}
      className={`ui-button ui-button-${look} ${className}`}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    >
      {children}
    </button>
  );
}
