import '#view/ui-button.css';

import type { ComponentProps } from 'react';

interface ButtonProps extends ComponentProps<'button'> {
  /** At most one button of a screen is 'main'. */
  readonly variant?: 'main' | 'destructive' | 'outlined' | 'plain';
  readonly isBusy?: boolean;
}

/** Returns whether a click belongs to a double click whose first click has been handled. */
export const isRepeatedClick = ({ detail }: { readonly detail: number }): boolean => detail > 1;

/** A busy button ignores presses but keeps its focus and its name. */
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

const ICON_PATHS = {
  back: 'M15 5l-7 7 7 7',
  close: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  menu: 'M4 7h16M4 12h16M4 17h16',
  home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  contacts: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 3.5-6.5 8-6.5s8 2.5 8 6.5',
  work: 'M4 8h16v12H4zM9 8V5h6v3M4 13h16',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5',
  link: 'M10 14a4 4 0 0 0 5.7 0l3.3-3.3a4 4 0 0 0-5.7-5.7L12 6.3M14 10a4 4 0 0 0-5.7 0L5 13.3A4 4 0 0 0 10.7 19l1.3-1.3',
  analytics: 'M5 20V10M12 20V4M19 20v-7',
  account: 'M12 3l8 3v6c0 4.5-3.4 7.6-8 9-4.6-1.4-8-4.5-8-9V6zM9 12l2 2 4-4',
  logOut: 'M14 4H5v16h9M10 12h11M17 8l4 4-4 4',
  share: 'M12 15V3M8 7l4-4 4 4M6 11H5v10h14V11h-1',
  download: 'M12 3v12M8 11l4 4 4-4M5 21h14',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  nfc: 'M5 8.5a8 8 0 0 1 0 7M9 6.5a12 12 0 0 1 0 11M13 4.5a16 16 0 0 1 0 15M17 3a20 20 0 0 1 0 18',
  print: 'M7 8V3h10v5M7 17H4V8h16v9h-3M7 14h10v7H7z',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
  wallet: 'M4 7h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H4zM4 7V5h12M16 13h.01',
  phone: 'M7 3h10v18H7zM11 18h2',
  computer: 'M5 5h14v10H5zM3 19h18',
  remove: 'M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13M10 11v5M14 11v5',
  more: 'M4.8 12a.7.7 0 1 0 1.4 0 .7.7 0 1 0-1.4 0zM11.3 12a.7.7 0 1 0 1.4 0 .7.7 0 1 0-1.4 0zM17.8 12a.7.7 0 1 0 1.4 0 .7.7 0 1 0-1.4 0z',
  camera: 'M4 8h4l2-3h4l2 3h4v11H4zM12 17a4 4 0 1 0 0-8 4 4 0 0 0 0 8z',
} as const;

/** The icon is decorative, because the control has an accessible name. */
export function LineIcon({ name }: { readonly name: keyof typeof ICON_PATHS }) {
  return (
    <svg className="line-icon" viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
      <path
        d={ICON_PATHS[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
