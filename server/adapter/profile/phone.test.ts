import { expect, test } from 'vitest';

import { expectResults } from '#tests/support/results.ts';

import { createPhoneReader } from './phone.ts';

const read = createPhoneReader('IN');
/** Returns the call link and each number of the contact file. */
const linkAndNumbers = (phone: string) => [read(phone).call, ...read(phone).numbers];

test('phone: is in E.164 only if it is valid, and else has the digits as entered', () => {
  expectResults<readonly (string | null)[]>(linkAndNumbers, {
    '98450 12345': ['tel:+919845012345', '+919845012345'],
    '098450-12345': ['tel:+919845012345', '+919845012345'],
    '+91 098450 12345': ['tel:+919845012345', '+919845012345'],
    '+91 (0) 98450 12345': ['tel:+919845012345', '+919845012345'],
    '00 91 98450 12345': ['tel:+919845012345', '+919845012345'],
    '९८४५० १२३४५': ['tel:+919845012345', '+919845012345'],
    'Mobile: 98450.12345 (office)': ['tel:+919845012345', '+919845012345'],
    '98450/12345': ['tel:+919845012345', '+919845012345'],
    '9845012345.0': ['tel:+919845012345', '+919845012345'],
    '+44 (0)20 7946 0958': ['tel:+442079460958', '+442079460958'],
    '+39 06 1234 5678': ['tel:+390612345678', '+390612345678'],
    '2345 6789': ['tel:23456789', '2345 6789'],
    '1-415-555-2671': ['tel:14155552671', '1-415-555-2671'],
    '+91 98450 1234': ['tel:+91984501234', '+91 98450 1234'],
    '12 34': ['tel:1234', '12 34'],
    '98765 43210 lift 4': [null],
  });
});

test('phone: a toll-free or shared-cost number stays as entered and has no chat', () => {
  expectResults<readonly (string | null)[]>(linkAndNumbers, {
    '1800 123 4567': ['tel:18001234567', '1800 123 4567'],
    '1800-425-3800': ['tel:18004253800', '1800-425-3800'],
    '1860 266 2666': ['tel:18602662666', '1860 266 2666'],
    '+1 800 555 0199': ['tel:+18005550199', '+1 800 555 0199'],
  });
  expectResults<string | null>((phone) => read(phone).whatsapp, {
    '98450 12345': 'https://wa.me/919845012345',
    '+91 098450 12345': 'https://wa.me/919845012345',
    '+44 (0)20 7946 0958': 'https://wa.me/442079460958',
    '98450 12345 ext 4': null,
    '1800 123 4567': null,
    '1860 266 2666': null,
    '+1 800 555 0199': null,
    '1-415-555-2671': null,
    '2345 6789': null,
    '': null,
  });
});

test('phone: of several numbers the first is called, and each is in the contact file', () => {
  const two = ['tel:+919845012350', '+919845012350', '+919845012351'];
  for (const between of [
    ' / ',
    '/',
    ', ',
    ',',
    '; ',
    ' or ',
    ' & ',
    ' | ',
    ' - ',
    ' ',
    '  ',
    ' (M) ',
  ])
    expect([between, ...linkAndNumbers(`98450 12350${between}98450 12351`)]).toEqual([
      between,
      ...two,
    ]);
  expectResults<readonly (string | null)[]>(linkAndNumbers, {
    '+91 98450 12350 +91 98450 12351': two,
    '(+91) 98450 12350 (+91) 98450 12351': two,
    '9845012350 9845012351': two,
    '98450 12350/51': two,
    '९८४५० १२३५०／९८४५० १२३५१': two,
    'M: 98450 12350 O: 080 2222 3333': [two[0] ?? '', '+919845012350', '+918022223333'],
    '080-2222 3333/34/35': ['tel:+918022223333', '+918022223333', '+918022223334', '+918022223335'],
    '2222 3333/34': ['tel:22223333', '22223333', '22223334'],
    '2222333 / 2222334': ['tel:2222333', '2222333', '2222334'],
    '0044 20 / 7946 0958': ['tel:+442079460958', '+442079460958'],
    '98450 12350,': two.slice(0, 2),
    '98450 12350 + 98450 12351': two,
    '98450 12350 098450 12351': two,
    '080 - 2222 3333 / 98450 - 12350': ['tel:+918022223333', '+918022223333', '+919845012350'],
  });
});

