import * as z from 'zod/mini';

/** Base58: without 0, O, I and l, which are easily confused. */
export const ID_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** 93 random bits: impossible to guess, and short enough for a small QR code. */
export const ID_LENGTH = 16;

const USER_ID = /^[1-9A-HJ-NP-Za-km-z]{16}$/;

export const userIdSchema = z.string('must be an id').check(z.regex(USER_ID, 'is not an id'));

export function isUserId(text: string): boolean {
  return USER_ID.test(text);
}

export const contactIdSchema = z
  .string()
  .check(z.regex(/^[0-9A-Za-z]{1,40}$/, 'is not a contact id'));
