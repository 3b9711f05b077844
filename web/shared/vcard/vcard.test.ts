import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { LEAD_LENGTHS_MAX, leadSchema } from '#domain/lead-schema.ts';
import { createPhoneReader } from '#server/adapter/profile/phone.ts';
import { writeContactVcard } from '#server/feature/contact/contact-export.ts';
import { anyText } from '#tests/support/any-text.ts';

import { readCards } from './cards.ts';
import { LEAD_PROPERTIES, isGroup, toLead } from './lead.ts';

/** The files follow what the makers publish and their programs send. ical.js and vobject read the same values. */
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

const bytesOf = (text: string | Uint8Array) =>
  typeof text === 'string' ? Buffer.from(text) : text;
const cards = (file: string | Uint8Array) =>
  [...readCards(bytesOf(file), LEAD_PROPERTIES)].flatMap((one) => one ?? []);
const read = (file: string | Uint8Array) =>
  cards(file)
    .filter((one) => !isGroup(one))
    .map((one) => Object.values(toLead(one)));
const names = (file: string | Uint8Array) => cards(file).map((one) => toLead(one).name);
const mobiles = (file: string | Uint8Array) => cards(file).map((one) => toLead(one).mobile);
const emails = (file: string | Uint8Array) => cards(file).map((one) => toLead(one).email);
const card = (...lines: string[]) =>
  ['BEGIN:VCARD', 'VERSION:2.1', ...lines, 'END:VCARD', ''].join('\r\n');

