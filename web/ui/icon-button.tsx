import './button.css';

import type { ButtonHTMLAttributes } from 'react';

import { Glyph } from './glyph.tsx';

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** What the button is called: nothing but a picture shows. */
  readonly name: string;
  readonly glyph: Parameters<typeof Glyph>[0]['name'];
}

/** A button that shows only a picture. */
export function IconButton({ name, glyph, className = '', ...attributes }: IconButtonProps) {
  return (
    <button type="button" aria-label={name} className={`icon-button ${className}`} {...attributes}>
      <Glyph name={glyph} />
    </button>
  );
}
