import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { ID_ALPHABET, ID_LENGTH, contactIdSchema, userIdSchema } from './identifier.ts';

const isId = (text: unknown) => userIdSchema.safeParse(text).success;

test('user id: has 16 characters of the alphabet', () => {
  const character = fc.constantFrom(...ID_ALPHABET.split(''));
  const all = fc.array(character, { minLength: ID_LENGTH, maxLength: ID_LENGTH });
  fc.assert(fc.property(all, (characters) => isId(characters.join(''))));
});

test('user id: rejects other lengths, characters and types', () => {
  const valid = '1'.repeat(ID_LENGTH);
  const others = ['', valid.slice(1), `${valid}1`, `${valid}\n`, null, 5, [valid]];
  const lookAlikes = Array.from('0OIl/१ %\0', (one) => one + valid.slice(1));
  expect([...others, ...lookAlikes].filter(isId)).toEqual([]);
});

test('user id: is rejected with a sentence', () => {
  const issues = [5, 'x'].map((value) => userIdSchema.safeParse(value).error?.issues[0]);
  expect(issues.map((issue) => issue?.message)).toEqual(['must be an id', 'is not an id']);
});

test('contact id: has 1 to 40 letters and digits', () => {
  const results = ['a', 'Z9'.repeat(20), '', 'a'.repeat(41), '-a', 'a-'].map((id) =>
    contactIdSchema.safeParse(id),
  );
  expect(results.map(({ success }) => success)).toEqual([true, true, false, false, false, false]);
  expect(results[2]?.error?.issues[0]?.message).toBe('is not a contact id');
});
