import { isEmail } from '#domain/email.ts';
import { LEAD_LENGTHS_MAX } from '#domain/lead-schema.ts';
import type { Lead } from '#domain/lead-schema.ts';
import { cleanInput, dropLoneSurrogates, trimText } from '#domain/text.ts';

import type { Property } from './cards.ts';
import { NOT_A_PHONE, plainLabel } from './label.ts';

export const unescape = (value: string, lineBreak = ' '): string =>
  value.replace(/\\(.)/gs, (_, character: string) =>
    /n/i.test(character) ? lineBreak : character,
  );

export const cleanField = (value: string, name: keyof Lead): string =>
  cleanLine(value, LEAD_LENGTHS_MAX[name]);

export const cleanLine = (value: string, lengthMax: number): string =>
  cutClean(cleanInput(value).replace(/\s+/g, ' '), lengthMax);

export const cutClean = (text: string, lengthMax: number): string =>
  trimText(dropLoneSurrogates(text.trim().slice(0, lengthMax)));

/** Matches what stands before a number: the scheme of a link such as `tel:` (RFC 3966), or a label. */
const BEFORE_NUMBER = /^\s*(?:(?:https?:\/\/)?wa\.me\/|\p{L}[\p{L}\p{M} .-]*:(?:\/\/)?)/iu;
/** Matches a user name or a host, which can contain digits too. */
const USER_NAME = /^\s*[^\s\p{Nd}]*\p{L}\S*$/u;
/** Some programs write zeros if there is no number, so a text whose only digits are zeros does not match. */
const NUMBER = /[1-9]|(?!\d)\p{Nd}/u;
/** Matches as many whole numbers of a long list as a lead has room for. */
const FIRST_NUMBERS = new RegExp(
  String.raw`^.{1,${LEAD_LENGTHS_MAX.mobile}}(?=\s*(?:[/,;|&\n]|\s\+|\s\s|\b(?:or|and)\b|$))`,
  'is',
);
/** Matches what is left of the separator where a list was cut. */
const LIST_END = /(?:[\s/,;|&]|\b(?:or|and)\b)+$/i;

/** Returns a phone, or '' if the text contains no number, only the number of a fax, or another kind of link. */
export function phone({ value }: Property): string {
  const text = unescape(value, '\n').replaceAll('"', '');
  const [start = ''] = BEFORE_NUMBER.exec(text) ?? [];
  const number = text.slice(start.length).replace(start === '' ? /;.*$/s : /[;@?].*$/s, '');
  const isFax = NOT_A_PHONE.test(plainLabel(text)) && !/[/,\n]/.test(number);
  const isOther = isEmail(number.trim()) || (start !== '' && USER_NAME.test(number));
  const [first = ''] = FIRST_NUMBERS.exec(number) ?? [];
  const isPhone = NUMBER.test(first) && !isFax && !isOther;
  return isPhone ? cleanField(first.replace(LIST_END, ''), 'mobile') : '';
}

/** Returns whether a phone can be dialled from anywhere. An extension and a code such as *121# cannot. */
export const isPlausiblePhone = (found: string): boolean =>
  /^(?![*#]|(?:x|ext\p{L}*)[.\s]*\p{Nd})(?:\P{Nd}*\p{Nd}){5}/iu.test(found);

const BRACKETED = /<([^<>]*@[^<>]*)>/g;
const QUOTES_AND_COMMENTS = /"|\([^()@]*\)/g;
const EMAIL_SEPARATOR = /[(,;|/\n]|:::/;
const OUTER_SIGNS = /^[<>[\]{}'`(]+|(?<![<>[\]{}'`.,;:)])[<>[\]{}'`.,;:)]+$/g;

/** Returns the first bare email of texts such as `"Name" <a@b.example>`, `mailto:a@b.example` or a list. */
export function emailAddress({ value }: Property): string {
  const typed = unescape(value, '\n');
  const bracketed = Array.from(typed.matchAll(BRACKETED), ([, one = '']) => one);
  const rest = typed.replace(QUOTES_AND_COMMENTS, '');
  const pieces = [...bracketed, rest, ...rest.split(EMAIL_SEPARATOR)];
  return pieces.map(bareEmail).find(Boolean) ?? '';
}

/** Returns the email at the start of a text, without its label or scheme, or '' if there is none. */
function bareEmail(text: string): string {
  const [word = ''] = text
    .replace(/^[^@]*:/, '')
    .trim()
    .split(/[\s?]/);
  const bare = (word.includes('@') ? word : word.replace(/%40/, '@')).replace(OUTER_SIGNS, '');
  return bare.length <= LEAD_LENGTHS_MAX.email && isEmail(bare) ? cleanField(bare, 'email') : '';
}
