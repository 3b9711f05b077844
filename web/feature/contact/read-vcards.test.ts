import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { decodeVcards, readVcards } from './read-vcards.ts';

/** Written from the formats that the makers publish, and from what their programs send; ical.js and vobject read them so too. */
const FOLDER = join(import.meta.dirname, '../../../tests/support/vcard-files');
const EXPECTED = {
  'iphone-3.0': [
    ['Dr. मीरा देशपांडे', '+91 98220 12345', 'meera@deshpande.example', 'देशपांडे ज्वेलर्स, Pune'],
    ['Rao & Partners', '+91 80 4000 1234', '', 'Rao & Partners'],
  ],
  'android-2.1': [
    ['अनन्या चतुर्वेदी', '+919820155667', 'ananya@chaturvedi.example', 'चतुर्वेदी आणि कंपनी'],
    ['Suresh', '98450-12345', '', ''],
  ],
  'google-3.0': [
    ['Ravi Kumar', '+91 98450 12345', 'ravi@kumar.example', 'Kumar Steel Works; Mysuru'],
    ['Nobody', '', '', ''],
  ],
  'outlook-2.1': [
    ['Jürgen Müller', '+49 (151) 23456789', 'juergen@mueller.example', 'Straße & Söhne GmbH'],
  ],
  'rfc-6350-4.0': [['J. Doe', '+1-202-555-0143', 'jdoe@example.com', 'Example, Inc.']],
} as const;

const bytesOf = (name: string) => readFileSync(join(FOLDER, `${name}.vcf`));
const read = (text: string) =>
  readVcards(text).map((one) => [one.name, one.mobile, one.email, one.companyName]);

test.each(Object.entries(EXPECTED))('vCards: %s is read', (name, people) => {
  const text = decodeVcards(bytesOf(name));
  expect(read(text)).toEqual(people);
  expect(read(text.replaceAll('\r\n', '\n'))).toEqual(people);
});

const card = (...lines: string[]) => ['BEGIN:VCARD', ...lines, 'END:VCARD'].join('\n');

test('vCards: a name in parts, an agent inside, a line without a colon, unknown encodings and no end are read as far as they can be', () => {
  expect(read(card('N:Rao;Asha;K.;Ms.;PhD', 'garbage', 'tel;cell:1'))).toEqual([
    ['Ms. Asha K. Rao PhD', '1', '', ''],
  ]);
  const agent = card('FN:Agent', 'TEL:2');
  expect(read(card('AGENT:', agent, 'FN:Asha'))).toEqual([['Asha', '', '', '']]);
  expect(read(card('FN;ENCODING=B:w4k=', 'ORG;CHARSET=none;QUOTED-PRINTABLE:a=41'))).toEqual([
    ['É', '', '', 'a=41'],
  ]);
  expect(read(card(`FN:${'x'.repeat(200)}\u202e`, `TEL:${'1'.repeat(33)}`))).toEqual([
    ['x'.repeat(120), '', '', ''],
  ]);
  expect(read('BEGIN:VCARD\nFN:Cut off')).toEqual([]);
  expect(read('')).toEqual([]);
});

test('vCards: a file of 20 MB with pictures is read', () => {
  const photo = `PHOTO;ENCODING=b:${`${'A'.repeat(74)}\r\n `.repeat(550)}\r\n`;
  const person = `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Asha\r\n${photo}TEL:1\r\nEND:VCARD\r\n`;
  const text = person.repeat(500) + 'NOTE;QUOTED-PRINTABLE:'.padEnd(60, 'x') + '=\r\nx'.repeat(9e4);
  expect([text.length > 2e7, readVcards(text).length]).toEqual([true, 500]);
});
