// The colours of the light theme (tokens.css), for pictures and passes, which have no dark mode.
export const PAPER = '#fbfaf7';
export const INK = '#16181d';
export const MUTED = '#6b6a66';

// The colours of the product's mark: four tiles in a box of 32 x 32 units.
const VERMILION = '#c8401f';
const DEEP = '#8a2a12';
const SAND = '#f3bd97';
export const MARK_PATH = '/favicon.svg';

/** SVG; `corner` is the radius. */
export function markShapes(corner: number): string {
  return [
    `<clipPath id="mark"><rect width="32" height="32" rx="${corner}"/></clipPath>`,
    `<g clip-path="url(#mark)"><path fill="${VERMILION}" d="M0 0h32v32H0z"/>`,
    `<path fill="${SAND}" d="M0 0a16 16 0 0 1 16 16A16 16 0 0 1 0 0z"/>`,
    `<path fill="${DEEP}" d="M16 0h16v16H16z"/><circle fill="${SAND}" cx="24" cy="8" r="5"/>`,
    `<path fill="${SAND}" d="M0 16h16v16H0z"/>`,
    `<path fill="${DEEP}" d="M0 32a16 16 0 0 1 16-16v16z"/>`,
    `<path fill="${PAPER}" d="M16 16h12a12 12 0 0 1-12 12z"/></g>`,
  ].join('');
}

/** `margin` is the area that a mask may cut off, in box units. */
export function markSvg({ corner = 7, margin = 0, sidePx = 32 } = {}): string {
  const side = 32 + margin * 2;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${sidePx}" height="${sidePx}" ` +
    `viewBox="${-margin} ${-margin} ${side} ${side}">` +
    (margin > 0
      ? `<path fill="${PAPER}" d="M${-margin} ${-margin}h${side}v${side}H${-margin}z"/>`
      : '') +
    `${markShapes(corner)}</svg>`
  );
}
