import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

import ICAL from 'ical.js';
import { expect, test } from 'vitest';

import { expectResults } from '#tests/support/results.ts';
import { EMPTY_CARD, SAMPLE_FILES, sortedByName } from '#tests/support/vcards.ts';
import type { Property } from '#tests/support/vcards.ts';

import { initials } from './display.ts';
import { contactFileName, writeVcard } from './vcard.ts';

test('vCard: has the fields of the contract and no others, and no empty property', () => {
  const [designation, companyName] = ['Architect; partner', 'Rao, Rao & Sons'];
  const [email, phone] = ['asha@rao.example', '+919876543210'];
  const fields = { name: 'Asha Devi Rao', designation, companyName, email, phone };
  expect(writeVcard(fields).split('\r\n')).toEqual([
    'BEGIN:VCARD',
    'VERSION:3.0',
    'N:Rao;Asha Devi;;;',
    'FN:Asha Devi Rao',
    'TITLE:Architect\\; partner',
    'ORG:Rao\\, Rao & Sons',
    'EMAIL;TYPE=INTERNET:asha@rao.example',
    'TEL;TYPE=CELL:+919876543210',
    'END:VCARD',
    '',
  ]);
  const company = writeVcard({ ...EMPTY_CARD, companyName });
  expect(company).toContain('N:;;;;\r\nFN:Rao\\, Rao & Sons\r\nORG:Rao\\, Rao & Sons\r\n');
  expect(writeVcard(EMPTY_CARD)).toBe(
    'BEGIN:VCARD\r\nVERSION:3.0\r\nN:;Unknown;;;\r\nFN:Unknown\r\nEND:VCARD\r\n',
  );
});

