import { decodeQuotedPrintable, decodeText, toBinary, toFileText } from './characters.ts';
import { LINE_BYTES_MAX, certainLinePattern, unfoldedLines } from './lines.ts';
import { isText, parseLine } from './property-line.ts';
import type { Line } from './property-line.ts';

export interface Property {
  /** The group, such as `item1` of `item1.TEL`, whose label is in `item1.X-ABLabel`. '' if there is none. */
  readonly group: string;
  readonly name: string;
  /** Types and encodings in capitals, from `TYPE=cell,pref`, `type=pref` or the bare `CELL` of vCard 2.1. */
  readonly parameters: ReadonlySet<string>;
  readonly value: string;
}

export interface Card {
  readonly properties: readonly Property[];
  /** Whether the file ends inside the card's last line. */
  readonly isCut: boolean;
}

/** No real card contains as many lines. */
const LINES_MAX = 200;
const PARAMETER = /;((?:"[^"]*"|[^";])*)/g;
const KEY_AND_VALUE = /^([^=]*)(?:=(.*))?$/s;
/** Android writes a custom label as `X-CUSTOM(CHARSET=UTF-8,ENCODING=QUOTED-PRINTABLE,=E0=A4=98)`. */
const QUOTED_LABEL = /(?<=QUOTED-PRINTABLE,)[^);]*/gi;
const NAME_COMPLETE = /(?:;.*){4}/s;
/**
 * Matches a value with a quoted-printable letter of two or more bytes in UTF-8, unless a colon or a slash
 * stands before it, as in a URL.
 */
const QUOTED_LETTER = /^[^:/]*=[C-F][\dA-F]=[89AB][\dA-F]/i;
const QUOTED_BYTE = /^=[\dA-F]{2}/i;

/**
 * Yields the cards of a file in vCard 2.1, 3.0 (RFC 2426) or 4.0 (RFC 6350), each with the properties that are
 * wanted. Yields null now and then, so that the caller can let the page paint and respond. Damage in a card
 * does not affect other cards.
 */
export function* readCards(bytes: Uint8Array, wanted: RegExp): Generator<Card | null> {
  const text = toFileText(bytes);
  const reader = new CardReader(wanted, text.isUnicode);
  for (const line of unfoldedLines(text.bytes, wanted)) {
    const card = line === null ? null : reader.take(line);
    if (line === null || card) yield card ?? null;
  }
  const last = reader.end(!/[\r\n]$/.test(toBinary(text.bytes.subarray(-1))));
  if (last) yield last;
}

class CardReader {
  #lines: Line[] = [];
  #isOpen = false;
  /** The number of nested AGENT cards around the current line. */
  #agentDepth = 0;
  #previous: Line | null = null;
  #certainLine = certainLinePattern('BEGIN');

  readonly #wanted: RegExp;
  readonly #isUnicode: boolean;

  constructor(wanted: RegExp, isUnicode: boolean) {
    this.#wanted = wanted;
    this.#isUnicode = isUnicode;
  }

  /** Takes the next line. Returns the card that ends with this line or before it. */
  take(text: string): Card | null {
    const line = parseLine(text);
    const isCard = line !== null && /^\s*VCARD\s*$/i.test(line.raw);
    if (isCard && line.name === 'BEGIN') return this.#begin(text);
    if (isCard && line.name === 'END') return this.#endCard();
    if (this.#previous?.name === 'NOTE' && !this.#certainLine.test(text)) return null;
    if (line === null) this.#continue(text);
    else {
      this.#previous = line;
      if (line.name === 'AGENT' && /^\s*BEGIN:VCARD\s*$/i.test(line.raw)) this.#agentDepth += 1;
      else if (this.#agentDepth === 0 && this.#wanted.test(line.name)) this.#keep(line);
    }
    return null;
  }

  #keep(line: Line): void {
    if (this.#lines.length < LINES_MAX) this.#lines.push(line);
  }

  end(isCut: boolean): Card | null {
    return this.#isOpen ? this.#flush(isCut) : null;
  }

  /** Starts a nested card after an AGENT, and otherwise a new card, even if the end of the last is missing. */
  #begin(text: string): Card | null {
    const isAgent = this.#previous?.name === 'AGENT' && this.#previous.raw.trim() === '';
    this.#previous = null;
    if (isAgent) {
      this.#agentDepth += 1;
      return null;
    }
    const card = this.#isOpen ? this.#flush(false) : null;
    this.#lines = [];
    this.#isOpen = true;
    this.#certainLine = certainLinePattern(/^\w*/.exec(text)?.[0] ?? '');
    return card;
  }

  #endCard(): Card | null {
    this.#previous = null;
    if (this.#agentDepth > 0) this.#agentDepth -= 1;
    // The BEGIN of a card can be missing too.
    else if (this.#isOpen || this.#lines.length > 0) return this.#flush(false);
    return null;
  }

  /** Appends a line without a property to the text before it, which some programs break without a fold. */
  #continue(text: string): void {
    const { name = '', raw = '' } = this.#previous ?? {};
    const isOpen =
      /^(?:FN|ORG|TITLE|NICKNAME)$/.test(name) || (name === 'N' && !NAME_COMPLETE.test(raw));
    if (!this.#previous || !isOpen || text.trim() === '') return;
    if (!isText(text)) this.#previous = null;
    else if (raw.length < LINE_BYTES_MAX)
      this.#previous.raw += QUOTED_BYTE.test(text) ? text : ` ${text}`;
  }

  #flush(isCut: boolean): Card {
    const properties = this.#lines.map((line) => toProperty(line, this.#isUnicode));
    this.#lines = [];
    this.#previous = null;
    this.#isOpen = false;
    this.#agentDepth = 0;
    return { properties, isCut };
  }
}

function toProperty({ group, name, parameterText, raw }: Line, isUnicode: boolean): Property {
  const parameters = new Set<string>();
  let charset: string | undefined;
  for (const [, parameter = ''] of decodeParameters(parameterText).matchAll(PARAMETER)) {
    const text = parameter.toUpperCase().replaceAll('"', '');
    const [, key = '', value = key] = KEY_AND_VALUE.exec(text) ?? [];
    if (key === 'CHARSET') charset = value.trim();
    else if (key === 'PREF') parameters.add(value === 'PREF' ? value : `PREF=${value}`);
    else for (const one of value.split(/\\?,/)) parameters.add(one.trim());
  }
  // A picture stays as it is in the file.
  const value = name === 'PHOTO' ? raw : decodeValue(raw, parameters, { charset, isUnicode });
  return { group, name, parameters, value };
}

const decodeParameters = (text: string) =>
  decodeText(text, undefined).replace(QUOTED_LABEL, (label) =>
    decodeQuotedPrintable(label, undefined),
  );

interface Encoding {
  readonly charset: string | undefined;
  readonly isUnicode: boolean;
}

function decodeValue(
  raw: string,
  parameters: ReadonlySet<string>,
  { charset, isUnicode }: Encoding,
): string {
  // Some programs leave the encoding out. No text contains such bytes otherwise.
  const isQuoted = parameters.has('QUOTED-PRINTABLE') || parameters.has('Q');
  if (isQuoted || QUOTED_LETTER.test(raw)) return decodeQuotedPrintable(raw, charset);
  try {
    if (parameters.has('BASE64') || parameters.has('B'))
      return decodeText(atob(raw.replaceAll(' ', '')), charset);
  } catch {
    // The value is not base64.
  }
  return decodeText(raw, isUnicode ? undefined : charset);
}
