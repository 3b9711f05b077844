import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { anyText } from '#tests/support/any-text.ts';
import { expectResults } from '#tests/support/results.ts';
import { words } from '#tests/support/words.ts';

import { cardPhoneHint, emailHint, nameHint, phoneHint } from './hint.ts';
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
    '+1234567': null,
    '+1234567890123456': null,
    '**21*9876543210#': null,
    '': null,
  });
});

/** The messages of docs/product.md#validation. */
const NO_EMAIL = 'This does not look like an email address.';
const NO_PHONE = 'This does not look like a phone number.';
const NO_LINK = 'Without a number, visitors will see it as text, not as a link.';
const NOT_READY = 'This card is not ready yet. It has no phone number yet.';

test('hints: are for what is no address, and for what has not 5 to 15 digits alone', () => {
  const addresses = ['', ' ', 'asha@example.in', 'आशा@उदाहरण.भारत', 'a+b@mail.example.co.in'];
  expect(addresses.filter((text) => emailHint(text) !== '')).toEqual([]);
  const others = ['asha', 'asha@', '@example.in', 'asha@example', 'a b@example.in', 'a@b@c.in'];
  for (const text of [...others, 'a@b.in c']) expect(emailHint(text)).toBe(NO_EMAIL);
  const phones = ['', ' ', ' 12345 ', '123456789012345', '+91 98765 43210', '(080) 2345-6789'];
  expect([...phones, '९८७६५४३२१०'].filter((text) => phoneHint(text) !== '')).toEqual([]);
  for (const text of ['call me', '1234', '1234567890123456', '98765 x 43210'])
    expect(phoneHint(text)).toBe(NO_PHONE);
});

test('card hints: for an empty name or phone the hint says what visitors will see', () => {
  expectResults(nameHint, { ' ': 'Without a name, visitors will see “Unknown”.', Asha: '' });
  expectResults(cardPhoneHint, {
    '': NOT_READY,
    ' ': NOT_READY,
    '9876543210': '',
    '98765-43210 ext 4': '',
    '98765-43210, ext 4': '',
    '98765-43210,, ext 4': NO_LINK,
    '080 2345 6789 (x12)': '',
    '1234': NO_PHONE,
    'call me': NO_LINK,
    '98765 43210 lift 4': NO_LINK,
  });
});
