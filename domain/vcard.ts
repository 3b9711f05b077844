import { isEmail } from './email.ts';
import { isFamilyFirst, splitName } from './person-name.ts';
import type { Phone } from './phone.ts';
import type { ProfileFieldName } from './profile-field.ts';
import { UNKNOWN_USER } from './unknown-user.ts';
import { dropLoneSurrogates, trimText } from './text.ts';

/** A line has at most 75 octets without its end (RFC 2426, section 2.6). */
const LINE_OCTETS_MAX = 75;
const LINE_END = '\r\n';
const FILE_NAME_LENGTH_MAX = 80;

// Tabs stay, and `escape` replaces line breaks.
// eslint-disable-next-line no-control-regex -- control characters are matched on purpose
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
/** These characters are unsafe in file names or headers, or can hide the extension. */
// eslint-disable-next-line no-control-regex -- control characters are matched on purpose
const UNSAFE_IN_FILE_NAME =
  /[\u0000-\u001f\u007f-\u009f\\/:*?"<>|%\u200b\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** The order is that of a vCard, and a field with null is left out (docs/develop/product.md#contact-file). */
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
  /** Each text of a list gets a line of its own. */
  readonly [Name in PropertyFieldName]?: string | readonly string[];
};

export interface VcardExtras {
  readonly url: string;
  readonly links: readonly { readonly label: string; readonly url: string }[];
  readonly note: string;
  readonly photo: string;
  readonly phone?: readonly string[];
  readonly email?: string;
  readonly address?: string;
  /** The texts of `AS_TYPED_PROPERTIES`. */
  readonly asTyped?: { readonly mobile: string; readonly email: string };
}

/** Writes vCard 3.0 (RFC 2426). */
export function writeVcard(fields: VcardTexts, extras: Partial<VcardExtras> = {}): string {
  const company = clean([fields.companyName ?? ''].flat().join(' '));
  const name = trimText(clean(fields.name)) || company || UNKNOWN_USER.name;
  // A company alone is nobody's name.
  const components = isSameText(name, company) ? EMPTY_NAME_COMPONENTS : nameComponents(name);
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${components.map(escape).join(';')}`,
    `FN:${escape(name)}`,
    ...Object.entries(PROPERTIES).flatMap(([field, propertyName]) =>
      propertyName === null ? [] : property(propertyName, fields[field as PropertyFieldName]),
    ),
    ...extraProperties(extras),
    'END:VCARD',
  ];
  return lines.map((line) => `${fold(line)}${LINE_END}`).join('');
}

/**
 * These properties hold a contact's mobile that is not a phone number and an email that is not valid, as
 * they were typed. Other programs ignore both. An import reads them, so that an export is read back
 * completely.
 */
export const AS_TYPED_PROPERTIES = {
  mobile: 'X-TESSERA-MOBILE',
  email: 'X-TESSERA-EMAIL',
} as const;

const NOTHING_AS_TYPED = { mobile: '', email: '' };

type ContactTexts = Readonly<Record<'name' | 'companyName' | 'email' | 'mobile', string>>;

/** Puts a mobile that cannot be dialled into the note, because a telephone dials what it stores as a number. */
export function writeContactVcard(
  { name, companyName, email, mobile }: ContactTexts,
  { numbers, isExport = false }: Pick<Phone, 'numbers'> & { readonly isExport?: boolean },
): string {
  const fields = { name, companyName, email, phone: numbers };
  const note = numbers.length === 0 ? mobile : '';
  const asTyped = { mobile: numbers.length === 1 ? '' : mobile, email };
  return writeVcard(fields, isExport ? { note, asTyped } : { note });
}

export function contactFileName(name: string): string {
  const safe = clean(name)
    .replace(UNSAFE_IN_FILE_NAME, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  const short = dropLoneSurrogates(safe.slice(0, FILE_NAME_LENGTH_MAX)).trim();
  return `${short || 'card'}.vcf`;
}

/** Names the file twice: plainly for old clients (RFC 6266), and after the person (RFC 8187). */
export function contactFileDisposition(name: string): string {
  const encoded = encodeURIComponent(contactFileName(name)).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `inline; filename="card.vcf"; filename*=UTF-8''${encoded}`;
}

const EMPTY_NAME_COMPONENTS = ['', '', '', '', ''];

const isSameText = (one: string, other: string) =>
  one.toLowerCase().replace(/\s+/g, ' ') === other.toLowerCase().replace(/\s+/g, ' ');

function nameComponents(name: string): string[] {
  const { prefix, words, suffix } = splitName(name);
  const familyAt = isFamilyFirst(words.join('')) ? 0 : words.length - 1;
  const family = words.length > 1 ? words.splice(familyAt, 1) : [];
  return [family.join(), words.join(' '), '', prefix, suffix];
}

function extraProperties(extras: Partial<VcardExtras>): string[] {
  const { links = [], asTyped = NOTHING_AS_TYPED } = extras;
  const street = clean(extras.address ?? '');
  return [
    ...property(PROPERTIES.phone, extras.phone),
    ...property(PROPERTIES.email, extras.email),
    ...(street === '' ? [] : [`ADR;TYPE=WORK:;;${escape(street)};;;;`]),
    ...(extras.url ? [`URL:${escapeUrl(extras.url)}`] : []),
    // Address books show the label of a property in the same group.
    ...links.flatMap((link, index) => [
      `item${index + 1}.URL:${escapeUrl(link.url)}`,
      `item${index + 1}.X-ABLabel:${escape(clean(link.label))}`,
    ]),
    ...property('NOTE', extras.note),
    ...property(AS_TYPED_PROPERTIES.mobile, asTyped.mobile),
    ...(isEmail(asTyped.email) ? [] : property(AS_TYPED_PROPERTIES.email, asTyped.email)),
    ...(extras.photo ? [`PHOTO;ENCODING=b;TYPE=JPEG:${extras.photo}`] : []),
  ];
}

/** Encodes the characters that readers of a vCard unescape or split at. */
function escapeUrl(url: string): string {
  return new URL(url).href.replaceAll('\\', '%5C').replaceAll(',', '%2C').replaceAll(';', '%3B');
}

function property(name: string, values: string | readonly string[] = ''): string[] {
  return [values].flat().flatMap((value) => {
    const cleaned = clean(value);
    return cleaned === '' ? [] : [`${name}:${escape(cleaned)}`];
  });
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

/** Breaks long lines between characters. A continuation line begins with a space. */
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

export function countTextOctets(text: string): number {
  return Array.from(text).reduce((sum, one) => sum + countOctets(one.codePointAt(0) ?? 0), 0);
}

function countOctets(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
