import * as z from 'zod/mini';

/** Base58: without 0, O, I and l, which are easily confused. */
export const ID_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** 93 random bits: short enough for a small QR code and impossible to guess. */
export const ID_LENGTH = 16;

/** A user's id. */
export const userIdSchema = z
  .string('must be an id')
  .check(z.regex(/^[1-9A-HJ-NP-Za-km-z]{16}$/, 'is not an id'));

/** A contact's id. */
export const contactIdSchema = z
  .string()
  .check(z.regex(/^[0-9A-Za-z]{1,40}$/, 'is not a contact id'));
