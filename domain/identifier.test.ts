import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { ID_ALPHABET, ID_LENGTH, userIdSchema } from './identifier.ts';

const isId = (text: unknown) => userIdSchema.safeParse(text).success;

test('user id: has 16 characters of the alphabet', () => {
  const character = fc.constantFrom(...ID_ALPHABET.split(''));
  fc.assert(
    fc.property(
      fc.array(character, { minLength: ID_LENGTH, maxLength: ID_LENGTH }),
      (characters) => {
        expect(isId(characters.join(''))).toBe(true);
      },
    ),
  );
});

test('user id: rejects everything else', () => {
  const good = '1'.repeat(ID_LENGTH);
  const others = [
    '',
    good.slice(1),
    `${good}1`,
    `${good}\n`,
    `\u0000${good.slice(1)}`,
    null,
    5,
    [good],
  ];
  const lookAlikes = ['0', 'O', 'I', 'l', '/', '१', ' ', '%'].map((one) => one + good.slice(1));
  expect([...others, ...lookAlikes].filter(isId)).toEqual([]);
});
