import { expect, test } from 'vitest';

import {
  EMAIL_HINT,
  NO_NAME_HINT,
  NO_NUMBER_HINT,
  NO_PHONE_HINT,
  PHONE_HINT,
  cardPhoneHint,
  emailHint,
  nameHint,
  phoneHint,
} from './hint.ts';

test('hints: are those of docs/product.md#validation', () => {
  expect([EMAIL_HINT, PHONE_HINT, NO_NAME_HINT, NO_PHONE_HINT, NO_NUMBER_HINT]).toEqual([
    'This does not look like an email address.',
    'This does not look like a phone number.',
    'Without a name, visitors will see “Unknown”.',
    'This card is not ready yet. It has no phone number yet.',
    'Without a number, visitors will see it as text, not as a link.',
  ]);
});

/** Keeps the texts that get a hint. */
const hinted = (texts: string[], hint: (text: string) => string, expected: string) =>
  texts.filter((text) => hint(text) === expected);

test('email hint: is for what is no address', () => {
  const none = ['', ' ', 'asha@example.in', 'आशा@उदाहरण.भारत', 'a+b@mail.example.co.in'];
  const some = ['asha', 'asha@', '@example.in', 'asha@example', 'a b@example.in', 'a@b@c.in'];
  some.push('a@b.in c');
  expect(hinted([...none, ...some], emailHint, '')).toEqual(none);
  expect(hinted([...none, ...some], emailHint, EMAIL_HINT)).toEqual(some);
});

test('phone hint: is for what has not 5 to 15 digits alone', () => {
  const none = ['', ' ', ' 12345 ', '123456789012345', '+91 98765 43210', '(080) 2345-6789'];
  none.push('९८७६५४३२१०');
  const some = ['call me', '1234', '1234567890123456', '98765 x 43210'];
  expect(hinted([...none, ...some], phoneHint, '')).toEqual(none);
  expect(hinted([...none, ...some], phoneHint, PHONE_HINT)).toEqual(some);
});

test('card hints: for an empty name or phone the hint says what visitors will see', () => {
  expect([nameHint(' '), nameHint('Asha')]).toEqual([NO_NAME_HINT, '']);
  const hints = {
    '': NO_PHONE_HINT,
    ' ': NO_PHONE_HINT,
    '9876543210': '',
    '98765-43210 ext 4': '',
    '98765-43210, ext 4': '',
    '98765-43210,, ext 4': NO_NUMBER_HINT,
    '080 2345 6789 (x12)': '',
    '1234': PHONE_HINT,
    'call me': NO_NUMBER_HINT,
    '98765 43210 lift 4': NO_NUMBER_HINT,
  };
  const found = Object.keys(hints).map((typed) => [typed, cardPhoneHint(typed)]);
  expect(Object.fromEntries(found)).toEqual(hints);
});
