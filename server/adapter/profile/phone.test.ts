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
  });
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
  });
  expect(read('98765-43210 ext 4').numbers).toEqual(['98765-43210 ext 4']);
});

test('phone: without a country code it is of the country of the service', () => {
  expect(createPhoneReader('US')('(415) 555-2671').call).toBe('tel:+14155552671');
  expect(read('07911 123456').call).not.toBe(createPhoneReader('GB')('07911 123456').call);
});
