import '#view/ui-button.css';

import type { ButtonHTMLAttributes, ComponentProps, ReactNode } from 'react';

import { LineIcon } from './line-icon.tsx';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** At most one button of a screen is 'main'. */
  readonly variant?: 'main' | 'destructive' | 'outlined' | 'plain';
  readonly isBusy?: boolean;
  readonly children: ReactNode;
}

/** While busy it ignores presses but keeps its focus and its name. */
export function Button({ variant = 'outlined', isBusy = false, ...rest }: ButtonProps) {
  const { className = '', onClick, type = 'button', children, ...attributes } = rest;
  return (
    <button
      {...attributes}
      // eslint-disable-next-line react/button-has-type -- 'button' unless the caller sets 'submit'
      type={type}
      className={`ui-button ui-button-${variant} ${className}`}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    >
      {children}
    </button>
  );
}

interface IconButtonProps extends ComponentProps<'button'> {
  /** The accessible name. */
  readonly name: string;
  readonly icon: ComponentProps<typeof LineIcon>['name'];
}

export function IconButton({ name, icon, className = '', ...attributes }: IconButtonProps) {
  return (
    <button type="button" aria-label={name} className={`icon-button ${className}`} {...attributes}>
      <LineIcon name={icon} />
    </button>
  );
}
