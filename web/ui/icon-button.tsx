import './button.css';

import type { ComponentProps } from 'react';

import { Glyph } from './glyph.tsx';

interface IconButtonProps extends ComponentProps<'button'> {
  /** What the button is called: nothing but a picture shows. */
  readonly name: string;
  readonly glyph: ComponentProps<typeof Glyph>['name'];
}

/** A button that shows only a picture. */
export function IconButton({ name, glyph, className = '', ...attributes }: IconButtonProps) {
  return (
    <button type="button" aria-label={name} className={`icon-button ${className}`} {...attributes}>
      <Glyph name={glyph} />
    </button>
  );
}