test.each(Object.entries(EXPECTED))('vCards: %s is read', (name, people) => {
  const bytes = readFileSync(join(FOLDER, `${name}.vcf`));
  expect(read(bytes)).toEqual(people);
  expect(read(Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'))).toEqual(
    people,
  );
  expect(read(Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\r'), 'latin1'))).toEqual(
    people,
  );
});

test('vCards: the name has the parts that N has, whichever of them are empty', () => {
  const parts = ['Rao', 'Uma', 'Kumari', 'Dr.', 'PhD'];
  for (let kept = 0; kept < 32; kept++) {
    const [family, given, additional, prefix, suffix] = parts.map((part, at) =>
      kept & (1 << at) ? part : '',
    );
    const name = [prefix, given, additional, family, suffix].filter(Boolean).join(' ');
    const list = [family, given, additional, prefix, suffix].join(';');
    expect([list, names(card(`N:${list}`, 'TEL:1'))]).toEqual([list, [name || '1']]);
  }
  expect(names(card('N:;Uma', 'TEL:1') + card(String.raw`N:a\\;b\;c;;`))).toEqual([
    'Uma',
    'b;c a\\',
  ]);
});

test('vCards: an agent inside, a line without a colon, a wrong encoding and text that is too long are read as far as they can be', () => {
  expect(read(card('N:Rao;Asha;K.;Ms.;PhD', 'garbage', 'tel;cell:1'))).toEqual([
    ['Ms. Asha K. Rao PhD', '1', '', ''],
  ]);
  expect(read(card('FN;ENCODING=B:w4k=', 'ORG;CHARSET=none;QUOTED-PRINTABLE:a=41'))).toEqual([
    ['É', '', '', 'aA'],
  ]);
  expect(read(card('FN;ENCODING=B:*', `ORG:${'x'.repeat(50_000)}`))).toEqual([
    ['*', '', '', 'x'.repeat(LEAD_LENGTHS_MAX.companyName)],
  ]);
  const tooLong = '1'.repeat(LEAD_LENGTHS_MAX.mobile + 1);
  expect(mobiles(card(`FN:${'x'.repeat(200)}\u202e`, `TEL;CELL:${tooLong}`, 'TEL:2'))).toEqual([
    '2',
  ]);
  expect(read('')).toEqual([]);
});

test('vCards: a person without a name is called by nickname, company, email or number, in this order', () => {
  const lines = ['N:;Uma;;;', 'NICKNAME:Umi', 'ORG:;Mills', 'EMAIL:u@x.example', 'TEL:98450'];
  const found = lines.map((_, from) => names(card('FN:\u200b', 'N:;;;;', ...lines.slice(from)))[0]);
  expect(found).toEqual(['Umi', 'Umi', 'Mills', 'u@x.example', '98450']);
  expect(names(card('FN: ', 'N:;Uma;;;', 'TEL:1'))).toEqual(['Uma']);
});

const PEOPLE = ['माधवी कुलकर्णी', 'José Núñez', 'Вера Орлова', 'Plain Name', '😀 李明'];
const utf8 = PEOPLE.map((name) => card(`FN:${name}`, 'TEL:1')).join('');

const withMark = (mark: number[], bytes: Buffer) => Buffer.concat([Buffer.from(mark), bytes]);

test('vCards: text is the same in UTF-8 and in both orders of UTF-16, with and without a mark', () => {
  const little = Buffer.from(utf8, 'utf16le');
  const big = Buffer.from(little).swap16();
  const files = [little, big, withMark([0xff, 0xfe], little), withMark([0xfe, 0xff], big)];
  for (const file of [...files, withMark([0xef, 0xbb, 0xbf], Buffer.from(utf8))])
    expect(names(file)).toEqual(PEOPLE);
  const lying = utf8.replaceAll('FN:', 'FN;CHARSET=WINDOWS-1252:');
  expect(names(Buffer.from(lying, 'utf16le'))).toEqual(PEOPLE);
  const quoted = card('FN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Ren=E9 é', 'TEL:1');
  expect(names(Buffer.from(quoted, 'utf16le'))).toEqual(['René é']);
});

test('vCards: a fold at any byte changes nothing', () => {
  const line = Buffer.from('FN:माधवी Núñez 😀');
  for (let at = 1; at < line.length; at++) {
    const folded = Buffer.concat([line.subarray(0, at), Buffer.from('\r\n '), line.subarray(at)]);
    const [start = '', end] = card('FN:', 'TEL:1').split('FN:');
    const file = Buffer.concat([Buffer.from(start), folded, Buffer.from(`${end}${utf8}`)]);
    expect(names(file)).toEqual(['माधवी Núñez 😀', ...PEOPLE]);
  }
});

test('vCards: an odd byte at any place of a value changes that value only, and is left out of it', () => {
  const value = Buffer.from('माधवी');
  for (let at = 0; at <= value.length; at += 3) {
    const [start = '', end] = utf8.split('Plain Name');
    const file = [start, value.subarray(0, at), Buffer.from([0xff]), value.subarray(at), `${end}`];
    const expected = PEOPLE.map((name) => (name === 'Plain Name' ? 'माधवी' : name));
    expect(names(Buffer.concat(file.map(bytesOf)))).toEqual(expected);
  }
  const cut = Buffer.concat([
    Buffer.from('BEGIN:VCARD\nFN:माधवी'),
    Buffer.from([0xe0, 0xa4]),
    Buffer.from('\nTEL:1\nEND:VCARD\n'),
  ]);
  expect(names(cut)).toEqual(['माधवी']);
});

const inBytes = (start: string, bytes: number[]) =>
  Buffer.concat(['BEGIN:VCARD\n', start, Buffer.from(bytes), '\nTEL:1\nEND:VCARD\n'].map(bytesOf));
/** The bytes are names and letters in different charsets. */
test.each([
  ['FN;CHARSET=windows-1251:', [0xc2, 0xe5, 0xf0, 0xe0], 'Вера'],
  ['FN;CHARSET="KOI8-R":', [0xf7, 0xc5, 0xd2, 0xc1], 'Вера'],
  ['FN;CHARSET=Shift_JIS:', [0x83, 0x65], 'テ'],
  ['FN;CHARSET=CP932:', [0x83, 0x65], 'テ'],
  ['FN;CHARSET=windows-936:', [0xd5, 0xc5], '张'],
  ['FN;CHARSET=ms949:', [0xb1, 0xe8], '김'],
  ['FN;CHARSET=cp950;ENCODING=QUOTED-PRINTABLE:=B3=5C', [], '許'],
  ['FN;CHARSET=UTF-8:Ren', [0xe9], 'René'],
  ['FN;CHARSET=UTF-16:Ren', [0xc3, 0xa9], 'René'],
  ['FN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Ren=E9 ', [0xe9], 'René é'],
  ['FN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Ren=E9 ', [0xc3, 0xa9], 'René é'],
  ['FN;CHARSET=windows-1251;ENCODING=QUOTED-PRINTABLE:=C2=E5', [0xf0, 0xe0], 'Вера'],
  ['FN;CHARSET=Shift_JIS;ENCODING=QUOTED-PRINTABLE:=83e', [], 'テ'],
  ['FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Ren', [0xc3, 0xa9], 'René'],
  ['FN;ENCODING=QUOTED-PRINTABLE:Ren=C3', [0xa9], 'René'],
  ['FN;ENCODING=QUOTED-PRINTABLE:Ren=C3=\r\n=A9', [], 'René'],
  ['FN;ENCODING=QUOTED-PRINTABLE:Ren=C3\r\n=A9', [], 'René'],
  ['FN;ENCODING=Q:Ren=C3=\r\n=A9', [], 'René'],
  ['FN;CHARSET=UTF-8;ENCODING=Q:=E0=A4=\r\n=89=E0=A4=AE=E0=A4=BE', [], 'उमा'],
  ['FN;CHARSET=UTF-8:=E0=A4=89=E0=A4=AE=E0=A4=BE', [], 'उमा'],
  ['FN;CHARSET=UTF-8:=E0=A4=\r\n=89=E0=A4=AE=E0=A4=BE', [], 'उमा'],
  ['FN:Ren=C3=A9 =41', [], 'René A'],
  ['FN:a=b=c =41', [], 'a=b=c =41'],
  ['FN;ENCODING=QUOTED-PRINTABLE:Ren=C3= \r\n=A9', [], 'René'],
  ['FN;ENCODING=QUOTED-PRINTABLE:Ren=C3=A9= \t\r\n D=C3=A9silets', [], 'RenéDésilets'],
  ['FN;ENCODING=QUOTED-PRINTABLE:Ren=C3=A9 \t', [], 'René'],
  ['FN;ENCODING=QUOTED-PRINTABLE:Ren=E9 D=E9silets', [], 'René Désilets'],
  ['FN;ENCODING=BASE64:UmVu6Q==', [], 'René'],
  ['FN;ENCODING=b:UmVuw6k=', [], 'René'],
] as const)('vCards: %s%j is %s', (start, bytes, name) => {
  expect(names(inBytes(start, [...bytes]))).toEqual([name]);
});

const person = (name: string, mobile: string) =>
  ['BEGIN:VCARD', 'VERSION:3.0', `FN:${name}`, `TEL:${mobile}`, 'END:VCARD', ''].join('\r\n');
const THREE = ['One', 'Two', 'Three'].map((name, at) => person(name, `+91 90000 1000${at}`));

test('vCards: a file that is cut anywhere has everybody before, and the last card says that it is cut', () => {
  const whole = THREE.join('');
  const people = read(whole);
  for (let length = 0; length < whole.length; length++) {
    const found = cards(whole.slice(0, length));
    const ends = THREE.map((_, at) => THREE.slice(0, at + 1).join('').length - '\r\n'.length);
    const complete = ends.filter((end) => end <= length).length;
    expect(found.slice(0, complete).map((one) => Object.values(toLead(one)))).toEqual(
      people.slice(0, complete),
    );
    expect(found.length - complete).toBeLessThanOrEqual(1);
    const isInLine = !/[\r\n]$/.test(whole.slice(0, length));
    expect(found.map((one) => one.isCut)).toEqual(
      found.map((_, at) => at === complete && isInLine),
    );
  }
});

test('vCards: files that are joined in any way, cut ones too, have everybody who is whole', () => {
  const mark = '\ufeff';
  for (const between of ['', mark, '\r\n', `\n${mark}`, '\r\n\r\n', `${mark}\n`]) {
    expect(names(mark + THREE.map((one) => one.trim()).join(between))).toEqual([
      'One',
      'Two',
      'Three',
    ]);
    for (let length = 12; length < (THREE[1] ?? '').length - 12; length++) {
      const joined = [THREE[0]?.trim(), THREE[1]?.slice(0, length), THREE[2]].join(between);
      expect([
        length,
        between,
        names(joined).at(0),
        names(joined).at(-1),
        mobiles(joined).at(-1),
      ]).toEqual([length, between, 'One', 'Three', '+91 90000 10002']);
    }
  }
});

const AGENT = card('FN:Agent', 'TEL;CELL:2', 'EMAIL:agent@x.example');
const NEXT = person('Next', '3');
const spoilt = (...lines: string[]) =>
  ['BEGIN:VCARD', 'VERSION:3.0', 'FN:Asha', ...lines, 'TEL;TYPE=WORK:1', 'END:VCARD', NEXT].join(
    '\r\n',
  );
test.each([
  ['an agent below its line', ['AGENT:', AGENT]],
  ['an agent on its line', [`AGENT:${AGENT}`]],
  ['an agent on its line, in a group', [`item1.AGENT;TYPE=X:${AGENT}`]],
  ['an agent who has an agent', [`AGENT:${card('FN:A', `AGENT:${AGENT}`)}`]],
  ['an escaped agent', [String.raw`AGENT:BEGIN:VCARD\nFN:A\nTEL:2\nEND:VCARD\n`]],
  [
    'lines of a note',
    ['NOTE:met', 'Tel: 2', 'TEL: 2', 'Email: a@x.example', 'Tel:2', 'tel 2', 'FN: B'],
  ],
  ['a note that ends in a soft break', ['NOTE;ENCODING=QUOTED-PRINTABLE:met=']],
  ['a blank line after a soft break', ['NOTE;ENCODING=QUOTED-PRINTABLE:met=', '']],
  [
    'lines of a picture',
    ['PHOTO;ENCODING=BASE64:/9j/', 'N/A8QSkZ', 'TELx9j4AAQ==', 'TEL+9j4AAQ==', 'TEL/9j4AAQ==', ''],
  ],
  ['a quote that does not end', ['TEL;TYPE="fax:2']],
  ['a folded line of another card', ['NOTE:a', ' BEGIN:VCARD', ' END:VCARD']],
])('vCards: %s spoils nothing else', (_, lines) => {
  expect(read(spoilt(...lines))).toEqual([
    ['Asha', '1', '', ''],
    ['Next', '3', '', ''],
  ]);
});

test('vCards: a missing BEGIN or END spoils one card at most, also in an agent', () => {
  const [one = '', two = ''] = THREE;
  const without = (text: string) => [one.replace(text, ''), two, NEXT].join('');
  expect(names(without('END:VCARD\r\n'))).toEqual(['One', 'Two', 'Next']);
  expect(names(without('BEGIN:VCARD\r\n'))).toEqual(['One', 'Two', 'Next']);
  const agent = AGENT.replace('END:VCARD\r\n', '');
  expect(names(spoilt(`AGENT:${agent}`))).toEqual(['Asha', 'Next']);
  expect(names(`TEL:1\r\n${one}garbage\r\nFN:Lost\r\n${two}`)).toEqual(['One', 'Two']);
});

test.each([
  'Pooja\r\n\r\nDeshmukh',
  'Pooja\r\nDeshmukh',
  'Pooja\r\n  Deshmukh',
  String.raw`Pooja\n\nDeshmukh`,
])('vCards: the name %j is one line', (name) => {
  expect(names(card(`FN:${name}`, 'TEL:1'))).toEqual(['Pooja Deshmukh']);
});

test.each([
  ['TEL;X-Fax:1', 'TEL;WORK:2'],
  ['TEL;TYPE=WORK,FAX:1', 'TEL:2'],
  [String.raw`TEL;TYPE=WORK\,FAX:1`, 'TEL:2'],
  ['TEL;TYPE="x-work-fax,pref":1', 'TEL:2'],
  ['TEL;TLX:1', 'TEL;X-Telex:1', 'TEL;PAGER:1', 'TEL;MODEM:1', 'TEL;TYPE=TTY-TDD:1', 'TEL:2'],
  ['item1.TEL:1', 'item1.X-ABLabel:_$!<HomeFAX>!$_', 'item2.TEL:2', 'item2.X-ABLabel:Betty'],
  [
    'item1.TEL;type=pref:1',
    'item1.X-ABLabel:Office',
    'item2.TEL:2',
    'item2.X-ABLabel:_$!<Mobile>!$_',
  ],
  ['TEL;TYPE=PREF:1', 'TEL;X-Mobile:2'],
  ['TEL;TYPE=HOME:1', 'TEL;TYPE=IPHONE:2', 'TEL;TYPE=CELL:3'],
  ['TEL;CELL:none', 'TEL:2'],
  ['TEL;TYPE="HOME";2'],
  ['TEL;CELL 2'],
  ['TEL 2'],
  ['TEL;VALUE=uri;TYPE="voice,cell":tel:2;ext=5'],
  ['TEL;VALUE=uri;TEL:2'],
  ['TEL;TYPE=HOME;tel:2'],
  ['item1.TEL;waid=912:2', 'item1.X-ABLabel:Mobile'],
  ['TEL;:2'],
  ['TEL;PREF=50;TYPE=cell:1', 'TEL;PREF=2;TYPE=cell:2', 'TEL;TYPE=cell:3'],
  ['TEL;PREF=2;TYPE=cell:1', 'TEL;TYPE=cell,pref:2'],
  ['TEL;X-ASSISTANT;PREF:1', 'TEL;TYPE=HOME:2'],
  ['TEL;CELL;ASSISTANT:1', 'TEL:2'],
  ['item1.TEL;PREF:1', 'item1.X-ABLabel:_$!<Assistant>!$_', 'TEL:2'],
  ['item1.TEL:1', 'item1.X-ABLabel:Sekretärin', 'TEL:2'],
  ['TEL;X-ASSISTANT:2'],
])('vCards: the mobile of %j, … is 2', (...lines) => {
  expect(mobiles(card('FN:A', ...lines))).toEqual(['2']);
});

/** A program has left out the colon before the number, or has written another sign (imp-19). */
test.each([
  'TEL=98450 12345',
  'TEL;CELL=98450 12345',
  'TEL;TYPE=CELL=98450 12345',
  'TEL;TYPE=CELL,98450 12345',
  'TEL;TYPE=CELL,VOICE 98450 12345',
  'TEL-98450 12345',
  'TEL;TYPE=CELL\t98450 12345',
  'TEL;TYPE=CELL：98450 12345',
  'TEL：98450 12345',
  'TEL;TYPE=CELL;PREF=1;98450 12345',
  'TEL;PREF=1 98450 12345',
  'tel;type="cell";98450 12345',
  'TEL (CELL):98450 12345',
  'TEL;TYPE=CELL98450 12345',
  'TEL;X-SIM2;98450 12345',
  'TEL;TYPE=मोबाइल 98450 12345',
  'TEL;TYPE=CELL "98450 12345"',
  'TEL/98450 12345',
  'TEL_98450 12345',
  'TEL.CELL:98450 12345',
  'TEL:wa.me/98450 12345',
  'TEL [home] 98450 12345',
  'TEL CELL:98450 12345',
  'x.y.TEL:98450 12345',
  'item1.TEL;CELL 98450 12345',
  'TEL;X-SRC=http://x/1;TYPE=cell:98450 12345',
  'TEL;X-SRC=http://x/1:98450 12345',
  'TEL;X-ID=urn:TYPE;TYPE=cell:98450 12345',
])('vCards: the number is read, and the name stays: %s', (line) => {
  expect(read(card('FN:Asha', line))).toEqual([['Asha', '98450 12345', '', '']]);
});

test('vCards: a number in the digits of any script and one with an extension need no colon', () => {
  const numbers = ['९८४५० १२३४५', '٩٨٤٥٠', '+91 (80) 4000-1234 ext 5', '(080) 98450'];
  expect(mobiles(numbers.map((one) => card('FN:A', `TEL;CELL ${one}`)).join(''))).toEqual(numbers);
  expect(mobiles(card('FN:A', 'TEL919845012345') + card('FN:A', 'TEL;PREF=1'))).toEqual([
    '919845012345',
    '',
  ]);
});

test.each([
  'EMAIL=a@b.example',
  'EMAIL;INTERNET=a@b.example',
  'EMAIL;TYPE=INTERNET：a@b.example',
  'EMAIL-a@b.example',
  'EMAIL (WORK):a@b.example',
  'x.y.EMAIL;PREF a@b.example',
])('vCards: the email is read, and the name stays: %s', (line) => {
  expect(read(card('FN:Asha', line))).toEqual([['Asha', '', 'a@b.example', '']]);
});

test.each([
  '--- exported ---',
  '<br>',
  '</p>',
  '=====',
  '# exported',
  '; exported',
  '* * *',
  '[exported]',
  '———',
  '&nbsp;',
  '// end',
  'TEL',
  'TEL (CELL)',
  'EMAIL;INTERNET',
  'NOTE met at the fair',
  'N;CHARSET=UTF-8',
  'tel;cell',
])('vCards: a line that is no text does not join the name: %s', (line) => {
  expect(names(card('FN:Asha', line, 'TEL:1'))).toEqual(['Asha']);
  expect(names(card('N:Rao;Asha', line, 'in May', 'TEL:1'))).toEqual(['Asha Rao']);
});

test('vCards: a text can follow another sign than a colon', () => {
  expect(read(card('FN：आशा', 'ORG = Acme', 'TEL:1'))).toEqual([['आशा', '1', '', 'Acme']]);
  expect(names(card('FN:Hotel', 'Tel Aviv', '& Sons', 'N. K.', 'TEL:1'))).toEqual([
    'Hotel Tel Aviv & Sons N. K.',
  ]);
});

test.each([
  'TEL;VALUE=uri:skype:asha1?call',
  'TEL;TYPE=CELL:0',
  'TEL;TYPE=CELL:000-000 0000',
  'TEL;TYPE=CELL:ext 12',
  'TEL;TYPE=CELL:x 12345',
  'TEL;TYPE=CELL:ext.12345',
  'TEL;TYPE=CELL:Extension 12345',
  'TEL;CELL:*121#',
  'TEL;CELL:**21*12345678#',
  'TEL;CELL:#31#',
  'TEL;CELL:112',
  'TEL;CELL:asha1@b.example',
  'TEL;VALUE=uri;TYPE=cell:sip:asha1@b.example',
  'TEL;CELL:https://b.example/12345',
  'TEL;CELL:Fax: 080 4000 1234',
  'TEL;CELL:080 4000 1234 (fax)',
])('vCards: a real number comes before %s', (line) => {
  expect(mobiles(card('FN:A', line, 'TEL;HOME:98450 12345'))).toEqual(['98450 12345']);
});

test('vCards: the number of an internet call and one with a label are numbers', () => {
  const lines = ['sip:+919845012345@b.example', 'Mobile: +919845012345', 'sips:+919845012345;a=b'];
  expect(mobiles(lines.map((line) => card('FN:A', `TEL:${line}`)).join(''))).toEqual(
    lines.map(() => '+919845012345'),
  );
  expect(mobiles(card('FN:A', 'TEL:skype:asha1') + card('FN:A', 'TEL:*121#'))).toEqual([
    '',
    '*121#',
  ]);
});

test('vCards: of many numbers in one line, the first that fit are kept', () => {
  const one = '+91 80 4000 1234';
  for (const between of ['/', ' / ', ', ', String.raw`\n`, ' or ', ' ', ' & ']) {
    const many = card('FN:A', `TEL:${Array(5).fill(one).join(between)}`);
    const kept = Array(3)
      .fill(one)
      .join(between.replace(String.raw`\n`, ' '));
    expect(mobiles(many)).toEqual([kept]);
  }
});

test.each([
  'फॅक्स',
  'फेक्स',
  'फ़ैक्स',
  'ফ্যাক্স',
  'ફેક્સ',
  'ਫੈਕਸ',
  'ଫ୍ୟାକ୍ସ',
  'ఫ్యాక్స్',
  'ಫ್ಯಾಕ್ಸ್',
  'ഫാക്സ്',
  'തൊഴില്‍ ഫാക്\u200cസ്',
  'தொலைநகல்',
  'فکس',
  'فیکس',
  'فاكس',
  'نمابر',
  'Факс',
  '传真',
  '公司傳真',
  'ファックス',
  'ﾌｧｯｸｽ',
  'ファクス',
  '팩스',
  'φαξ',
  'Φαξ οικίας',
  'Faks',
  'Telefaks',
  'Télécopie',
  'TELECOPIEUR',
  'Te\u0301le\u0301copieur',
  'Facsimile',
  'Fac-similé',
  'แฟกซ์',
  'פקס',
  'पेजर',
  'পেজার',
  'பேஜர்',
  'Пейджер',
  'ポケベル',
  '호출기',
  '传呼机',
  'بيجر',
  'Bippeur',
  'Téléavertisseur',
])('vCards: the number of a fax or a pager is not the mobile: %s', (label) => {
  const inLabel = card('FN:A', 'item1.TEL;PREF:1', `item1.X-ABLabel:${label}`, 'TEL:2');
  const quoted = [...Buffer.from(label)].map((byte) => `=${byte.toString(16).toUpperCase()}`);
  const custom = `X-CUSTOM(CHARSET=UTF-8,ENCODING=QUOTED-PRINTABLE,${quoted.join('')})`;
  const inType = [`TYPE=${label}`, label, `TYPE="${label}"`, custom].map((type) =>
    card('FN:A', `TEL;${type}:1`, 'TEL:2'),
  );
  expect(mobiles(inLabel + inType.join(''))).toEqual(Array(5).fill('2'));
});

test.each([
  'Portable',
  'கைபேசி',
  'கைப்பேசி',
  'Сотовый',
  'Мобильный',
  'Мобільний',
  '手机',
  '手機',
  '携帯',
  '휴대폰',
  '휴대전화',
  'جوال',
  'موبايل',
  'موبائل',
  'Móvil',
  'Celular',
  'Telemóvel',
  'Komórka',
  'Cep',
  'Handy',
  'GSM',
  'Κινητό',
  'נייד',
  'มือถือ',
  'Di động',
  'Matkapuhelin',
  'मोबाईल',
  'मोबाइल',
  'মোবাইল',
  'મોબાઇલ',
  'ਮੋਬਾਈਲ',
  'ମୋବାଇଲ',
  'మొబైల్',
  'ಮೊಬೈಲ್',
  'മൊബൈൽ',
  'மொபைல்',
  'भ्रमणध्वनी',
])('vCards: a mobile number comes first: %s', (label) => {
  const inLabel = card('FN:A', 'TEL;HOME;PREF:1', 'item1.TEL:2', `item1.X-ABLabel:${label}`);
  expect(mobiles(inLabel + card('FN:A', 'TEL;HOME:1', `TEL;TYPE=${label}:2`))).toEqual(['2', '2']);
});

test('vCards: a number loses the scheme of its link, whichever it is', () => {
  const links = ['tel:98450', 'TEL://98450', 'sms:98450;ext=1', ' callto:98450'];
  expect(mobiles(links.map((link) => card('FN:A', `TEL:${link}`)).join(''))).toEqual(
    links.map(() => '98450'),
  );
});

test('vCards: a person whom an iPhone shows as a company keeps the name', () => {
  const shown = ['FN:Acme Ltd', 'X-ABShowAs:COMPANY', 'TEL:1'];
  expect(
    read(
      card('N:Rao;Asha', ...shown) +
        card('N:Rao;Asha', 'ORG:Acme', ...shown) +
        card('N:;;;;', ...shown),
    ),
  ).toEqual([
    ['Asha Rao', '1', '', 'Acme Ltd'],
    ['Asha Rao', '1', '', 'Acme'],
    ['Acme Ltd', '1', '', ''],
  ]);
});

test.each([' ', '    ', '\t', '\t\t'])(
  'vCards: a file that is indented by %j is read',
  (indent) => {
    const folded = utf8.replaceAll('Plain Name', 'Plain\r\n  Name').trimEnd();
    const file = folded.replace(/^/gm, indent);
    for (const one of [file, `\ufeff${file}`, `\r\n${file}`, file.replaceAll('\r', '')])
      expect(names(one)).toEqual(PEOPLE);
  },
);

test('vCards: an indented first line alone changes no fold', () => {
  expect(names(` ${card('FN:Plain', '  Name', 'TEL:1')}`)).toEqual(['Plain Name']);
});

test('vCards: a comma in a company is part of its name', () => {
  expect(read(card('FN:A', 'ORG:Acme,Inc.;Sales'))).toEqual([['A', '', '', 'Acme,Inc.']]);
});

test('vCards: a part of N can be a list, and the preferred FN is the name', () => {
  const parts = 'N:Stevenson;John;Philip,Paul;Dr.;Jr.,M.D.';
  const escaped = String.raw`N:Rao\, Sons;Asha`;
  const preferred = card('FN:Formal', 'FN;PREF=7:Rare', 'FN;PREF=5:Usual');
  expect(names(card(parts) + card(escaped) + preferred)).toEqual([
    'Dr. John Philip Paul Stevenson Jr. M.D.',
    'Asha Rao, Sons',
    'Usual',
  ]);
});

test.each([
  ['Nair, Priya', 'Nair;Priya;;;', 'Priya Nair'],
  [
    'O\u2019Brien-van der Merwe, Siobh\u00e1n',
    'O\u2019Brien-van der Merwe;Siobh\u00e1n;;;',
    'Siobh\u00e1n O\u2019Brien-van der Merwe',
  ],
  ['Nair, Dr. Priya K.', 'Nair;Priya;K.;Dr.;', 'Dr. Priya K. Nair'],
  ['Priya Nair, MBA', 'Nair;Priya;;;MBA', 'Priya Nair, MBA'],
  ['Nair, MBA', 'Nair;;;;MBA', 'Nair, MBA'],
  ['Nair, Priya', ';;;;', 'Nair, Priya'],
])(
  'vCards: only a name that is filed with the family name first is turned round: %s, %s',
  (formatted, structured, name) => {
    expect(
      names(card(`FN:${formatted.replaceAll(',', String.raw`\,`)}`, `N:${structured}`, 'TEL:1')),
    ).toEqual([name]);
    expect(names(card(`FN:${formatted}`, `N:${structured}`, 'TEL:1'))).toEqual([name]);
  },
);

test.each([
  ['Mills', 'Nair;Priya', 'Mills'],
  [String.raw`Mills (Nair\, Priya)`, 'Nair;Priya', 'Mills'],
  [String.raw`Nair\, Priya (Mills)`, 'Nair;Priya', 'Mills'],
  ['Nair;Priya;;;', 'Nair;Priya;;;', ''],
])('vCards: the name filed as %s is Priya Nair', (formatted, structured, company) => {
  const lines = [`FN:${formatted}`, `N:${structured}`, `ORG:${company}`, 'TEL:1'];
  expect(read(card(...lines))).toEqual([['Priya Nair', '1', '', company]]);
});

test('vCards: a name of East Asia begins with the family name', () => {
  const parts = ['山田;太郎;;;様', '김;철수', 'スミス;ジョン', 'Yamada;太郎'];
  expect(names(parts.map((part) => card(`N:${part}`, 'TEL:1')).join(''))).toEqual([
    '山田太郎 様',
    '김철수',
    'ジョン スミス',
    '太郎 Yamada',
  ]);
});

test.each(['US-ASCII', 'ISO-8859-1', 'WINDOWS-1252'])(
  'vCards: UTF-8 that is declared as %s is read as UTF-8, and nothing else is',
  (charset) => {
    const line = `FN;CHARSET=${charset}:Ren`;
    const latin = Buffer.from(card(`${line}\xe9 Caf\xe9`), 'latin1');
    expect([...names(card(`${line}é`)), ...names(latin)]).toEqual(['René', 'René Café']);
  },
);

test('vCards: a fax alone is no mobile', () => {
  expect(mobiles(card('FN:A', 'TEL;FAX:1') + card('FN:A', 'TEL:ask'))).toEqual(['', '']);
});

test.each([
  ['EMAIL;PREF;EX:/o=E/ou=First/cn=a', 'EMAIL;INTERNET:a@b.example'],
  ['EMAIL;TYPE=X400:c=de;a=x@y', 'EMAIL:a@b.example'],
  ['EMAIL;PREF:/o=E/cn=a', 'EMAIL:a@b.example'],
  ['EMAIL:none', 'EMAIL:two words@b.example', 'EMAIL:a@b@c', 'EMAIL:a@b.example'],
  ['EMAIL;INTERNET:"A"\r\n  <a@b.example>'],
  ['EMAIL:A B <mailto:a@b.example>'],
  ['EMAIL:<a@b.example> (A B)'],
  ['EMAIL:mailto:a@b.example?subject=x'],
  ['EMAIL:SMTP:a@b.example'],
  [String.raw`EMAIL:a@b.example\, c@d.example`],
  ['EMAIL;TYPE=HOME:c@d.example', 'EMAIL;PREF=1:a@b.example'],
  ['EMAIL;TYPE=INTERNET;a@b.example'],
  ['EMAIL:"a@b.example" (A B)'],
  ['EMAIL:a@b.example.'],
  ['EMAIL;PREF=20:z@b.example', 'EMAIL;PREF=10:a@b.example', 'EMAIL;PREF=100:y@b.example'],
  ['EMAIL:z@b.example', 'EMAIL;PREF=5:a@b.example'],
  ['EMAIL;PREF=2:z@b.example', 'EMAIL;TYPE=pref:a@b.example'],
  ['EMAIL:a@b.example ::: c@d.example'],
  ['EMAIL:a@b.example / c@d.example'],
  ['EMAIL:a@b.example/c@d.example'],
  ['EMAIL:a@b.example c@d.example'],
  [String.raw`EMAIL:a@b.example\nc@d.example`],
  ['EMAIL:a@b.example|c@d.example'],
  ['EMAIL:a@b.example and c@d.example'],
  [String.raw`EMAIL:a@b.example\;c@d.example`],
  ['EMAIL:none / a@b.example'],
  ['EMAIL:Work: a@b.example'],
  ['EMAIL:Work: a@b.example, Home: c@d.example'],
  ['EMAIL:mailto:a%40b.example'],
  ['EMAIL:[a@b.example]'],
  ["EMAIL:'a@b.example'"],
  ['EMAIL:<A B>, <a@b.example>'],
  ['EMAIL <a@b.example>'],
  ['EMAIL:A B (a@b.example)'],
  ['EMAIL;PREF:A B/Pune/Mills@Mills', 'EMAIL:a@b.example'],
])('vCards: the email of %j, … is a@b.example', (...lines) => {
  expect(emails(card('FN:A', ...lines))).toEqual(['a@b.example']);
});

const line = (lengthMax: number) =>
  fc.oneof(
    anyText(lengthMax),
    fc.constantFrom(
      'BEGIN:VCARD',
      'END:VCARDBEGIN:VCARD',
      'a BEGIN:VCARD',
      'TEL:112',
      'a;b,c\\',
      '=E9',
      '<a@b.example>',
    ),
    fc.constantFrom(
      '"A" <a@b.example>',
      'a@b.example;c@d.example',
      'tel:112',
      'ask at the desk',
      '*#06#',
      '98450 12345',
    ),
  );
const stored = fc
  .record({
    name: line(LEAD_LENGTHS_MAX.name),
    mobile: line(LEAD_LENGTHS_MAX.mobile),
    email: line(LEAD_LENGTHS_MAX.email),
    companyName: line(LEAD_LENGTHS_MAX.companyName),
  })
  .map((lead) => leadSchema.safeParse(lead))
  .filter(({ success }) => success)
  .map(({ data }) => data ?? { name: '', mobile: '', email: '', companyName: '' });

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

test('vCards: what the product has exported is read back completely, and can be stored again', () => {
  const rest = { note: '', notice: '', tags: [], source: '', isHeld: false };
  fc.assert(
    fc.property(fc.array(stored, { minLength: 1, maxLength: 4 }), (leads) => {
      const file = leads
        .map((lead) =>
          writeContactVcard({ ...rest, ...lead } as never, createPhoneReader('IN'), true),
        )
        .join('');
      const found = cards(file).map(toLead);
      expect(found).toEqual(
        leads.map(({ name, email, companyName }, at) => ({
          name: oneLine(name),
          email: oneLine(email),
          companyName: oneLine(companyName),
          mobile: found[at]?.mobile,
        })),
      );
      for (const [at, lead] of found.entries()) {
        expect([leadSchema.parse(lead), lead.mobile === '']).toEqual([
          lead,
          leads[at]?.mobile === '',
        ]);
        // The export writes a number that is a phone in E.164, and leaves any other text as it is.
        if (!/\d{3}/.test(lead.mobile)) expect(lead.mobile).toBe(oneLine(leads[at]?.mobile ?? ''));
      }
    }),
    { numRuns: 500, examples: [[[{ name: ',A', mobile: '', email: '!', companyName: '' }]]] },
  );
});

test('vCards: any bytes are read, and what is found can be stored', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'BEGIN:VCARD',
      'END:VCARD',
      '\n',
      '\r\n',
      '\n ',
      'FN',
      'N',
      'TEL',
      'EMAIL',
      ':',
      ';',
      '=',
    ),
    fc.constantFrom(
      'ENCODING=QUOTED-PRINTABLE',
      'CHARSET=',
      'B',
      'AGENT:',
      'NOTE:',
      'UTF-16',
      '@',
      '\0',
      '"',
      '1',
    ),
    fc.uint8Array({ maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      for (const one of cards(Buffer.concat(pieces.map(bytesOf)))) {
        const lead = toLead(one);
        if (lead.name !== '' && (lead.mobile || lead.email))
          expect(leadSchema.parse(lead)).toEqual(lead);
      }
    }),
    { numRuns: 500 },
  );
});

