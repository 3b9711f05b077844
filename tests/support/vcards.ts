import * as fc from 'fast-check';

import { writeContactCode } from '#domain/contact-code.ts';
import { splitName } from '#domain/person-name.ts';
import { trimText } from '#domain/text.ts';
import { writeVcard } from '#domain/vcard.ts';
import type { VcardExtras } from '#domain/vcard.ts';

const CARD_COUNT = 1000;
export const EMPTY_CARD = { name: '', designation: '', companyName: '', email: '', phone: '' };

const PUNCTUATION = ['\r', '\n', '\r\n', '\\', ';', ',', ':', '"', '\\n', '\\;', ' ', '  ', '\t'];
const INVISIBLE = '\u0000\u0007\u001b\u0085\u2028\u2029\u00a0\u200d\ufeff'.split('');
const SCRIPTS = ['अनन्या चतुर्वेदी', 'க்ஷேத்ரபாலன்', 'বাংলা ক্ষ', 'ગુજરાતી', 'ಕನ್ನಡ', 'മലയാളം', 'தமிழ்', 'اردو'];
const TRAPS = ['👩‍💻', '🇮🇳', '👨‍👩‍👧‍👦', 'é', 'ẛ̣', 'END:VCARD', 'TEL:112', '=0A'];

/** Pieces of text that have broken address books. */
const piece = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(...PUNCTUATION, ...INVISIBLE, ...SCRIPTS, ...TRAPS),
  // These make lines that end before, at and after the 75th octet, with characters of 1, 3 and 4 octets.
  fc.integer({ min: 60, max: 80 }).map((length) => 'x'.repeat(length)),
  fc.integer({ min: 15, max: 30 }).map((length) => 'क'.repeat(length)),
  fc.integer({ min: 12, max: 22 }).map((length) => '😀'.repeat(length)),
);
const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
const card = fc.record({
  name: text,
  designation: text,
  companyName: text,
  email: text,
  phone: text,
});
const SAMPLE_CARDS = fc.sample(card, { numRuns: CARD_COUNT, seed: 20_240_907 });

/** These cards contain everything that CONTACT_FILE=full adds. The photo stands for a JPEG in base64. */
const SAMPLE_FULL_CARDS = fc.sample(
  fc.record({
    fields: card,
    extras: fc.record({
      url: fc.constant('https://cards.example.com/user/AbCdEfGhJkMnPqRs'),
      links: fc.array(
        fc.record({
          label: fc.constantFrom('Website', 'LinkedIn', 'X'),
          url: fc.webUrl({ withQueryParameters: true, withFragments: true }),
        }),
        { maxLength: 3 },
      ),
      note: text,
      photo: fc.constantFrom('', Buffer.from('a photo, '.repeat(900)).toString('base64')),
    }),
  }),
  { numRuns: CARD_COUNT / 4, seed: 20_260_115 },
);

/** Returns the text that a reader must find: trimmed, with one kind of line break and no control characters. */
function normalised(value: string): string {
  return value
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
    .trim();
}

function expectedProperties(fields: typeof EMPTY_CARD): Property[] {
  const company = normalised(fields.companyName);
  const name = trimText(normalised(fields.name)) || company || 'Unknown';
  const words = name === company ? [] : [...splitName(name).words];
  const family = words.length > 1 ? (words.pop() ?? '') : '';
  const properties: Property[] = [
    ['version', '3.0'],
    ['n', [family, words.join(' ')]],
    ['fn', name],
    ['title', normalised(fields.designation)],
    ['org', normalised(fields.companyName)],
    ['email', normalised(fields.email)],
    ['tel', normalised(fields.phone)],
  ];
  return properties.filter(([, value]) => value !== '');
}

const writtenUrl = (url: string) => new URL(url).href.replace(/[,;\\]/g, encodeURIComponent);

function expectedExtras({ url, links, note, photo }: VcardExtras): Property[] {
  const properties: [string, string][] = [['url', writtenUrl(url)]];
  for (const link of links)
    properties.push(['url', writtenUrl(link.url)], ['x-ablabel', link.label]);
  properties.push(['note', normalised(note)], ['photo', photo]);
  return properties.filter(([, value]) => value !== '');
}

/** Names of several scripts for codes without internet, short and as long as the card allows. */
export const CODE_NAMES = [
  'Asha Rao',
  'अनन्या चतुर्वेदी',
  'க்ஷேத்ரபாலன் முருகன்',
  'ڈاکٹر عائشہ خان',
  '🌸 Asha 👩‍⚕️, M.D.; F.R.C.S. \\ 🇮🇳',
  'Rao; Asha, Dr.',
  'x'.repeat(120),
  'अनन्या '.repeat(17).trim(),
  'தமிழ் '.repeat(20).trim(),
  'عائشہ '.repeat(20).trim(),
  '👨‍👩‍👧‍👦'.repeat(17),
  '😀'.repeat(120),
  ';,\\'.repeat(40),
];

/** Contacts with a name and a phone, as a QR code contains them. Longer names would be cut. */
const SAMPLE_CODES = CODE_NAMES.filter((name) => Buffer.byteLength(name) <= 360).map((name) => {
  const fields = { ...EMPTY_CARD, name, phone: '+919876543210' };
  const texts = { ...fields, phone: [fields.phone], secondPhone: [], link: '' };
  return { name, file: writeContactCode(texts), expected: expectedProperties(fields) };
});

export type Property = [name: string, value: unknown];
type Sample = Readonly<{ fields: typeof EMPTY_CARD; extras?: VcardExtras }>;

/** Every sample with its file, and the properties that a reader must find in it. */
export const SAMPLE_FILES = [
  ...SAMPLE_CODES,
  ...[...SAMPLE_CARDS.map((fields) => ({ fields })), ...SAMPLE_FULL_CARDS].map(
    ({ fields, extras }: Sample) => ({
      name: fields.name,
      file: writeVcard(fields, extras),
      expected: [...expectedProperties(fields), ...(extras ? expectedExtras(extras) : [])],
    }),
  ),
];

/** Sorts properties by name, because some readers do not return them in the order of the file. */
export const sortedByName = (all: readonly Property[][]) =>
  all.map((one) => one.toSorted(([a], [b]) => (a < b ? -1 : 1)));