test('phone: a note, an opening hour or the end of a series after a number is not dialled', () => {
  const mobile = ['tel:+919876543210', '+919876543210'];
  const notes = ['(24x7)', '24x7', '24/7', '24*7', '(24 hrs)', '24 hours', '(9-5)', '9-5', '(2)'];
  notes.push('2', '(Mon-Sat, 10:30 - 18:30)', '(lift 4)');
  for (const note of notes)
    expect([note, ...linkAndNumbers(`98765 43210 ${note}`)]).toEqual([note, ...mobile]);
  const landline = ['tel:+918040001234', '+918040001234'];
  expectResults<readonly (string | null)[]>(linkAndNumbers, {
    '98765 43210 (24x7), 022 23456789 (9-5)': [...mobile, '+912223456789'],
    '080-40001234-40': landline,
    '080 40001234 (102)': landline,
    '080 40001234 - 102': landline,
    '24x7: 98765 43210': mobile,
    '24/7 98765 43210': mobile,
    'Mobile 1: 98765 43210, Mobile 2: 98765 43211': [...mobile, '+919876543211'],
    '+91 80 4000 1234 - 36': [...landline, '+918040001236'],
    '022 2345 6789 - 92': ['tel:+912223456789', '+912223456789', '+912223456792'],
    '022 - 2345 6789 to 92': ['tel:+912223456789', '+912223456789', '+912223456792'],
    '98765 43210 10 - 6': mobile,
    '98765 43210 10 to 6': [null],
    '9876 543 210 - 11': [...mobile, '+919876543211'],
    '98765 43210 & 11': [...mobile, '+919876543211'],
    '1800 123 4567 (24x7)': ['tel:18001234567', '18001234567'],
    '2345 6789 (24x7)': ['tel:23456789', '23456789'],
    // A foreign number without its plus sign can start with the digits of an Indian one.
    '90 532 123 45 67': ['tel:905321234567', '90 532 123 45 67'],
    '+380 44 123 45 - 67': ['tel:+380441234567', '+380441234567'],
  });
});

test('phone: a second number may leave out what it shares with the first', () => {
  const mobiles = ['tel:+919876543210', '+919876543210', '+919876543211'];
  const mumbai = ['tel:+912223456789', '+912223456789', '+912223456790'];
  const mysuru = ['tel:+918212412345', '+918212412345', '+918212412346'];
  expectResults<readonly (string | null)[]>(linkAndNumbers, {
    '98765-43210/43211': mobiles,
    '9876543210/43211': mobiles,
    '98765 43210 / 43211': mobiles,
    '+91 98765 43210/43211': mobiles,
    '9876 543 210/3211': mobiles,
    '022-23456789/23456790': mumbai,
    '(022) 2345 6789/2345 6790': mumbai,
    '+91 22 2345 6789 / 2345 6790': mumbai,
    '0821-2412345/2412346': mysuru,
    '0821-2412345, 2412346': mysuru,
    '080-2341-1234/2341-1235': ['tel:+918023411234', '+918023411234', '+918023411235'],
    'M: 98765 43210 O: 0821-2412345 / 2412346': [
      mobiles[0] ?? '',
      '+919876543210',
      ...mysuru.slice(1),
    ],
    '98765 43210 / 2345 6789': ['tel:+919876543210', '+919876543210', '23456789'],
    '+44 20 7946 0958 / 98765 43210': ['tel:+442079460958', '+442079460958', '+919876543210'],
    '022-23456789 / 1800 1234': ['tel:+912223456789', '+912223456789', '18001234'],
  });
});

test('phone: two complete numbers may stand side by side', () => {
  const mobiles = ['tel:+919876543210', '+919876543210', '+919876543211'];
  const texts = ['9876543210-9876543211', '98765-43210 98765-43211', '98765 43210. 98765 43211'];
  texts.push('1) 98765 43210 2) 98765 43211', '98765 43210 (98765 43211)');
  texts.push('98765–43210 / 98765–43211', '98765 43210M/98765 43211');
  texts.push('98765 43210और98765 43211', '1. 98765 43210 2. 98765 43211');
  texts.push('Mobile1: 98765 43210 Mobile 2 : 98765 43211', 'M1-98765 43210, M2-98765 43211');
  expectResults(linkAndNumbers, Object.fromEntries(texts.map((text) => [text, mobiles])));
  const landlines = ['tel:+912223456789', '+912223456789', '+912223456790'];
  expectResults(linkAndNumbers, {
    '022-23456789—022-23456790': landlines,
    '022 2345 6789 022 2345 6790': landlines,
    '022 2345 6789 98765 43210': [landlines[0] ?? '', '+912223456789', '+919876543210'],
    '2345 6789 098765 43210': ['tel:23456789', '23456789', '+919876543210'],
    '1) 98765 43210 2) (0821) 2412345': [mobiles[0] ?? '', '+919876543210', '+918212412345'],
    '98765 43210 0821-2412345': [mobiles[0] ?? '', '+919876543210', '+918212412345'],
  });
  expect(read('1) 98765 43210').call).toBe('tel:+919876543210');
});

