import * as z from 'zod/mini';

/** Base58 lacks 0, O, I and l, which are easily confused. */
export const ID_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** 16 characters have 93 random bits. Nobody can guess an id, and its QR code stays small. */
export const ID_LENGTH = 16;

const USER_ID = /^[1-9A-HJ-NP-Za-km-z]{16}$/;

export const userIdSchema = z.string('must be an id').check(z.regex(USER_ID, 'is not an id'));

export function isUserId(text: string): boolean {
  return USER_ID.test(text);
}

export const contactIdSchema = z
  .string()
  .check(z.regex(/^[0-9A-Za-z]{1,40}$/, 'is not a contact id'));
