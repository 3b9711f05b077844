import { accentProperties } from '#domain/palette.ts';
import type { Palette, Scheme } from '#domain/palette.ts';

/** Returns the CSS of a card's accent for both colour schemes, minified. */
export function accentStyle(palette: Palette, selector = ':root'): string {
  const rule = (scheme: Scheme) => {
    const properties = Object.entries(accentProperties(palette, scheme));
    return `${selector}{${properties.map(([name, value]) => `${name}:${value}`).join(';')}}`;
  };
  return `${rule('light')}@media (prefers-color-scheme:dark){${rule('dark')}}`;
}
