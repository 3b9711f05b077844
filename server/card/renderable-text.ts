/** The scripts that we bring fonts for: the first three in one font, then those of India. */
const SCRIPTS =
  'Latin Greek Cyrillic Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Arabic';
/** ASCII, Latin-1, accents; commas and stops of Arabic and Indic; ZWNJ and ZWJ; dashes, quotes, ₹ €. */
const SIGNS = String.raw`\u0020-\u007e\u00a0-\u00ff\u0300-\u036f\u060c\u061b\u061f\u0964\u0965\u200c\u200d\u2010-\u2027\u2030-\u203a\u20b9\u20ac`;

const scriptClasses = SCRIPTS.split(' ').map((script) => String.raw`\p{Script=${script}}`);
const NOT_DRAWABLE = new RegExp(`[^${scriptClasses.join('')}${SIGNS}]`, 'gu');
/** What joins a letter and has none to join. */
const ASTRAY = /(^|\s)[\p{Mark}\p{Join_Control}]+/gu;

/**
 * A text without what could only be drawn as an empty box (emoji, scripts that we bring no font
 * for), in one line. Letters dressed up as mathematical signs become the letters that they mean.
 */
export function drawableText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(NOT_DRAWABLE, ' ')
    .replace(ASTRAY, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