test('phone: a zero in brackets after a country code is dialled only where it belongs to the number', () => {
  expectResults((phone) => read(phone).call, {
    '+48 (0)22 123 45 67': 'tel:+48221234567',
    '+30 (0)210 1234567': 'tel:+302101234567',
    '+420 (0)602 123456': 'tel:+420602123456',
    '+39 (0)347 1234567': 'tel:+393471234567',
    '+39 (0)6 1234 5678': 'tel:+390612345678',
    '+972-(0)50-123-4567': 'tel:+972501234567',
    '+1 (0)415 555 2671': 'tel:+14155552671',
    '+44 (0) 7700 900123': 'tel:+447700900123',
    '+44 ( 0 ) 20 7946 0958': 'tel:+442079460958',
    '+48 (0)22 123': 'tel:+4822123',
    '(0) 98450 12345': 'tel:+919845012345',
    '+44 ( 0 ) 1234 567890': 'tel:+441234567890',
    '(0 22 ) 2345 6789': 'tel:+912223456789',
    'Tollfree1-800-425-0101': 'tel:18004250101',
  });
});

test('phone: the old prefix 091 and a repeated +91 are the country code of India', () => {
  expectResults((phone) => read(phone).call, {
    '091 9876543210': 'tel:+919876543210',
    '0919876543210': 'tel:+919876543210',
    '091-22-23456789': 'tel:+912223456789',
    '(091) 98765 43210 / 43211': 'tel:+919876543210',
    '091 12345': 'tel:09112345',
    '+91 +91 98765 43210': 'tel:+919876543210',
    '91 91 98765 43210': 'tel:+919876543210',
    '+91 91987 65432': 'tel:+919198765432',
  });
});

test('phone: letters that replace digits are not left out', () => {
  const texts = ['1-800-FLOWERS', '1800-4444-HELP', '98765 4321O', '98765ABCDE', '+91 98765 4321O'];
  texts.push('98765 4321O / 98765 43211');
  expect(texts.filter((phone) => read(phone).call !== null)).toEqual([]);
  const named = ['98765 43210 mobile', '98765 43210-mobile', '98765 43210M', 'M-98765 43210'];
  named.push('98765 43210(M)', 'मो. 98765 43210');
  expect(named.map((phone) => read(phone).call)).toEqual(named.map(() => 'tel:+919876543210'));
});

test('phone: an extension is ;ext= of the link, and no part of the number', () => {
  const call = (phone: string) => read(phone).call;
  expectResults(call, {
    '98765-43210 ext 4': 'tel:+919876543210;ext=4',
    '98765-43210, ext. 4': 'tel:+919876543210;ext=4',
    '98765-43210,x4': 'tel:+919876543210;ext=4',
    '080 2345 6789 (x12)': 'tel:+918023456789;ext=12',
    '+44 20 7946 0958 Extn: 12': 'tel:+442079460958;ext=12',
    '+918022223333;ext=4': 'tel:+918022223333;ext=4',
    '2345 6789 extension 4': 'tel:23456789;ext=4',
    '080 2222 3333 ext 12 / 98450 12350': 'tel:+918022223333;ext=12',
    '080 2222 3333 - Extn. No. 12': 'tel:+918022223333;ext=12',
    '080 2222 3333 [ext 12]': 'tel:+918022223333;ext=12',
  });
  expect(read('98765-43210 ext 4').numbers).toEqual(['98765-43210 ext 4']);
});

test('phone: without a country code it is of the country of the service', () => {
  expect(createPhoneReader('US')('(415) 555-2671').call).toBe('tel:+14155552671');
  const british = createPhoneReader('GB')('07400 123456 / 020 7946 0958').numbers;
  expect(british).toEqual(['+447400123456', '+442079460958']);
  expect(read('07911 123456').call).not.toBe(createPhoneReader('GB')('07911 123456').call);
});
