import { createHash } from 'node:crypto';

import { languageDirection } from '#domain/language/language.ts';
import type { PageLanguage } from '#domain/language/language.ts';
import { PALETTES, idPalette } from '#domain/palette.ts';
import type { Palette } from '#domain/palette.ts';
import accent from '#view/accent.css?inline';
import base from '#view/base.css?inline';
import { accentStyle } from '#view/accent.ts';
import { IS_BUILT } from '#server/version.ts';
import card from '#view/card.css?inline';
import connect from '#view/connect.css?inline';
import extras from '#view/extras.css?inline';
import faces from '#view/faces.css?inline';
import languages from '#view/language.css?inline';
import rightToLeft from '#view/right-to-left.css?inline';
import otp from '#view/otp.css?inline';
import { SAMPLE_PROFILE } from '#view/signin-page.tsx';
import signin from '#view/signin.css?inline';
import signinLanguage from '#view/signin-language.css?inline';
import button from '#view/ui-button.css?inline';
import verify from '#view/verify.css?inline';
import widget from '#view/widget.css?inline';
import script from '#view/script.css?inline';
import paySheet from '#view/pay-sheet.css?inline';
import notice from '#view/notice.css?inline';
import page from '#view/page.css?inline';
import print from '#view/page-print.css?inline';
import tokens from '#view/tokens.css?inline';

const CARD_STYLE = `${page}${card}${connect}`;

/** Names of at most two letters; those of a state (`is-done`) stay, because scripts set them. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const shortName = (index: number): string => {
  const { length } = LETTERS;
  const prefix = index < length ? '' : shortName(Math.floor(index / length) - 1);
  return `${prefix}${LETTERS.charAt(index % length)}`;
};
const PROPERTY = /(?<![\w-])--[a-z][a-z0-9-]*/g;
const CLASS = /(?<=\.)(?!is-)[a-z][a-z0-9-]*/g;
/** A constant of at most this length is shorter in its places than as a property. */
const INLINED_LENGTH_MAX = 6;

/** Shortens the names of classes and custom properties in a style, and in a page that it belongs to. */
export interface ShortNames {
  readonly style: (style: string) => string;
  readonly page: (html: string) => string;
}

/** `constants` declares custom properties of which no other style sheet has to be asked again. */
export function createShortNames(constants: string, ...styles: readonly string[]): ShortNames {
  const all = [constants, ...styles].join('');
  const values = new Map<string, string>();
  for (const [, name = '', value = ''] of constants.matchAll(
    /(?<![\w-])(--[a-z][a-z0-9-]*):([^;}]*)/g,
  )) {
    const isConstant = all.split(`${name}:`).length === 2;
    const isUsed = all.includes(`var(${name})`);
    if (isConstant && (!isUsed || value.length <= INLINED_LENGTH_MAX)) values.set(name, value);
  }
  const names = (pattern: RegExp) =>
    new Map([...new Set(all.match(pattern))].map((name, index) => [name, shortName(index)]));
  const classes = names(CLASS);
  const properties = names(PROPERTY);
  const className = (name: string) => classes.get(name) ?? name;
  return {
    style: (style) =>
      style
        .replaceAll(/(?<![\w-])(--[a-z][a-z0-9-]*):[^;}]*;?/g, (text, name) =>
          values.has(name) ? '' : text,
        )
        .replaceAll(/var\((--[a-z][a-z0-9-]*)\)/g, (text, name) => values.get(name) ?? text)
        .replaceAll(PROPERTY, (name) => (properties.has(name) ? `--${properties.get(name)}` : name))
        .replaceAll(CLASS, className)
        // The minifier keeps this space; no text of a style has one.
        .replaceAll(', ', ','),
    page: (html) =>
      html
        .replaceAll(/ class="([^"]*)"/g, (_, list: string) => {
          return ` class="${list.split(' ').map(className).join(' ')}"`;
        })
        .replaceAll(/><\/(?:path|use)>/g, '/>')
        // HTML needs no quotes there. Some crawlers of the head do.
        .replaceAll(
          /<(head|script)[^>]*>[^]*?<\/\1>|="([\w.:#-]*)"(?=[ >])/g,
          (text, skipped, value) => (skipped ? text : value && `=${value}`),
        )
        .replace('</body></html>', ''),
  };
}
/** In development the names are those of the sources. */
const SHORT: ShortNames = IS_BUILT
  ? createShortNames(tokens, accentStyle(PALETTES[0]), CARD_STYLE, print)
  : { style: (style) => style, page: (html) => html };
const SHORT_TOKENS = SHORT.style(tokens);
const SHORT_CARD_STYLE = SHORT.style(CARD_STYLE);
const SHORT_EXTRAS_STYLE = SHORT.style(`${extras}${paySheet}`);
const SHORT_FACES_STYLE = SHORT.style(faces);

/** With LANGUAGES, in another script, and from right to left. */
const LANGUAGE_STYLES = [languages, script, rightToLeft] as const;
const SHORT_LANGUAGE_STYLES = LANGUAGE_STYLES.map(SHORT.style);

/** What a page needs besides, with LANGUAGES and in another script. */
function languageStyle(
  { language, offered }: PageLanguage,
  styles: readonly string[] = LANGUAGE_STYLES,
): string {
  if (offered.length === 0) return '';
  const isMirrored = languageDirection(language) === 'rtl';
  return styles.slice(0, language === 'en' ? 1 : 2 + Number(isMirrored)).join('');
}

const WIDGET_STYLE = `${tokens}${accent}${base}${button}${otp}${widget}`;
const SIGNIN_STYLE = `${WIDGET_STYLE}${card}${signin}`;
const SAMPLE_STYLE = accentStyle(idPalette(SAMPLE_PROFILE._id), '.signin-card');

export function signinStyle(language: PageLanguage): string {
  const languageParts =
    language.offered.length === 0 ? '' : `${languageStyle(language)}${signinLanguage}`;
  return `${SIGNIN_STYLE}${SAMPLE_STYLE}${languageParts}`;
}

export const VERIFY_STYLE = `${WIDGET_STYLE}${verify}`;

function shortHash(content: string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 8);
}

interface CardParts {
  readonly hasExtras: boolean;
  readonly hasFaces: boolean;
}

/** Inlined, so that a page is one request. */
export function cardStyle(
  palette: Palette,
  { hasExtras, hasFaces }: CardParts,
  language: PageLanguage,
): string {
  const style = `${SHORT_TOKENS}${SHORT.style(accentStyle(palette))}${SHORT_CARD_STYLE}`;
  const parts = `${hasExtras ? SHORT_EXTRAS_STYLE : ''}${hasFaces ? SHORT_FACES_STYLE : ''}`;
  return `${style}${parts}${languageStyle(language, SHORT_LANGUAGE_STYLES)}`;
}

/** Of a page with `cardStyle`. */
export const shortenPage = SHORT.page;

/** Of a card. Its path has a hash of its content, so it never changes. */
export const PRINT_STYLE = SHORT.style(print);
export const PRINT_STYLE_PATH = `/assets/print-${shortHash(PRINT_STYLE)}.css`;

/** The button is defined in card.css. */
export function noticeStyle(language: PageLanguage): string {
  return `${tokens}${accent}${page}${card}${notice}${languageStyle(language)}`;
}
