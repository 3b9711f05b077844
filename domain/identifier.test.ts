import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { rejection } from '#tests/support/results.ts';

import { ID_ALPHABET, ID_LENGTH, contactIdSchema, userIdSchema } from './identifier.ts';

test('user id: has 16 characters of the alphabet', () => {
  const character = fc.constantFrom(...ID_ALPHABET.split(''));
  const all = fc.array(character, { minLength: ID_LENGTH, maxLength: ID_LENGTH });
  fc.assert(fc.property(all, (characters) => rejection(userIdSchema, characters.join('')) === ''));
  const valid = '1'.repeat(ID_LENGTH);
  const lookAlikes = Array.from('0OIl/१ %\0', (one) => one + valid.slice(1));
  for (const id of ['', valid.slice(1), `${valid}1`, `${valid}\n`, ...lookAlikes])
    expect(rejection(userIdSchema, id)).toBe('is not an id');
  for (const id of [null, 5, [valid]]) expect(rejection(userIdSchema, id)).toBe('must be an id');
});

test('contact id: has 1 to 40 letters and digits', () => {
  const rejections = ['a', 'Z9'.repeat(20), '', 'a'.repeat(41), '-a', 'a-'].map((id) =>
    rejection(contactIdSchema, id),
  );
  expect(rejections).toEqual(['', '', ...Array<string>(4).fill('is not a contact id')]);
});
