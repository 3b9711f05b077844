import * as z from 'zod/mini';

import { parseLink } from './handle.ts';
import { HANDLE_LENGTH_MAX } from './link.ts';
import { PROFILE_FIELDS } from './profile-field.ts';
import { mapNames } from './record.ts';
import {
  cleanIdentifier,
  cleanInput,
  cleanLineInput,
  graphemes,
  identifierText,
  multiLineText,
  rawText,
  singleLineText,
  trimText,
} from './text.ts';

interface ExtraField {
  readonly column: string;
  readonly label: string;
  readonly lengthMax: number;
  readonly input: 'tel' | 'email' | 'links' | 'identifier' | 'capitals' | 'lines';
  readonly autoComplete: string;
  readonly note?: string;
}

export const LINKS_MAX = 3;
export const LINK_LABEL_CHARACTERS_MAX = 30;
/** A reader counts an emoji as one character, but it can have 15 UTF-16 units. */
export const LINK_LABEL_LENGTH_MAX = 480;

export const EXTRA_FIELDS = {
  phone: {
    column: 'second_phone',
    label: 'Second phone',
    lengthMax: PROFILE_FIELDS.phone.lengthMax,
    input: 'tel',
    autoComplete: 'off',
  },
  email: {
    column: 'second_email',
    label: 'Second email',
    lengthMax: PROFILE_FIELDS.email.lengthMax,
    input: 'email',
    autoComplete: 'off',
  },
  /** The column contains JSON. */
  links: {
    column: 'links',
    label: 'Links',
    lengthMax: LINKS_MAX * (LINK_LABEL_LENGTH_MAX + HANDLE_LENGTH_MAX),
    input: 'links',
    autoComplete: 'off',
  },
  upi: {
    column: 'upi',
    label: 'UPI ID',
    lengthMax: 321,
    input: 'identifier',
    autoComplete: 'off',
    note: 'Visitors pay you with it. You confirm it when you save.',
  },
  gstin: {
    column: 'gstin',
    label: 'GSTIN',
    lengthMax: 32,
    input: 'capitals',
    autoComplete: 'off',
    note: 'It contains your PAN (characters 3 to 12), which everyone will see.',
  },
  address: {
    column: 'address',
    label: 'Address',
    lengthMax: 300,
    input: 'lines',
    autoComplete: 'street-address',
    note: 'Up to five lines. Tapping it opens Maps.',
  },
} as const satisfies Record<string, ExtraField>;

export type Extra = keyof typeof EXTRA_FIELDS;
export type ExtraColumn = (typeof EXTRA_FIELDS)[Extra]['column'];

export const EXTRAS = Object.keys(EXTRA_FIELDS) as Extra[];

export type CardExtras = Readonly<Record<Extra, string | null>>;

export const mapExtras = <Value>(valueOf: (extra: Extra) => Value) => mapNames(EXTRAS, valueOf);

export const NO_EXTRAS: CardExtras = mapExtras(() => null);

export type ExtraLink = z.infer<typeof linkSchema>;

export function parseLinks(text: string | null | undefined): readonly ExtraLink[] {
  return text ? (JSON.parse(text) as ExtraLink[]) : [];
}

export function withParsedLinks(extras: CardExtras) {
  return { ...extras, links: extras.links === null ? null : [...parseLinks(extras.links)] };
}

export function shownExtras(extras: CardExtras, shown: ReadonlySet<Extra>): CardExtras {
  const filled = EXTRAS.filter((extra) => shown.has(extra) && extras[extra]);
  return { ...NO_EXTRAS, ...Object.fromEntries(filled.map((extra) => [extra, extras[extra]])) };
}

export function hasExtras(extras: CardExtras): boolean {
  return EXTRAS.some((extra) => extras[extra] !== null);
}

export const ADDRESS_LINES_MAX = 5;

const UPI_ID = /^[A-Za-z0-9._-]{2,256}@[A-Za-z][A-Za-z0-9]{1,63}$/;
/** A GSTIN has the state's number, the PAN, the registration's number, a letter and the check digit. */
const GSTIN = /^\d{2}[A-Z]{5}\d{4}[A-Z][0-9A-Z]{3}$/;
const GSTIN_LENGTH = 15;
const BASE = 36;