test('vCards: a file of 20 MB is read in slices, whatever its lines are', () => {
  const photo = `PHOTO;ENCODING=b:${`${'A'.repeat(74)}\r\n `.repeat(550)}\r\n`;
  const start = 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Asha\r\n';
  const quoted = 'NOTE;QUOTED-PRINTABLE:'.padEnd(60, 'x') + '=\r\nx'.repeat(9e4);
  const end = 'TEL:1\r\nEND:VCARD\r\n';
  const files: [string, number][] = [
    [`${start}${photo}${end}`.repeat(500) + quoted, 500],
    [start + photo.repeat(480) + end, 1],
    [`${start}ORG:${'\\;\\\\;"<@,'.repeat(2.2e6)}\r\n${end}`, 1],
    [start + `TEL${';5 a'.repeat(2500)}:"\r\n`.repeat(2000) + end, 1],
    [`${start}${'TEL:1\r\n'.repeat(1e5)}${end}`, 1],
  ];
  for (const [file, count] of files) {
    const steps = [...readCards(Buffer.from(file), LEAD_PROPERTIES)];
    const people = steps.flatMap((one) => (one ? [toLead(one).name] : []));
    expect(people).toEqual(Array.from({ length: count }, () => 'Asha'));
    // The reader pauses after every 200 lines.
    const lineCount = file.split('\r\n').length;
    expect(steps.length - people.length).toBe(Math.floor((lineCount - 1) / 200));
  }
});