test.each([
  ['Dr. Rohan Mehta', 'N:Mehta;Rohan;;Dr.;', 'RM'],
  ['Prof Dr. Anil Kumar Rao Jr.', 'N:Rao;Anil Kumar;;Prof Dr.;Jr.', 'AR'],
  ['CA Priya Nair', 'N:Nair;Priya;;CA;', 'PN'],
  ['Ca Priya', 'N:Priya;Ca;;;', 'CP'],
  ['smt. Geeta', 'N:;Geeta;;smt.;', 'G'],
  ['山田 太郎', 'N:山田;太郎;;;', '山太'],
  ['김 철수', 'N:김;철수;;;', '김철'],
  ['ジョン スミス', 'N:スミス;ジョン;;;', 'ジス'],
  ['Henry Fernandes III', 'N:Fernandes;Henry;;;III', 'HF'],
  ['Naosuke Ii', 'N:Ii;Naosuke;;;', 'NI'],
  ['Prof. Dr.', 'N:Dr.;Prof.;;;', 'PD'],
  ['Dr', 'N:;Dr;;;', 'D'],
  ['Drew Msomi', 'N:Msomi;Drew;;;', 'DM'],
  ['Dr.Rohan Mehta', 'N:Mehta;Rohan;;Dr.;', 'RM'],
  ['Prof.Dr.(Mrs.)Asha Rao', 'N:Rao;Asha;;Prof. Dr. (Mrs.);', 'AR'],
  ['DrRohan Mehta', 'N:Mehta;Rohan;;Dr;', 'RM'],
  ['Er. Sunil Kumar', 'N:Kumar;Sunil;;Er.;', 'SK'],
  ['डॉ.मीरा राव', 'N:राव;मीरा;;डॉ.;', 'मीरा'],
  ['Dr Anil Gupta MBBS', 'N:Gupta;Anil;;Dr;MBBS', 'AG'],
  ['Anil Gupta M.D. Ph.D', 'N:Gupta;Anil;;;M.D. Ph.D', 'AG'],
  ['CA Ravi Shah FCA', 'N:Shah;Ravi;;CA;FCA', 'RS'],
  ['asha rao mbbs', 'N:rao;asha;;;mbbs', 'AR'],
  ['Jack Ma', 'N:Ma;Jack;;;', 'JM'],
  ['Asha DSouza', 'N:DSouza;Asha;;;', 'AD'],
  ['Asha Rao [Sales Head]', 'N:Rao;Asha;;;[Sales Head]', 'AR'],
  ['Asha (Ashu) Rao (retd', 'N:Rao;Asha (Ashu);;;(retd', 'AR'],
  ['Asha Rao "Ashu"', 'N:Rao;Asha;;;"Ashu"', 'AR'],
  ['Asha Rao | Architect', 'N:Rao;Asha;;;Architect', 'AR'],
  ['Asha Rao - Architect', 'N:Rao;Asha;;;Architect', 'AR'],
  ['Asha-Maria Rao', 'N:Rao;Asha-Maria;;;', 'AR'],
  ['🌸Asha Rao👩‍⚕️', 'N:Rao;Asha;;🌸;👩‍⚕️', 'AR'],
  ['Asha 🇮🇳', 'N:;Asha;;;🇮🇳', 'A'],
  ['🙏 🌸', 'N:;🙏 🌸;;;', ''],
  ['Dr 🌸', 'N:;Dr;;;🌸', 'D'],
  ['(Sales)', 'N:;(Sales);;;', 'S'],
  ['Asha Rao B. Tech', 'N:Rao;Asha;;;B. Tech', 'AR'],
  ['asha rao b tech', 'N:rao;asha;;;b tech', 'AR'],
  ['Asha M. Com', 'N:;Asha;;;M. Com', 'A'],
  ['Asha Rao Ph. D.', 'N:Rao;Asha;;;Ph. D.', 'AR'],
  ['Asha Rao Ph D', 'N:Rao;Asha;;;Ph D', 'AR'],
  ['C.A.Asha Rao', 'N:Rao;Asha;;C.A.;', 'AR'],
  ['Asha Rao M. D. Ph. D', 'N:Rao;Asha;;;M. D. Ph. D', 'AR'],
  ['Asha Rao B. E.', 'N:Rao;Asha;;;B. E.', 'AR'],
  // These end in initials.
  ['Suresh M. S.', 'N:S.;Suresh M.;;;', 'SS'],
  ['Asha Rao M D', 'N:D;Asha Rao M;;;', 'AD'],
  ['Asha Rao K. R. S.', 'N:S.;Asha Rao K. R.;;;', 'AS'],
  ['B. Ma', 'N:Ma;B.;;;', 'BM'],
  ['C.A. Asha Rao', 'N:Rao;Asha;;C.A.;', 'AR'],
  ['C.S. Asha Rao', 'N:Rao;C.S. Asha;;;', 'CR'],
  ['Lt. Col. Arun Singh', 'N:Singh;Arun;;Lt. Col.;', 'AS'],
  ['Maj. Gen. (Retd.) Arun Singh', 'N:Singh;Arun;;Maj. Gen. (Retd.);', 'AS'],
  ['Maj Larsen', 'N:Larsen;Maj;;;', 'ML'],
  ['Rev. Fr. Thomas Kurian', 'N:Kurian;Thomas;;Rev. Fr.;', 'TK'],
  ['د. أحمد علي', 'N:علي;أحمد;;د.;', 'أع'],
  ['Sri. Ramesh', 'N:;Ramesh;;Sri.;', 'R'],
  ['Sri Ramesh', 'N:Ramesh;Sri;;;', 'SR'],
  ['Kum. Asha', 'N:;Asha;;Kum.;', 'A'],
  ['Kum Asha', 'N:Asha;Kum;;;', 'KA'],
  ['Advocate Asha', 'N:;Asha;;Advocate;', 'A'],
  ['Cyrus Doctor', 'N:Doctor;Cyrus;;;', 'CD'],
  ['Mr. and Mrs. Shah', 'N:;Shah;;Mr. and Mrs.;', 'S'],
  ['Mr. & Mrs. Shah', 'N:;Shah;;Mr. & Mrs.;', 'S'],
  ['Asha and Ravi', 'N:Ravi;Asha and;;;', 'AR'],
  ['Dr./Mr. Asha', 'N:;Asha;;Dr./Mr.;', 'A'],
  ['Dr./Mr.Asha', 'N:;Asha;;Dr./Mr.;', 'A'],
])('titles: %s is %s with the initials %s', (name, line, letters) => {
  expect(namesOf(name)).toEqual([line, `FN:${name}`]);
  expect(initials({ name })).toBe(letters);
});

const namesOf = (name: string) => writeVcard({ name }).match(/^F?N:.*(?=\r$)/gm);

test('titles: are known in Marathi and Hindi', () => {
  const titles = 'प्रा. ॲड. अॅड. सौ. कु. एड. एडवोकेट श्रीमति पं. डॉ० डॉ०श्रीमती';
  for (const title of titles.split(' '))
    expect(namesOf(`${title} मीरा राव`)?.[0]).toBe(`N:राव;मीरा;;${title.replace('०श्', '० श्')};`);
});

