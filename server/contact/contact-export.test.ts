import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';

import { writeContactCsv, writeContactVcard } from './contact-export.ts';
import type { ContactUsage, StoredContact } from './contacts.ts';

const TEXTS = { name: 'Ravi', email: '', companyName: '', note: 'private', notice: '' };
const CONTACT = { ...TEXTS, id: '1', createdAt: 0, isHeld: false, tags: [], received: null };

test.each([
  ['**21*9876543210#', 'NOTE:**21*9876543210#'],
  ['＊＃06＃', 'NOTE:＊＃06＃'],
  ['98765 43210,,1#', 'NOTE:98765 43210\\,\\,1#'],
  ['ask at the desk', 'NOTE:ask at the desk'],
  ['98765 43210', 'TEL;TYPE=CELL:+919876543210'],
  ['12 34', 'TEL;TYPE=CELL:12 34'],
])('contact vCard: the mobile %j is the line %j', (mobile, line) => {
  const lines = ['BEGIN:VCARD', 'VERSION:3.0', 'N:;Ravi;;;', 'FN:Ravi', line, 'END:VCARD', ''];
  expect(writeContactVcard({ ...CONTACT, mobile })).toBe(lines.join('\r\n'));
});

test.each([
  ['=1+1', "'=1+1"],
  [';=1+1', ";'=1+1"],
  ['a;@b;c', "a;'@b;c"],
  ['a\t-1', "a\t'-1"],
  ['\t=1', "'\t'=1"],
  ['a;＝1', "a;'＝1"],
  ['a = b; c', 'a = b; c'],
  ['x;"=1+1;', `x;"'=1+1;`],
  ['x\t" "-1', `x\t" "'-1`],
])('contact CSV: the cell %j is %j', async (companyName, cell) => {
  const contact = { ...CONTACT, mobile: '', companyName };
  const file = await write(contact, { held: false, notices: false });
  expect(parse(file, { bom: true, columns: true })).toMatchObject([{ Company: cell }]);
  for (const delimiter of [';', '\t']) {
    const rows = parse(file, { delimiter, quote: false, relax_column_count: true });
    expect(rows.flat().filter((text) => /^[" ]*[=+\-@＝＋－＠]/.test(text))).toEqual([]);
  }
});

test('contact CSV: has times of the time zone, and Held and Notice where there are some', async () => {
  const details = { Name: 'Ravi', Mobile: '1', Email: '', Company: '' };
  const row = { ...details, Received: '1970-01-01 05:30', Note: 'private', Tags: '' };
  for (const [used, more] of [
    [false, {}],
    [true, { Held: 'yes', Notice: 'v' }],
  ] as const) {
    const contact = { ...CONTACT, mobile: '1', notice: 'v', isHeld: true };
    const file = await write(contact, { held: used, notices: used });
    expect(parse(file, { bom: true, columns: true })).toEqual([{ ...row, ...more }]);
  }
});

/** Writes the file of one contact. */
async function write(contact: StoredContact, usage: ContactUsage): Promise<string> {
  const pages = (async function* () {
    yield [contact];
  })();
  let file = '';
  for await (const part of writeContactCsv(pages, { usage, timeZone: 'Asia/Kolkata' }))
    file += part;
  return file;
}
