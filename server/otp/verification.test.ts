import { expect, test } from 'vitest';

import { NoResponseError } from '#server/client/http-client.ts';
import { outcomeOf, REJECTED, sentencesOf, UNAVAILABLE } from '#tests/support/third-party.ts';

import { pageOrigins } from './provider.ts';
import {
  isOpaqueToken,
  isSignedToken,
  isToken,
  requestProvider,
  verifiedPhone,
} from './verification.ts';

const JWT = 'eyJhIjoxfQ.e30.aGk';

test.each([
  ['aA09-._~+/', [true, false, true]],
  ['abcdefg', [true, false, false]],
  ['abcdefgh', [true, false, true]],
  ['abcdefgh==', [true, false, true]],
  ['abcdefgh=x', [false, false, false]],
  ['abcdefgh\n', [false, false, false]],
  [' abcdefgh', [false, false, false]],
  ['', [false, false, false]],
  ['a.b.c', [true, true, false]],
  ['a.b.c.d', [true, false, false]],
  ['a..c', [true, false, false]],
  ['.b.c', [true, false, false]],
  ['a.b.', [true, false, false]],
  [JWT, [true, true, true]],
  ['eyJhIjoxfQ.e30.', [true, false, true]],
  // The last character of a section has bits that parsers ignore.
  ['eyJhIjoxfQ.e30.aGl', [false, false, false]],
  ['eyJhIjoxfR.e30.aGk', [false, false, false]],
  ['eyJhIjoxfQ.e31.aGk', [false, false, false]],
  // These are not JWTs, so no section is decoded.
  ['x.eyJhIjoxfQ.e30.aGl', [true, false, true]],
  ['eyJhIjoxfQ.e30.aGl.x', [true, false, true]],
  ['eyK.e30.aGl', [true, true, true]],
])('token %j: is a token, a signed one, an opaque one: %j', (text, expected) => {
  expect([isToken(text), isSignedToken(text), isOpaqueToken(text)]).toEqual(expected);
});

test.each([
  ['919876543210', '+919876543210'],
  ['14155552671', '+14155552671'],
  ['9876543210', null],
  ['0919876543210', null],
  ['+919876543210', null],
  ['919876543210 ', null],
  [' 919876543210', null],
  ['x919876543210', null],
  ['919876543210x', null],
  ['1415555267', null],
  ['91987654321012345', null],
  ['91', null],
  // No country has this code.
  ['9991234567', null],
  [919_876_543_210, null],
  [undefined, null],
])('verified phone: %j is %j', async (digits, phone) => {
  const outcome = await outcomeOf(Promise.resolve().then(() => verifiedPhone(digits)));
  expect(outcome).toEqual(phone ?? REJECTED);
});

const requestWith = (reason: Error) => requestProvider(() => Promise.reject(reason), { url: '' });

test('provider request: without a response it is 503, and another error is thrown unchanged', async () => {
  const noResponse = new NoResponseError('timed out');
  expect(await outcomeOf(requestWith(noResponse))).toEqual(UNAVAILABLE);
  expect(await sentencesOf(requestWith(noResponse))).toEqual({
    message: 'Signing in is not possible right now. Try again.',
    cause: 'timed out',
  });
  await expect(requestWith(new TypeError('a mistake'))).rejects.toThrow(new TypeError('a mistake'));
});

test("login page: has each origin once: the script's, the vendor's, the operator's", () => {
  const [a, b, c] = ['https://a.example', 'https://b.example', 'https://c.example'] as const;
  const settings = { appId: '', serviceUrl: '', keys: {}, origins: [c] };
  const originsOf = (scriptUrl: string) => pageOrigins({ ...settings, scriptUrl }, [b, a]);
  expect(originsOf('https://a.example/script.js')).toEqual([a, b, c]);
  expect(originsOf('/script.js')).toEqual([b, a, c]);
});
