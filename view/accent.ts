import { accentsOf } from '#domain/palette.ts';
import type { Palette, Scheme } from '#domain/palette.ts';

/** The style of a card's accent, minified. */
export function accentStyle(palette: Palette, selector = ':root'): string {
  const rule = (scheme: Scheme) => {
    const properties = Object.entries(accentsOf(palette, scheme));
    return `${selector}{${properties.map(([name, value]) => `${name}:${value}`).join(';')}}`;
  };
  return `${rule('light')}@media (prefers-color-scheme:dark){${rule('dark')}}`;
}
