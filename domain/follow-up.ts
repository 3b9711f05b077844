import * as z from 'zod/mini';

import { mailHref } from './href.ts';
import { isTimeZone } from './local-time.ts';
import { multiLineText, singleLineText } from './text.ts';

/** Every IANA name is shorter. */
const TIME_ZONE_LENGTH_MAX = 64;

export const timeZoneSchema = z
  .string('must be text')
  .check(z.maxLength(TIME_ZONE_LENGTH_MAX, 'is too long'))
  .check(z.refine(isTimeZone, 'is not a time zone'));

const DAY_INVALID = 'must be a day, such as 2026-01-31';

// `Intl` writes years before 1000 with fewer than four digits.
export const daySchema = z.iso
  .date(DAY_INVALID)
  .check(z.refine((day) => day >= '1000', DAY_INVALID));

export const TEMPLATES_MAX = 5;
export const TEMPLATE_LENGTHS_MAX = { name: 60, text: 1000 } as const;

export const templatesSchema = z
  .array(
    z.object({
      name: singleLineText(TEMPLATE_LENGTHS_MAX.name),
      text: multiLineText(TEMPLATE_LENGTHS_MAX.text),
    }),
    'must be a list',
  )
  .check(z.maxLength(TEMPLATES_MAX, `must be at most ${TEMPLATES_MAX}`));

export type Template = z.infer<typeof templatesSchema>[number];

export const FIRST_TEMPLATE: Template = {
  name: 'Hello',
  text: 'Hello {name}, this is {my name}. My card: {my card}',
};

export const PLACEHOLDERS = ['name', 'company', 'event', 'my name', 'my card'] as const;
type Values = Readonly<Record<(typeof PLACEHOLDERS)[number], string>>;

const PLACEHOLDER = new RegExp(`([ \\t]*)\\{\\s*(${PLACEHOLDERS.join('|')})\\s*\\}`, 'gi');

/** Marks the place of an empty value. No text contains this noncharacter. */
const GAP = '\ufdd0';
const EMPTY_BRACKETS = new RegExp(`[ \\t]*[([][\\s,;|/&-]*${GAP}[\\s,;|/&${GAP}-]*[)\\]]`, 'g');
const SIGN_BEFORE_GAP = new RegExp(`[ \\t]*[,;|–—-]${GAP}+(?=\\s*(?:[,;|–—.!?।۔؟-]|$))`, 'g');
const SIGN_AFTER_GAP_AT_START = new RegExp(`^${GAP}+\\s*[,;|–—-]`);
const EMPTY_LINE = new RegExp(`${GAP}(?:\\n|$)`, 'g');
const LINES_BETWEEN_EMPTY_ONES = new RegExp(`(?<=\\n\\n)(?:${GAP}\\n)+\\n`, 'g');

/**
 * Fills in the placeholders. If a value is empty, the space, brackets, comma or line that it would leave
 * behind is removed too.
 */
export function fillTemplate(text: string, values: Values): string {
  return text
    .split('\n')
    .map((line) => fillLine(line, values))
    .join('\n')
    .replace(LINES_BETWEEN_EMPTY_ONES, '')
    .replace(EMPTY_LINE, '')
    .trim();
}

/** Returns only `GAP` for a line in which nothing is left after its empty values are removed. */
function fillLine(line: string, values: Values): string {
  const filled = line
    .replace(PLACEHOLDER, (_, space: string, typed: string) => {
      const value = values[typed.toLowerCase() as keyof Values];
      return value === '' ? GAP : space + value;
    })
    .replace(EMPTY_BRACKETS, GAP)
    .replace(SIGN_BEFORE_GAP, GAP)
    .replace(SIGN_AFTER_GAP_AT_START, '');
  const written = filled.replaceAll(GAP, '').replace(/^ +/, '');
  return written.trim() === '' && line.trim() !== '' ? GAP : written;
}

export const writeWhatsappHref = (chat: string, text: string): string =>
  `${chat}?text=${encodeURIComponent(text)}`;

/** Mail programs cut or ignore longer links, and so does Windows between a browser and a program. */
const MAIL_HREF_LENGTH_MAX = 2000;

/** Returns a link with CRLF line breaks (RFC 6068, section 5), or null if mail programs would cut it. */
export function writeMailHref(email: string, text: string): string | null {
  const href = `${mailHref(email)}?body=${encodeURIComponent(text.replaceAll('\n', '\r\n'))}`;
  return href.length > MAIL_HREF_LENGTH_MAX ? null : href;
}