test('names: credentials after a comma are no part of the name', () => {
  expect(namesOf('Priya Nair, CA')).toEqual(['N:Nair;Priya;;;CA', 'FN:Priya Nair\\, CA']);
  expect(namesOf('Asha Rao, B.Com., LL.B. (Gold)')?.[0]).toBe('N:Rao;Asha;;;B.Com. LL.B. (Gold)');
  expect(namesOf('Asha Rao M. B. B. S., M. D.')?.[0]).toBe('N:Rao;Asha;;;M. B. B. S. M. D.');
});

test('vCard: escapes a bare CR', () => {
  const file = writeVcard({ name: 'Asha\rTEL:112\r\nTEL:100\nTEL:101' });
  expect(file).toContain('FN:Asha\\nTEL:112\\nTEL:100\\nTEL:101\r\n');
});

test('vCard: lines are as long as 75 octets allow, whatever the characters', () => {
  for (const character of ['a', 'é', '\u07ff', '\u0800', 'क', '\uffee', '\u{10000}', '😀']) {
    const file = writeVcard({ name: '', designation: character.repeat(100) });
    const [title = ''] = /^TITLE:.*(?:\r\n .*)*/m.exec(file) ?? [];
    const folded = title.split('\r\n').slice(0, -1);
    expect(folded.length).toBeGreaterThan(0);
    const free = folded.map((line) => 75 - Buffer.byteLength(line));
    const size = Buffer.byteLength(character);
    expect(free.filter((octets) => octets < 0 || octets >= size)).toEqual([]);
  }
});

test('vCard: ical.js reads the same fields of a thousand cards, whose lines end with CRLF', () => {
  for (const { name, file, expected } of SAMPLE_FILES) {
    const lines = file.split('\r\n');
    expect(lines.pop()).toBe('');
    expect(lines.filter((line) => Buffer.byteLength(line) > 75 || /[\r\n]/.test(line))).toEqual([]);
    // ical.js misreads a backslash at the end of a component of N; vobject checks those names.
    const isChecked = ([key]: Property) => key !== 'n' || !name.includes('\\');
    const read = readWithIcal(file).filter(isChecked);
    expect(read).toEqual(expected.map(asIcalReads).filter(isChecked));
  }
});

function readWithIcal(file: string): Property[] {
  const [, properties] = ICAL.parse(file) as [string, [string, object, string, unknown][]];
  return properties.map(([name, , , value]) => [
    name,
    name === 'n' ? (value as string[]).slice(0, 2) : value,
  ]);
}

/** ical.js does not unescape `\;` in text values, and removes all backslashes in TEL. */
function asIcalReads([name, value]: Property): Property {
  if (typeof value !== 'string' || name === 'org') return [name, value];
  if (name === 'tel') return [name, value.replaceAll('\\', '').replaceAll('\n', 'n')];
  return [name, value.replaceAll(';', '\\;')];
}

const READ_WITH_VOBJECT = `
import base64, json, sys, vobject
def plain(name, value):
    if name == 'photo': return base64.b64encode(value).decode()
    if name == 'n': return [value.family, value.given]
    return value[0] if name == 'org' and len(value) == 1 else value
out = []
for text in json.load(sys.stdin):
    card = vobject.readOne(text)
    out.append([[line.name.lower(), plain(line.name.lower(), line.value)] for line in card.lines()])
json.dump(out, sys.stdout)
`;

// `npm test` names what is not installed.
const hasVobject = existsSync('/usr/lib/python3/dist-packages/vobject/__init__.py');

test.skipIf(!hasVobject)('vCard: vobject reads the same fields of a thousand cards', () => {
  const input = JSON.stringify(SAMPLE_FILES.map(({ file }) => file));
  const options = { input, maxBuffer: 64 * 1024 * 1024 };
  const output = execFileSync('/usr/bin/python3', ['-c', READ_WITH_VOBJECT], options);
  const read = JSON.parse(String(output)) as Property[][];
  const expected = SAMPLE_FILES.map((one) => one.expected);
  expect(sortedByName(read)).toEqual(sortedByName(expected));
});

test('contact file name: has no characters that are unsafe in file systems or headers', () => {
  expectResults(contactFileName, {
    'Asha Rao': 'Asha Rao.vcf',
    अनन्या: 'अनन्या.vcf',
    '../../etc/passwd': 'etc passwd.vcf',
    'a"b\r\nSet-Cookie: x': 'a b Set-Cookie x.vcf',
    '👩‍💻': '👩‍💻.vcf',
    '': 'card.vcf',
    '. .': 'card.vcf',
    'C:\\x|y?': 'C x y.vcf',
    ' ..Asha . .': 'Asha.vcf',
    [`${'a'.repeat(79)} b`]: `${'a'.repeat(79)}.vcf`,
  });
  expect(contactFileName('अ'.repeat(300)).length).toBe(84);
});
