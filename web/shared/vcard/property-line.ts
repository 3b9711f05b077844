import { decodeText, toBinary } from './characters.ts';
import { PROPERTY_NAMES } from './lines.ts';

export interface Line {
  readonly group: string;
  readonly name: string;
  readonly parameterText: string;
  raw: string;
}

/** Some programs write a URL as a parameter without quotes. Its colons do not begin the value. */
const COLON_IN_PARAMETER = String.raw`:(?<==[a-z]+:)(?=//)|:(?=[^":]{0,200};(?:TYPE|PREF|VALUE)=[^":]*:)`;
const PROPERTY = new RegExp(
  String.raw`^(?:([\w.-]+)\.)?([\w-]+)\s*((?:;(?:"[^"]*"|[^":;]|${COLON_IN_PARAMETER})*)*):(.*)$`,
  'is',
);
const UNCLOSED_QUOTE = /^[\w.-]+;[^:"]*".*:/s;

// The patterns below read lines in which the colon is missing, is another character, or follows something that
// is not a parameter.
const PHONE_OR_EMAIL = /^(?:[\w.-]+\.)?(?:TEL|EMAIL)(?![a-z])/i;
const NUMBERED = '(?:PREF|PID|ALTID|WAID)=';
/** A type such as `X-SIM2` ends in a digit or two. More of them are the number. */
const TYPE = String.raw`(?!${NUMBERED})\p{L}(?:[\p{L}\p{M}_-]|\d{1,2}(?!\d))*`;
const TYPES = String.raw`(?:[;,.\s(\[=]+(?:${NUMBERED}[\d.]+|"[^"]*"|${TYPE})[)\]]*)*`;
const LOOSE_PHONE = new RegExp(
  // A line of a picture can begin with the same letters. It has no white space between its letters.
  String.raw`^(?:([\w.-]+)\.)?(TEL)(${TYPES})[^\p{L}\p{M}\p{Nd}+(]*([+(\p{Nd}][^a-z=]*(?:[\s;].*)?)$`,
  'isu',
);
const LOOSE_EMAIL =
  /^(?:([\w.-]+)\.)?(EMAIL)(.*?)(?<![^\s;:=,：<>()"-])([^\s;:=,：<>()"-][^\s;:=,：<>()"]*@.*)$/is;
/** The full-width colon, which Asian keyboards write, is three bytes long. */
const LOOSE_TEXT =
  /^(?:([\w.-]+)\.)?(FN|N|NICKNAME|ORG|TITLE)()\s*(?:=|\xef\xbc\x9a)\s*([^=\s].*)$/is;

/** Returns the property in an unfolded line, or null if it is none. */
export function parseLine(text: string): Line | null {
  const match = PROPERTY.exec(text) ?? LOOSE_TEXT.exec(text);
  if (match && !/^(?:TEL|EMAIL)$/i.test(match[1] ?? '')) return toLine(match);
  if (PHONE_OR_EMAIL.test(text)) {
    const decoded = decodeText(text, undefined);
    const loose = LOOSE_PHONE.exec(decoded) ?? LOOSE_EMAIL.exec(decoded);
    if (loose) return toLine(loose.map((part) => part && toBinary(new TextEncoder().encode(part))));
  }
  // A quote that does not end would hide the colon, so a line with one is parsed without its quotes.
  return UNCLOSED_QUOTE.test(text) ? parseLine(text.replaceAll('"', '')) : null;
}

function toLine([, group = '', name = '', parameterText = '', raw = '']: readonly string[]): Line {
  return { group: group.toUpperCase(), name: name.toUpperCase(), parameterText, raw };
}

/** Matches a comment, a dividing line, an HTML tag, and the name of a property in capitals. */
const NOT_A_TEXT = new RegExp(
  String.raw`^\s*(?:[<#;*[{|]|&\w+;|[^\w\s\x80-\xff]{2}|(?:\xe2[\x80-\x9f][\x80-\xbf]){2}|(?:[\w-]+\.)*(?!N\b)(?:${PROPERTY_NAMES})(?!\w))`,
);
const NAME_AND_SIGN = new RegExp(String.raw`^\s*(?:[\w-]+\.)*(?:${PROPERTY_NAMES})\s*[;=(]`, 'i');

/** Returns whether a line without a property can be the rest of the text before it. */
export const isText = (text: string): boolean =>
  !NOT_A_TEXT.test(text) && !NAME_AND_SIGN.test(text);
