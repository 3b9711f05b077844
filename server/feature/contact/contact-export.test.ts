import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';

import { createPhoneReader } from '#server/adapter/profile/phone.ts';
import { writeContactCsv, writeContactVcard } from './contact-export.ts';
import type { StoredContact } from './contacts.ts';

const TEXTS = { name: 'Ravi', email: '', companyName: '', note: 'private', notice: '' };
const TIMES = { createdAt: 0, contactedAt: null, reminderDay: null, received: null };
const SOURCE = { id: '1', source: '', isHeld: false } as const;
const CONTACT = { ...TEXTS, ...TIMES, ...SOURCE, tags: [] };

const vcardOf = (contact: Partial<StoredContact>) =>
  writeContactVcard({ ...CONTACT, mobile: '', ...contact }, createPhoneReader('IN'));

test.each([
  ['**21*9876543210#', 'NOTE:**21*9876543210#'],
  ['＊＃06＃', 'NOTE:＊＃06＃'],
  ['98765 43210,,1#', 'NOTE:98765 43210\\,\\,1#'],
  ['ask at the desk', 'NOTE:ask at the desk'],
  ['98765 43210', 'TEL;TYPE=CELL:+919876543210'],
  ['12 34', 'TEL;TYPE=CELL:12 34'],
])('contact vCard: the mobile %j is the line %j', (mobile, line) => {
  const lines = ['BEGIN:VCARD', 'VERSION:3.0', 'N:;Ravi;;;', 'FN:Ravi', line, 'END:VCARD', ''];
  expect(vcardOf({ mobile })).toBe(lines.join('\r\n'));
});

test('contact vCard: several numbers are a TEL line each', () => {
  expect(vcardOf({ mobile: '98450 12350 / 080 2222 3333' })).toContain(
    '\r\nTEL;TYPE=CELL:+919845012350\r\nTEL;TYPE=CELL:+918022223333\r\nEND',
  );
});

test('contact vCard: a company without a person has no name of a person', () => {
  const company = { name: 'kaveri  Mills', companyName: 'Kaveri Mills', mobile: '' };
  expect(vcardOf(company)).toContain('\r\nN:;;;;\r\nFN:kaveri  Mills\r\nORG:Kaveri Mills\r\n');
});

test('contact CSV: no cell begins with a formula, also where a spreadsheet separates at a semicolon or TAB', async () => {
  const cells = {
    '=1+1': "'=1+1",
    ';=1+1': ";'=1+1",
    'a;@b;c': "a;'@b;c",
    'a\t-1': "a\t'-1",
    '\t=1': "'\t'=1",
    'a;＝1': "a;'＝1",
    'a = b; c': 'a = b; c',
    '+91 (98765) 432-10': '+91 (98765) 432-10',
    '+91 98765 43210;=1': "'+91 98765 43210;'=1",
    '+1+cmd': "'+1+cmd",
    'x;"=1+1;': `x;"'=1+1;`,
    'x\t" "-1': `x\t" "'-1`,
  };
  const blank = { ...CONTACT, mobile: '' };
  const contacts = Object.keys(cells).map((companyName) => ({ ...blank, companyName }));
  const file = await write(contacts, false);
  const companies = Object.values(cells).map((cell) => ({ Company: cell }));
  expect(parse(file, { bom: true, columns: true })).toMatchObject(companies);
  for (const delimiter of [';', '\t']) {
    const rows = parse(file, { delimiter, quote: false, relax_column_count: true });
    expect(rows.flat().filter((cell) => /^[" ]*[=+\-@＝＋－＠]/.test(cell))).toEqual([]);
  }
});

test('contact CSV: a line break of any kind stays in its cell', async () => {
  const notes = ['one\ntwo', 'one\rtwo', 'one\r\ntwo', 'one\n'];
  const file = await write(
    notes.map((note) => ({ ...CONTACT, mobile: '1', note })),
    false,
  );
  const rows: unknown = parse(file, { bom: true, columns: true, record_delimiter: '\r\n' });
  expect(rows).toMatchObject(notes.map((note) => ({ Note: note })));
  // Outside quotation marks, a line feed or a carriage return may only end a row.
  expect(file.replaceAll(/"[^"]*"/g, '').split(/\r\n|\n|\r/)).toHaveLength(notes.length + 2);
});

test('contact CSV: has times of the time zone, and Held, Notice and Source where there are some', async () => {
  const used = { notice: 'v', isHeld: true, source: 'typed' as const };
  const contacts = [{ ...CONTACT, ...used, mobile: '1' }];
  const details = { Name: 'Ravi', Mobile: '1', Email: '', Company: '' };
  const row = { ...details, Received: '1970-01-01 05:30', Note: 'private', Tags: '' };
  const read = async (isUsed: boolean) =>
    parse(await write(contacts, isUsed), { bom: true, columns: true });
  expect(await read(false)).toEqual([row]);
  expect(await read(true)).toEqual([{ ...row, Held: 'yes', Notice: 'v', Source: 'typed' }]);
});

function write(contacts: readonly StoredContact[], used: boolean): Promise<string> {
  const options = {
    usage: { hasHeld: used, hasNotices: used, hasSources: used },
    timeZone: 'Asia/Kolkata',
  };
  return text(writeContactCsv(Readable.from([contacts]), options));
}
