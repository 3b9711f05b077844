import { expect, test } from 'vitest';

import { tokenInvalidError } from '#server/error.ts';
import { words } from '#tests/support/words.ts';

import { isToken } from './provider-tokens.ts';
import { verifiedPhone } from './verification.ts';

// The last character of a section of a JWT has bits that parsers ignore.
const OTHER_SPELLINGS = words('eyJhIjoxfQ.e30.aGl eyJhIjoxfR.e30.aGk eyJhIjoxfQ.e31.aGk');
// These are not JWTs, so no section is decoded.
const NO_JWTS = words('x.eyJhIjoxfQ.e30.aGl eyJhIjoxfQ.e30.aGl.x');

test('token: has the characters of RFC 6750, and a JWT its canonical form', () => {
  const wrong = ['', ' abcdefgh', 'abcdefgh\n', 'abcdefgh=x', '{"token":1}', ...OTHER_SPELLINGS];
  const right = words(
    'x aA09-._~+/ abcdefgh== a.b.c a..c eyJhIjoxfQ.e30. eyJhIjoxfQ.e30.aGk eyK.e30.aGl',
  );
  expect([...wrong, ...right, ...NO_JWTS].filter(isToken)).toEqual([...right, ...NO_JWTS]);
});

test('verified phone: has the code of a country and no plus', () => {
  const phones = ['919876543210', '14155552671'];
  expect(phones.map(verifiedPhone)).toEqual(['+919876543210', '+14155552671']);
  const wrong = words(`9876543210 0919876543210 +919876543210 x919876543210 919876543210x 1415555267
    91987654321012345 91 9991234567`);
  for (const digits of [...wrong, '919876543210 ', ' 919876543210', 919_876_543_210, undefined])
    expect(() => verifiedPhone(digits), `${digits}`).toThrow(tokenInvalidError());
});
