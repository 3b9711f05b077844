import { stringify } from 'csv-stringify/sync';

import { writeContactVcard as writeVcard } from '#domain/vcard.ts';

import type { StoredContact } from './contacts.ts';
import { toE164 } from '#server/profile/phone.ts';
import { phoneHref } from '#view/phone-format.ts';

/** Spreadsheets read a CSV file as UTF-8 if it begins with this mark. */
const BYTE_ORDER_MARK = '\ufeff';
/**
 * Of a cell, or of a part where a spreadsheet separates at a semicolon or TAB instead of a comma. A
 * quote of a text is then at the start of a cell, and the spreadsheet removes it.
 */
const FORMULA_STARTS = /(?=[=+\-@\t\r＝＋－＠])(?<=(?:^|[;\t\r\n])[" ]*)/g;
const CSV_HEADER = [
  'Name',
  'Mobile',
  'Email',
  'Company',
  'Received',
  'Held',
  'Note',
  'Tags',
  'Notice',
] as const;

/**
 * Yields contacts as a CSV file (RFC 4180). An apostrophe precedes what a spreadsheet would execute as a
 * formula (docs/security.md#archive).
 */
export async function* writeContactCsv(pages: AsyncIterable<readonly StoredContact[]>) {
  yield BYTE_ORDER_MARK + csvLines([CSV_HEADER]);
  for await (const contacts of pages) {
    if (contacts.length > 0) yield csvLines(contacts.map(toCells));
  }
}

function csvLines(rows: (readonly string[])[]): string {
  return stringify(rows, {
    cast: { string: (text) => text.replace(FORMULA_STARTS, "'") },
    record_delimiter: 'windows',
  });
}

function toCells(contact: StoredContact): string[] {
  const { name, mobile, email, companyName, createdAt, isHeld, note, tags, notice } = contact;
  const received = new Date(createdAt).toISOString();
  const held = isHeld ? 'yes' : 'no';
  return [name, mobile, email, companyName, received, held, note, tags.join(', '), notice];
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
