import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { anyText } from '#tests/support/any-text.ts';
import { expectResults } from '#tests/support/results.ts';
import { words } from '#tests/support/words.ts';

import { readPhone } from './phone.ts';

test('phone without a list of valid numbers: keeps the digits as entered, and writes no chat', () => {
  expectResults<string | null>((phone) => readPhone(phone).call, {
    '+91 98765 43210': 'tel:+919876543210',
    '(080) 1234-5678': 'tel:08012345678',
    '९८७६५४३२१०': 'tel:9876543210',
    '\u202a＋91 98765\u202c': 'tel:+9198765',
    '98 +765': 'tel:98765',
    '98450 12350 / 98450 12351': 'tel:9845012350',
    '98450 12350 ext 7': 'tel:9845012350;ext=7',
    '98450 12350 24/7': 'tel:9845012350',
    '98450 12350 (24x7)': 'tel:9845012350',
    '98450 12350 & 51': 'tel:9845012350',
    '+91 80 4000 1234 - 36': 'tel:+918040001234',
    '9845012350-9845012351': 'tel:9845012350',
    '+48 (0)22 123 45 67': 'tel:+48221234567',
    '98450 12350 mobile': 'tel:9845012350',
    '98450 1235O': null,
    '1-800-FLOWERS': null,
  });
  expect(readPhone('022-23456789/23456790').numbers).toEqual(['02223456789', '02223456790']);
  expect(readPhone('98450 12350 / 12351').numbers).toEqual(['9845012350', '9845012351']);
  expect(readPhone('98450 12350 / 2345 6789').numbers).toEqual(['9845012350', '23456789']);
  expect(readPhone('+91 98765 43210').whatsapp).toBe(null);
});

test('phone: is never a link to a command, to a pause or to the digits of a sentence', () => {
  const commands = words('**21*9876543210# *#06# ##002# ＊＊21＊98765＃ 1800,,2 1800，2');
  const texts = ['', 'call me', 'call me at 5pm', '98765 43210 lift ४', '98450 12350,,123456'];
  texts.push(...words('98765;postd=1 98765；1 +'), '98765 43210 / lift 4', '98765-43210,, ext 4');
  texts.push('9845012350 / *31#9845012351');
  expect([...commands, ...texts].filter((phone) => readPhone(phone).call !== null)).toEqual([]);
  const signs = fc.constantFrom('+', '＋', '*', '#', ',', ';', '/', '9', '९', '%23', 'tel:', 'x');
  const piece = fc.oneof(anyText(6), signs, fc.constant('98450 12350'));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const { call, numbers } = readPhone(pieces.join(''));
      expect(call ?? 'tel:0').toMatch(/^tel:\+?[0-9]{1,15}(?:;ext=[0-9]{1,7})?$/);
      expect(numbers.length === 0).toBe(call === null);
    }),
    { numRuns: 2000 },
  );
});
