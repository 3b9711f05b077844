import { randomInt } from 'node:crypto';

import { ID_ALPHABET, ID_LENGTH } from '#domain/identifier.ts';

/** Returns a new user id: 16 base58 characters, 93 bits. */
export function newUserId(): string {
  return Array.from({ length: ID_LENGTH }, () => ID_ALPHABET[randomInt(ID_ALPHABET.length)]).join(
    '',
  );
}
