import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { anyText } from '#tests/support/any-text.ts';
import { expectResults } from '#tests/support/results.ts';
import { words } from '#tests/support/words.ts';

import { mailHref, telephoneHref, whatsappHref } from './href.ts';

test('telephone link: has digits and a leading plus, nothing else', () => {
  expectResults(telephoneHref, {
    '+91 98765 43210': 'tel:+919876543210',
    '(080) 1234-5678': 'tel:08012345678',
    '९८७६५४३२१०': 'tel:9876543210',
    '\u202a＋91 98765\u202c': 'tel:+9198765',
    '98 +765': 'tel:98765',
  });
  const commands = words('**21*9876543210# *#06# ##002# ＊＊21＊98765＃ 1800,,2 1800，2');
  const texts = ['', 'call me', 'call me at 5pm', '98765 43210 / 98765 43211'];
  texts.push(...words('98765;postd=1 98765；1 +'), '98765-43210 ext 4', '98765 43210 lift ४');
  expect([...commands, ...texts].filter((phone) => telephoneHref(phone) !== null)).toEqual([]);
  const signs = fc.constantFrom('+', '＋', '*', '#', ',', ';', '9', '९', '%23', 'tel:');
  fc.assert(
    fc.property(fc.array(fc.oneof(anyText(6), signs), { maxLength: 8 }), (pieces) => {
      expect(telephoneHref(pieces.join('')) ?? 'tel:0').toMatch(/^tel:\+?[0-9]+$/);
    }),
    { numRuns: 2000 },
  );
});

test('email link: adds no header and no other recipient', () => {
  expectResults(mailHref, {
    ' asha+card@rao.example ': 'mailto:asha+card@rao.example',
    'a@b.example?bcc=c@d.example': 'mailto:a@b.example%3Fbcc%3Dc@d.example',
    'a@b.example, c@d.example': 'mailto:a@b.example%2C%20c@d.example',
  });
});

test('whatsapp link: needs a country code, or ten digits of India', () => {
  expectResults(whatsappHref, {
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
  });
});
