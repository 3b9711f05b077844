import { expect, test } from 'vitest';

import { expectResults } from '#tests/support/results.ts';

import { cardPhoneHint, emailHint, nameHint, phoneHint } from './hint.ts';
import { mailHref } from './href.ts';

test('email link: adds no header and no other recipient', () => {
  expectResults(mailHref, {
    ' asha+card@rao.example ': 'mailto:asha+card@rao.example',
    'a@b.example?bcc=c@d.example': 'mailto:a@b.example%3Fbcc%3Dc@d.example',
    'a@b.example, c@d.example': 'mailto:a@b.example%2C%20c@d.example',
  });
});

/** The messages of docs/develop/product.md#validation. */
const NO_EMAIL = "This doesn't look like an email.";
const NO_PHONE = "This doesn't look like a phone number.";
const NO_LINK = "There's no number in this, so visitors will see it as text, not as a link.";
const NOT_READY = "Visitors can't see your card yet. Add a phone number.";

test('hints: are for what is no address, and for what has not 5 to 15 digits alone', () => {
  const addresses = ['', ' ', 'asha@example.in', 'आशा@उदाहरण.भारत', 'a+b@mail.example.co.in'];
  expect(addresses.filter((text) => emailHint(text) !== '')).toEqual([]);
  const others = ['asha', 'asha@', '@example.in', 'asha@example', 'a b@example.in', 'a@b@c.in'];
  others.push('a@b.in,', '<a@b.in>', 'mailto:a@b.in', '"a@b.in"', 'a@b.in;', '(a@b.in)');
  for (const text of [...others, 'a@b.in c']) expect(emailHint(text)).toBe(NO_EMAIL);
  const phones = ['', ' ', ' 12345 ', '123456789012345', '+91 98765 43210', '(080) 2345-6789'];
  expect([...phones, '९८७६५४३२१०', '98765–43210'].filter((text) => phoneHint(text) !== '')).toEqual(
    [],
  );
  for (const text of ['call me', '1234', '1234567890123456', '98765 x 43210'])
    expect(phoneHint(text)).toBe(NO_PHONE);
});

test('card hints: for an empty name or phone the hint says what visitors will see', () => {
  expectResults(nameHint, {
    ' \u3164': 'Without a name, visitors will see “Unknown”.',
    Asha: '',
  });
  expectResults(cardPhoneHint, {
    '': NOT_READY,
    ' ': NOT_READY,
    '9876543210': '',
    '98765-43210 ext 4': '',
    '98765-43210, ext 4': '',
    '98450 12350 / 98450 12351': '',
    '98765-43210,, ext 4': NO_LINK,
    '080 2345 6789 (x12)': '',
    '1234': NO_PHONE,
    'call me': NO_LINK,
    '98765 43210 lift 4': NO_LINK,
  });
});
