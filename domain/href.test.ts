import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { anyText } from '#tests/support/any-text.ts';
import { words } from '#tests/support/words.ts';

import { mailHref, telephoneHref, whatsappHref } from './href.ts';

test('telephone link: has digits and a leading plus, nothing else', () => {
  const phones = ['+91 98765 43210', '(080) 1234-5678', '९८७६५४३२१०', '\u202a＋91 98765\u202c'];
  expect([...phones, '98 +765'].map(telephoneHref)).toEqual(
    words('tel:+919876543210 tel:08012345678 tel:9876543210 tel:+9198765 tel:98765'),
  );
});

const COMMANDS = words('**21*9876543210# *#06# ##002# ＊＊21＊98765＃ 1800,,2 1800，2');
const NUMBERS_WITH_TEXT = words('98765;postd=1 98765；1 +').concat(
  ['', 'call me', 'call me at 5pm', '98765 43210 / 98765 43211'],
  ['98765-43210 ext 4', '98765 43210 lift ४'],
);

test.each([...COMMANDS, ...NUMBERS_WITH_TEXT])('telephone link: %j gets none', (phone) => {
  expect(telephoneHref(phone)).toBe(null);
});

test('telephone link: every link has digits and a leading plus, nothing else', () => {
  const piece = fc.oneof(
    anyText(6),
    fc.constantFrom('+', '＋', '*', '#', ',', ';', '9', '९', '%23', 'tel:'),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      expect(telephoneHref(pieces.join('')) ?? 'tel:0').toMatch(/^tel:\+?[0-9]+$/);
    }),
    { numRuns: 2000 },
  );
});

test('email link: adds no header and no other recipient', () => {
  const typed = [
    ' asha+card@rao.example ',
    'a@b.example?bcc=c@d.example',
    'a@b.example, c@d.example',
  ];
  expect(typed.map(mailHref)).toEqual([
    'mailto:asha+card@rao.example',
    'mailto:a@b.example%3Fbcc%3Dc@d.example',
    'mailto:a@b.example%2C%20c@d.example',
  ]);
});

test('whatsapp link: needs a country code, or ten digits of India', () => {
  const hrefs = {
    '+44 20 7946 0958': 'https://wa.me/442079460958',
    '98765 43210': 'https://wa.me/919876543210',
    '098765-43210': 'https://wa.me/919876543210',
    '९८७६५४३२१०': 'https://wa.me/919876543210',
    '9198765 43210': null,
    '12345': null,
    '+1234567': null,
    '+1234567890123456': null,
    '**21*9876543210#': null,
    '': null,
  };
  const found = Object.keys(hrefs).map((phone) => [phone, whatsappHref(phone)]);
  expect(Object.fromEntries(found)).toEqual(hrefs);
});
