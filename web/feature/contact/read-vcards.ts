import { LEAD_LENGTHS_MAX } from '#domain/lead-schema.ts';
import type { Lead } from '#domain/lead-schema.ts';
import { cleanInput, dropLoneSurrogates, trimText } from '#domain/text.ts';

interface Property {
  readonly name: string;
  /** Types and encodings, in capitals: `TYPE=cell,pref`, `type=pref` and the bare `CELL` of 2.1. */
  readonly parameters: ReadonlySet<string>;
  readonly value: string;
}

const PROPERTY = /^(?:[\w-]+\.)?([\w-]+)((?:;(?:"[^"]*"|[^":;])*)*):(.*)$/s;
const PARAMETER = /;((?:"[^"]*"|[^";])*)/g;
const QUOTED_PRINTABLE = /^[^:]*QUOTED-PRINTABLE[^:]*:/i;
const SKIPPED = /^(?:[\w-]+\.)?(?:PHOTO|LOGO|SOUND|KEY)[;:]/i;
const FAX_OR_PAGER = ['FAX', 'PAGER'];
const MOBILE_TYPES = ['CELL', 'IPHONE'];
const PREFERRED = ['PREF', 'PREF=1'];

/** What is in a file of an address book, without pictures. Other encodings than UTF-8 are old ones of Windows. */
export function decodeVcards(bytes: Uint8Array): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  try {
    return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Reads vCards 2.1, 3.0 (RFC 2426) and 4.0 (RFC 6350). Returns the people; one without a name, or without a mobile and an email, too. */
export function readVcards(text: string): Lead[] {
  const people: Lead[] = [];
  let properties: Property[] = [];
  // A card inside of another one is its agent's.
  let depth = 0;
  for (const line of logicalLines(text)) {
    const property = parseProperty(line);
    if (property === null) continue;
    const { name, value } = property;
    const isCard = value.trim().toUpperCase() === 'VCARD';
    if (name === 'BEGIN' && isCard) depth += 1;
    else if (name === 'END' && isCard) {
      depth = Math.max(0, depth - 1);
      if (depth > 0) continue;
      if (!isGroup(properties)) people.push(toLead(properties));
      properties = [];
    } else if (depth === 1) properties.push(property);
  }
  return people;
}

/** Joins folded lines, and the lines of quoted-printable text that end with `=`. Without pictures. */
function* logicalLines(text: string): Generator<string> {
  let line = '';
  let [isSkipped, isQuoted, isSoftBreak] = [false, false, false];
  for (const [physical] of text.matchAll(/[^\r\n]+/g)) {
    if (!isSoftBreak && !/^[ \t]/.test(physical)) {
      if (!isSkipped) yield line;
      line = '';
      isSkipped = SKIPPED.test(physical);
      isQuoted = QUOTED_PRINTABLE.test(physical);
    }
    const part = line === '' ? physical : physical.replace(isSoftBreak ? /^\s+/ : /^\s/, '');
    isSoftBreak = isQuoted && part.endsWith('=');
    if (!isSkipped) line += isSoftBreak ? part.slice(0, -1) : part;
  }
  yield line;
}

function parseProperty(line: string): Property | null {
  const [, name, parameterText = '', raw = ''] = PROPERTY.exec(line) ?? [];
  if (name === undefined) return null;
  const parameters = new Set<string>();
  let charset = 'utf-8';
  for (const [, parameter = ''] of parameterText.matchAll(PARAMETER)) {
    const [key = '', value = key] = parameter.toUpperCase().replaceAll('"', '').split('=');
    if (key === 'CHARSET') charset = value;
    else if (key === 'PREF') parameters.add(value === 'PREF' ? value : `PREF=${value}`);
    else for (const one of value.split(',')) parameters.add(one);
  }
  const value = decodeValue(raw, parameters, charset);
  return { name: name.toUpperCase(), parameters, value };
}

function decodeValue(raw: string, parameters: ReadonlySet<string>, charset: string): string {
  let binary: string;
  try {
    if (parameters.has('QUOTED-PRINTABLE'))
      binary = raw.replace(/=([\dA-F]{2})/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );
    else if (parameters.has('BASE64') || parameters.has('B'))
      binary = atob(raw.replaceAll(' ', ''));
    else return raw;
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return raw;
  }
}

function isGroup(properties: readonly Property[]): boolean {
  return properties.some(
    ({ name, value }) => /^(?:KIND|X-ADDRESSBOOKSERVER-KIND)$/.test(name) && /^group$/i.test(value),
  );
}

function toLead(properties: readonly Property[]): Lead {
  const named = (wanted: string) =>
    properties.filter(({ name, value }) => name === wanted && trimText(value) !== '');
  const [family, given, additional, prefix, suffix] = components(named('N')[0]);
  const company = field(components(named('ORG')[0])[0] ?? '', 'companyName');
  const structured = [prefix, given, additional, family, suffix].filter(Boolean).join(' ');
  const name = field(unescape(named('FN')[0]?.value ?? ''), 'name') || field(structured, 'name');
  const phones = named('TEL').filter((phone) => !hasOne(phone, FAX_OR_PAGER));
  return {
    name: name || company,
    mobile: address(best(phones, MOBILE_TYPES), 'mobile'),
    email: address(best(named('EMAIL'), []), 'email'),
    companyName: company,
  };
}

const hasOne = ({ parameters }: Property, wanted: readonly string[]) =>
  wanted.some((one) => parameters.has(one));

/** One of the types before others, one that is preferred before others, else the first. */
function best(properties: readonly Property[], types: readonly string[]): Property | undefined {
  const ofType = properties.filter((property) => hasOne(property, types));
  const candidates = ofType.length > 0 ? ofType : properties;
  return candidates.find((property) => hasOne(property, PREFERRED)) ?? candidates[0];
}

function components(property: Property | undefined): string[] {
  const parts = property?.value.match(/(?:^|;)(?:\\.|[^\\;])*/gs) ?? [];
  return parts.map((part) => unescape(part.replace(/^;/, '')).trim());
}

const unescape = (value: string) =>
  value.replace(/\\(.)/gs, (_, character: string) => (/n/i.test(character) ? ' ' : character));

function field(value: string, name: keyof Lead): string {
  const line = cleanInput(value).replace(/\s+/g, ' ').trim();
  return trimText(dropLoneSurrogates(line.slice(0, LEAD_LENGTHS_MAX[name])));
}

/** `tel:` and `mailto:` of 4.0 are left out. What is too long cannot be right. */
function address(property: Property | undefined, name: 'mobile' | 'email'): string {
  const value = unescape(property?.value ?? '').replace(/^(?:tel|mailto):|;.*$/gi, '');
  return value.length > LEAD_LENGTHS_MAX[name] ? '' : field(value, name);
}
