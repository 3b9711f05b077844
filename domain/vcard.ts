import { splitName } from './person-name.ts';
import type { ProfileFieldName } from './profile-field.ts';
import { UNKNOWN_USER } from './unknown-user.ts';
import { dropLoneSurrogates } from './text.ts';

/** Without the line end (RFC 2426, section 2.6). */
const LINE_OCTETS_MAX = 75;
const LINE_END = '\r\n';
const FILE_NAME_LENGTH_MAX = 80;

// Control characters except tabs, which stay, and line breaks, which `escape` replaces.
// eslint-disable-next-line no-control-regex -- control characters are matched on purpose
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
/** Not safe in file names or headers, or able to hide the extension. */
// eslint-disable-next-line no-control-regex -- control characters are matched on purpose
const NOT_IN_FILE_NAME =
  /[\u0000-\u001f\u007f-\u009f\\/:*?"<>|%\u200b\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** In the order of a vCard; null omits a field (docs/product.md#contact-file). */
const PROPERTIES = {
  name: null,
  designation: 'TITLE',
  companyName: 'ORG',
  email: 'EMAIL;TYPE=INTERNET',
  phone: 'TEL;TYPE=CELL',
  bio: null,
} as const satisfies Record<ProfileFieldName, string | null>;

type PropertyFieldName = {
  [Name in ProfileFieldName]: (typeof PROPERTIES)[Name] extends string ? Name : never;
}[ProfileFieldName];

export type VcardTexts = { readonly name: string } & {
  readonly [Name in PropertyFieldName]?: string;
};

export interface VcardExtras {
  readonly url: string;
  readonly links: readonly { readonly label: string; readonly url: string }[];
  readonly note: string;
  readonly photo: string;
  readonly phone?: string;
  readonly email?: string;
  readonly address?: string;
}

/** vCard 3.0 (RFC 2426). Line breaks in values, a bare CR too, become `\n`. */
export function writeVcard(fields: VcardTexts, extras: Partial<VcardExtras> = {}): string {
  const name = clean(fields.name) || UNKNOWN_USER.name;
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${nameComponents(name).map(escape).join(';')}`,
    `FN:${escape(name)}`,
    ...Object.entries(PROPERTIES).flatMap(([field, propertyName]) =>
      propertyName === null ? [] : property(propertyName, fields[field as PropertyFieldName] ?? ''),
    ),
    ...extraProperties(extras),
    'END:VCARD',
  ];
  return lines.map((line) => `${fold(line)}${LINE_END}`).join('');
}

type ContactTexts = Readonly<Record<'name' | 'companyName' | 'email' | 'mobile', string>>;

/** A mobile without a `phone` is in the note: a telephone dials what it stores as a number. */
export function writeContactVcard(
  { name, companyName, email, mobile }: ContactTexts,
  phone: string | null,
): string {
  const fields = { name, companyName, email, phone: phone ?? '' };
  return writeVcard(fields, { note: phone === null ? mobile : '' });
}

export function contactFileName(name: string): string {
  const safe = clean(name)
    .replace(NOT_IN_FILE_NAME, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  const short = dropLoneSurrogates(safe.slice(0, FILE_NAME_LENGTH_MAX)).trim();
  return `${short || 'card'}.vcf`;
}

function nameComponents(name: string): string[] {
  const { prefix, words, suffix } = splitName(name);
  const family = words.length > 1 ? words.at(-1) : '';
  const given = words.length > 1 ? words.slice(0, -1) : words;
  return [family ?? '', given.join(' '), '', prefix, suffix];
}

function extraProperties(extras: Partial<VcardExtras>): string[] {
  const { url = '', links = [], note = '', photo = '', address = '' } = extras;
  const street = clean(address);
  return [
    ...property(PROPERTIES.phone, extras.phone ?? ''),
    ...property(PROPERTIES.email, extras.email ?? ''),
    ...(street === '' ? [] : [`ADR;TYPE=WORK:;;${escape(street)};;;;`]),
    ...(url === '' ? [] : [`URL:${escapeUrl(url)}`]),
    // Address books show the label of a property in the same group.
    ...links.flatMap((link, index) => [
      `item${index + 1}.URL:${escapeUrl(link.url)}`,
      `item${index + 1}.X-ABLabel:${escape(clean(link.label))}`,
    ]),
    ...property('NOTE', note),
    ...(photo === '' ? [] : [`PHOTO;ENCODING=b;TYPE=JPEG:${photo}`]),
  ];
}

/** Without the characters that readers of a vCard unescape or split at. */
function escapeUrl(url: string): string {
  return new URL(url).href.replaceAll('\\', '%5C').replaceAll(',', '%2C').replaceAll(';', '%3B');
}

function property(name: string, value: string): string[] {
  const cleaned = clean(value);
  return cleaned === '' ? [] : [`${name}:${escape(cleaned)}`];
}

function clean(value: string): string {
  return dropLoneSurrogates(value.replace(CONTROL_CHARACTERS, '')).trim();
}

function escape(value: string): string {
  return value
    .replaceAll('\\', '\\\\')
    .replaceAll(';', '\\;')
    .replaceAll(',', '\\,')
    .replace(/\r\n?|[\n\u2028\u2029]/g, '\\n');
}

/** Never inside a character. Continuation lines begin with a space. */
function fold(line: string): string {
  let folded = '';
  let octets = 0;
  for (const character of line) {
    const size = countOctets(character.codePointAt(0) ?? 0);
    if (octets + size > LINE_OCTETS_MAX) {
      folded += `${LINE_END} `;
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return folded;
}

function countOctets(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
