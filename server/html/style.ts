import { createHash } from 'node:crypto';

import { PALETTES } from '#domain/palette.ts';
import type { Palette } from '#domain/palette.ts';
import accent from '#view/accent.css?inline';
import { accentStyle } from '#view/accent.ts';
import { IS_BUILT } from '#server/version.ts';
import card from '#view/card.css?inline';
import connect from '#view/connect.css?inline';
import notice from '#view/notice.css?inline';
import page from '#view/page.css?inline';
import print from '#view/page-print.css?inline';
import tokens from '#view/tokens.css?inline';

const CARD_STYLE = `${page}${card}${connect}`;

/** Returns a function that gives the custom properties of style sheets the shortest names. */
export function shortenProperties(...styles: readonly string[]): (style: string) => string {
  const property = /(?<![\w-])--[a-z][a-z0-9-]*/g;
  const names = [...new Set(styles.join('').match(property))];
  const shortNames = new Map(names.map((name, index) => [name, `--${index.toString(36)}`]));
  return (style) => style.replaceAll(property, (name) => shortNames.get(name) ?? name);
}

/** In development the names are those of the sources. */
const shorten = IS_BUILT
  ? shortenProperties(tokens, accentStyle(PALETTES[0]), CARD_STYLE, print)
  : (style: string) => style;
const SHORT_TOKENS = shorten(tokens);
const SHORT_CARD_STYLE = shorten(CARD_STYLE);

function shortHash(content: string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 8);
}

/** Inlined, so that a page is one request. */
export function cardStyle(palette: Palette): string {
  return `${SHORT_TOKENS}${shorten(accentStyle(palette))}${SHORT_CARD_STYLE}`;
}

/** Of a card. Its path has a hash of its content, so it never changes. */
export const PRINT_STYLE = shorten(print);
export const PRINT_STYLE_PATH = `/assets/print-${shortHash(PRINT_STYLE)}.css`;

/** The button is defined in card.css. */
export const NOTICE_STYLE = `${tokens}${accent}${page}${card}${notice}`;
