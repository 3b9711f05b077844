import { stringify } from 'csv-stringify/sync';

import { createLocalTime } from '#domain/local-time.ts';
import { writeContactVcard as writeVcard } from '#domain/vcard.ts';

import type { ContactUsage, StoredContact } from './contacts.ts';
import { toE164 } from '#server/adapter/profile/phone.ts';
import { phoneHref } from '#view/phone-format.ts';

/** Spreadsheets read a CSV file as UTF-8 if it begins with this mark. */
export const BYTE_ORDER_MARK = '\ufeff';
/**
 * The start of a cell, or of a part where a spreadsheet separates at a semicolon or TAB instead of a comma. A
 * quote of a text is then at the start of a cell, and the spreadsheet removes it.
 */
const FORMULA_STARTS = /(?=[=+\-@\t\r＝＋－＠])(?<=(?:^|[;\t\r\n])[" ]*)/g;
/** Held, Notice and Source are left out of a file in which no contact has one. */
const CSV_COLUMNS: readonly CsvColumn[] = [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Mobile', cell: ({ mobile }) => mobile },
  { title: 'Email', cell: ({ email }) => email },
  { title: 'Company', cell: ({ companyName }) => companyName },
  { title: 'Received', cell: ({ createdAt }, localTime) => localTime(createdAt) },
  { title: 'Held', cell: ({ isHeld }) => (isHeld ? 'yes' : 'no'), isUsed: ({ held }) => held },
  { title: 'Note', cell: ({ note }) => note },
  { title: 'Tags', cell: ({ tags }) => tags.join(', ') },
  { title: 'Notice', cell: ({ notice }) => notice, isUsed: ({ notices }) => notices },
  { title: 'Source', cell: ({ source }) => source, isUsed: ({ sources }) => sources },
];

interface CsvColumn {
  readonly title: string;
  readonly cell: (contact: StoredContact, localTime: (time: number) => string) => string;
  readonly isUsed?: (usage: ContactUsage) => boolean;
}

interface CsvOptions {
  readonly usage: ContactUsage;
  /** An IANA name, of the times. */
  readonly timeZone: string;
}

/**
 * Yields contacts as a CSV file (RFC 4180). An apostrophe precedes what a spreadsheet would execute as a
 * formula (docs/security.md#archive).
 */
export async function* writeContactCsv(
  pages: AsyncIterable<readonly StoredContact[]>,
  { usage, timeZone }: CsvOptions,
) {
  const localTime = createLocalTime(timeZone);
  const columns = CSV_COLUMNS.filter(({ isUsed }) => isUsed?.(usage) ?? true);
  yield BYTE_ORDER_MARK + csvLines([columns.map(({ title }) => title)]);
  for await (const contacts of pages) {
    if (contacts.length === 0) continue;
    yield csvLines(contacts.map((one) => columns.map(({ cell }) => cell(one, localTime))));
  }
}

/** Address books import a phone with an apostrophe wrong. A spreadsheet computes a number from it at most. */
const PHONE = /^\+[\d ().-]+$/;

/** An apostrophe precedes what a spreadsheet would execute as a formula. */
export function escapeFormulas(text: string): string {
  return PHONE.test(text) ? text : text.replace(FORMULA_STARTS, "'");
}

function csvLines(rows: (readonly string[])[]): string {
  return stringify(rows, { cast: { string: escapeFormulas }, record_delimiter: 'windows' });
}

/** Yields contacts as vCards, without the owner's notes and tags. */
export async function* writeContactVcards(pages: AsyncIterable<readonly StoredContact[]>) {
  for await (const contacts of pages) {
    if (contacts.length > 0) yield contacts.map(writeContactVcard).join('');
  }
}

/**
 * Returns a contact as a vCard. A mobile that a telephone could execute as a command, or without digits,
 * is no phone. The owner's own note is private, and phones share the contacts that they store.
 */
export function writeContactVcard(contact: StoredContact): string {
  const { mobile } = contact;
  return writeVcard(contact, phoneHref(mobile) === null ? null : toE164(mobile));
}
