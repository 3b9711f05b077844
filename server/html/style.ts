import type { Palette } from '#domain/palette.ts';
import accent from '#view/accent.css?inline';
import { accentStyle } from '#view/accent.ts';
import card from '#view/card.css?inline';
import connect from '#view/connect.css?inline';
import notice from '#view/notice.css?inline';
import page from '#view/page.css?inline';
import print from '#view/page-print.css?inline';
import tokens from '#view/tokens.css?inline';

const CARD_STYLE = `${page}${card}${connect}${print}`;

/** Inlined, so that a page is one request. */
export function cardStyle(palette: Palette): string {
  return `${tokens}${accentStyle(palette)}${CARD_STYLE}`;
}

/** The button is defined in card.css. */
export const NOTICE_STYLE = `${tokens}${accent}${page}${card}${notice}`;
