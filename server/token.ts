import { hash, randomBytes, randomInt } from 'node:crypto';

import { ID_ALPHABET, ID_LENGTH } from '#domain/identifier.ts';

const TOKEN_BYTES = 32;
/** Matches the tokens of `newToken`. Text of any other form can be rejected without a query. */
export const TOKEN_FORM = /^[\w-]{43}$/;

export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

export function newCode(length: number): string {
  return String(randomInt(10 ** length)).padStart(length, '0');
}

export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

export function newUserId(): string {
  return Array.from({ length: ID_LENGTH }, () => ID_ALPHABET[randomInt(ID_ALPHABET.length)]).join(
    '',
  );
}