export function cleanExtra(extra: Extra, typed: string): string {
  if (extra === 'links') {
    const links = parseLinks(typed)
      .map(cleanOwnLink)
      .filter(({ label, url }) => label + url !== '');
    return links.length === 0 ? '' : JSON.stringify(links);
  }
  if (extra === 'address') return trimText(cleanInput(typed));
  const text = cleanIdentifier(typed);
  return extra === 'gstin' ? text.replace(/\s/g, '').toUpperCase() : text;
}

function cleanOwnLink({ label, url }: ExtraLink): ExtraLink {
  return { label: trimText(cleanLineInput(label)), url: parseLink(url) ?? trimText(url) };
}

/** Returns each problem as the end of a sentence that begins with the field's name, or ''. */
export function linkProblems(link: ExtraLink): Readonly<Record<'label' | 'url', string>> {
  const { label, url } = cleanOwnLink(link);
  if (label + url === '') return { label: '', url: '' };
  return {
    label: isLinkLabel(label) ? '' : `must have 1 to ${LINK_LABEL_CHARACTERS_MAX} characters`,
    url: parseLink(url) === null ? 'must be a link that others can open' : '',
  };
}

const isLinkLabel = (label: string) =>
  label !== '' && Array.from(graphemes(label)).length <= LINK_LABEL_CHARACTERS_MAX;

export function extraProblem(extra: Extra, text: string): string {
  if (text === '' || extra === 'phone' || extra === 'email') return '';
  if (extra === 'links') {
    const problems = parseLinks(text).map(linkProblems);
    return problems.map(({ label, url }) => label || url).find(Boolean) ?? '';
  }
  if (extra === 'upi') return UPI_ID.test(text) ? '' : 'must look like asha@okaxis';
  if (extra === 'gstin') return gstinProblem(text);
  return text.split('\n').length > ADDRESS_LINES_MAX
    ? `must have at most ${ADDRESS_LINES_MAX} lines`
    : '';
}

function gstinProblem(text: string): string {
  if (text.length !== GSTIN_LENGTH)
    return `must have ${GSTIN_LENGTH} characters; it has ${text.length}`;
  if (!GSTIN.test(text))
    return 'must be two digits, a PAN such as AAPFU0939F, and three letters or digits';
  return text.at(-1) === gstinCheckDigit(text)
    ? ''
    : 'has a wrong check digit: one of its characters is mistyped';
}

/** Adds the base-36 digits of the first 14 characters, of which every second one is doubled (Luhn, mod 36). */
function gstinCheckDigit(text: string): string {
  const sum = Array.from(text.slice(0, GSTIN_LENGTH - 1)).reduce((total, character, index) => {
    const product = Number.parseInt(character, BASE) * ((index % 2) + 1);
    return total + Math.floor(product / BASE) + (product % BASE);
  }, 0);
  return ((BASE - (sum % BASE)) % BASE).toString(BASE).toUpperCase();
}

const linkSchema = z.object({
  label: singleLineText(LINK_LABEL_LENGTH_MAX).check(
    z.refine(isLinkLabel, `must have 1 to ${LINK_LABEL_CHARACTERS_MAX} characters`),
  ),
  url: rawText(HANDLE_LENGTH_MAX, 'must be a link').check(
    z.overwrite((url) => parseLink(url) ?? url),
    z.refine((url) => parseLink(url) === url, 'must be a link that others can open'),
  ),
});

export const linksSchema = z.union([
  z.array(linkSchema).check(z.maxLength(LINKS_MAX)),
  z.enum(['']),
]);

export function extraSchema(extra: Exclude<Extra, 'links'>) {
  const { lengthMax } = EXTRA_FIELDS[extra];
  const text = extra === 'address' ? multiLineText(lengthMax) : identifierText(lengthMax);
  return text.check(
    z.overwrite((value) => cleanExtra(extra, value)),
    z.refine((value) => extraProblem(extra, value) === '', {
      error: ({ input }) => extraProblem(extra, String(input)),
    }),
  );
}

/** Leaves the id as it is, because a query may contain '@' (RFC 3986, section 3.4). */
export function upiLink(upi: string, payee: string): string {
  const name = payee.trim() === '' ? '' : `&pn=${encodeURIComponent(payee)}`;
  return `upi://pay?pa=${upi}${name}&cu=INR`;
}

export function mapsHref(address: string): string {
  const query = encodeURIComponent(address.replace(/\s*\n\s*/g, ', '));
  return `https://www.google.com/maps/search/?api=1&query=${query}`;
}
