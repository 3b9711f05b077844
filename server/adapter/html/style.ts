import { createHash } from 'node:crypto';

import { languageDirection } from '#domain/language/language.ts';
import type { PageLanguage } from '#domain/language/language.ts';
import { idPalette } from '#domain/palette.ts';
import type { Palette } from '#domain/palette.ts';
import accent from '#view/accent.css?inline';
import base from '#view/base.css?inline';
import { accentStyle } from '#view/accent.ts';
import card from '#view/card.css?inline';
import connect from '#view/connect.css?inline';
import extras from '#view/extras.css?inline';
import receiptPage from '#view/receipt-page.css?inline';
import tablePage from '#view/table-page.css?inline';
import tablePeople from '#view/table-people.css?inline';
import receipt from '#view/receipt.css?inline';
import languages from '#view/language.css?inline';
import logo from '#view/logo.css?inline';
import longName from '#view/long-name.css?inline';
import rightToLeft from '#view/right-to-left.css?inline';
import otp from '#view/otp.css?inline';
import { SAMPLE_PROFILE } from '#view/signin-page.tsx';
import signin from '#view/signin.css?inline';
import button from '#view/ui-button.css?inline';
import widget from '#view/widget.css?inline';
import wholeText from '#view/whole-text.css?inline';
import script from '#view/script.css?inline';
import notice from '#view/notice.css?inline';
import page from '#view/page.css?inline';
import print from '#view/page-print.css?inline';
import tokens from '#view/tokens.css?inline';

const LANGUAGE_STYLES = [languages, script, rightToLeft] as const;

function languageStyle({ language, offered }: PageLanguage): string {
  if (offered.length === 0) return '';
  const isMirrored = languageDirection(language) === 'rtl';
  return LANGUAGE_STYLES.slice(0, language === 'en' ? 1 : 2 + Number(isMirrored)).join('');
}

export const WIDGET_STYLE = `${tokens}${accent}${base}${button}${otp}${widget}`;
const SIGNIN_STYLE = `${WIDGET_STYLE}${card}${longName}${signin}`;
const SAMPLE_STYLE = accentStyle(idPalette(SAMPLE_PROFILE._id), '.signin-card');

export function signinStyle(language: PageLanguage): string {
  return `${SIGNIN_STYLE}${SAMPLE_STYLE}${languageStyle(language)}`;
}

function shortHash(content: string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 8);
}

const DEFINITION = /(--[\w-]+):([^;}]+);?/g;
const definitions = [...tokens.matchAll(DEFINITION)];
/** The tokens that no colour scheme and no setting of the system changes. */
const CONSTANTS = new Map(
  definitions
    .filter(([, name]) => definitions.filter(([, other]) => other === name).length === 1)
    .map(([, name, value = '']) => [name, value]),
);

/** Puts the values of constant tokens in place of their names. A card in brotli is 170 bytes smaller. */
const withConstants = (style: string) =>
  style.replace(/var\((--[\w-]+)\)/g, (use, name: string) => CONSTANTS.get(name) ?? use);

const CARD_TOKENS = tokens.replace(DEFINITION, (definition, name: string) =>
  CONSTANTS.has(name) ? '' : definition,
);
const CARD_STYLE = withConstants(page + card + connect);

/** The styles that not every card needs. */
const CARD_PARTS = {
  hasLogo: withConstants(logo),
  hasLongName: withConstants(longName),
  hasExtras: withConstants(extras),
  isTextWhole: withConstants(wholeText),
  hasReceipt: withConstants(receipt),
};
type CardPart = keyof typeof CARD_PARTS;

/** Returns the style that is inlined in a card, so that a page is one request. It lacks the accent. */
export function cardStyle(
  has: Readonly<Record<CardPart, boolean>>,
  language: PageLanguage,
): string {
  const parts = (Object.keys(CARD_PARTS) as CardPart[]).map((name) =>
    has[name] ? CARD_PARTS[name] : '',
  );
  const ofLanguage = withConstants(languageStyle(language));
  return CARD_TOKENS + CARD_STYLE + parts.join('') + ofLanguage;
}

/** The print style of a card. Its path has a hash of its content, so it never changes. */
export const PRINT_STYLE = withConstants(print);
export const PRINT_STYLE_PATH = `/assets/print-${shortHash(PRINT_STYLE)}.css`;

/** The button is defined in card.css. */
export function noticeStyle(language: PageLanguage, more = ''): string {
  return `${tokens}${accent}${page}${card}${notice}${more}${languageStyle(language)}`;
}

export const tableStyle = (language: PageLanguage) =>
  noticeStyle(language, connect + receipt + tablePeople + tablePage);

/** A receipt has the accent of the card on which it was left. */
export const receiptStyle = (language: PageLanguage, palette?: Palette) =>
  noticeStyle(language, receiptPage + (palette ? accentStyle(palette) : ''));
