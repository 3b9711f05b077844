import { stringify } from 'csv-stringify/sync';

import type { BroughtContact } from '#contract/bring-in.ts';
import { HONEYPOT_FILLED } from '#domain/lead.ts';
import { createLocalTime } from '#domain/local-time.ts';
import { writeContactVcard as writeVcard } from '#domain/vcard.ts';

import type { ContactUsage, StoredContact } from './contacts.ts';
import type { ReadPhone } from '#server/adapter/profile/phone.ts';

/** Spreadsheets read a CSV file as UTF-8 if it begins with this mark. */
export const BYTE_ORDER_MARK = '\ufeff';
/**
 * Matches the start of a formula at the start of a cell, and after a semicolon or TAB, at which some
 * spreadsheets separate cells instead of at commas. A quotation mark of the text is then at the start of a
 * cell, and the spreadsheet removes it.
 */
const FORMULA_STARTS = /(?=[=+\-@\t\r＝＋－＠])(?<=(?:^|[;\t\r\n])[" ]*)/g;
/** Held, Notice and Source are left out if no contact of the owner has one. */
const CSV_COLUMNS: readonly CsvColumn[] = [
  ['Name', ({ name }) => name],
  ['Mobile', ({ mobile }) => mobile],
  ['Email', ({ email }) => email],
  ['Company', ({ companyName }) => companyName],
  ['Received', ({ createdAt }, localTime) => localTime(createdAt)],
  ['Held', ({ isHeld }) => (isHeld ? 'yes' : 'no'), ({ hasHeld }) => hasHeld],
  ['Note', ({ note }) => note],
  ['Tags', ({ tags }) => tags.join(', ')],
  ['Notice', ({ notice }) => notice, ({ hasNotices }) => hasNotices],
  ['Source', ({ source }) => source, ({ hasSources }) => hasSources],
];

type CsvColumn = readonly [
  title: string,
  cell: (contact: StoredContact, localTime: (time: number) => string) => string,
  isUsed?: (usage: ContactUsage) => boolean,
];

/**
 * Yields contacts as a CSV file (RFC 4180). An apostrophe precedes what a spreadsheet would execute as a
 * formula (docs/develop/security.md#archive).
 */
export async function* writeContactCsv(
  pages: AsyncIterable<readonly StoredContact[]>,
  { usage, timeZone }: { readonly usage: ContactUsage; readonly timeZone: string },
) {
  const localTime = createLocalTime(timeZone);
  const columns = CSV_COLUMNS.filter(([, , isUsed]) => isUsed?.(usage) ?? true);
  yield BYTE_ORDER_MARK + csvLines([columns.map(([title]) => title)]);
  for await (const contacts of pages) {
    if (contacts.length === 0) continue;
    yield csvLines(contacts.map((one) => columns.map(([, cell]) => cell(one, localTime))));
  }
}

/** Phones get no apostrophe: address books would import it, and a phone as a formula yields only a number. */
const PHONE = /^\+[\d ().-]+$/;

export function escapeFormulas(text: string): string {
  return PHONE.test(text) ? text : text.replace(FORMULA_STARTS, "'");
}

function csvLines(rows: (readonly string[])[]): string {
  return stringify(rows, {
    cast: { string: escapeFormulas },
    record_delimiter: 'windows',
    // Without this option, a cell is quoted only for the delimiter of the rows, not for a single \n or \r.
    quote_record_delimiter: true,
  });
}

/** Yields contacts as a JSON list, which another server can bring in without a loss. */
export async function* writeContactJson(pages: AsyncIterable<readonly StoredContact[]>) {
  let separator = '[\n';
  for await (const contacts of pages) {
    if (contacts.length === 0) continue;
    yield separator + contacts.map((one) => JSON.stringify(toBrought(one))).join(',\n');
    separator = ',\n';
  }
  yield separator === ',\n' ? '\n]\n' : '[]\n';
}

function toBrought(contact: StoredContact): BroughtContact {
  const {
    createdAt,
    contactedAt,
    reminderDay: reminder,
    isHeld: held,
    heldReason,
    ...rest
  } = contact;
  return {
    ...rest,
    receivedAt: new Date(createdAt).toISOString(),
    contactedAt: contactedAt === null ? null : new Date(contactedAt).toISOString(),
    reminder,
    held,
    ...(heldReason === HONEYPOT_FILLED && { heldReason }),
  };
}

/** Yields contacts as vCards, without the owner's notes and tags. */
export async function* writeContactVcards(
  pages: AsyncIterable<readonly StoredContact[]>,
  readPhone: ReadPhone,
) {
  for await (const contacts of pages) {
    if (contacts.length > 0)
      yield contacts.map((contact) => writeContactVcard(contact, readPhone, true)).join('');
  }
}

/**
 * Returns a contact as a vCard. An export can be imported again, so it keeps a mobile that is not a phone
 * number as it was typed. The owner's note is left out, because it is private and phones share the
 * contacts that they store.
 */
export function writeContactVcard(
  contact: StoredContact,
  readPhone: ReadPhone,
  isExport = false,
): string {
  return writeVcard(contact, { ...readPhone(contact.mobile), isExport });
}
