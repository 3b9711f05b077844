import * as z from 'zod/mini';

/** Base58: no 0, O, I or l, so that an id survives being read aloud or copied by hand. */
export const ID_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** 16 of 58 characters are 93 random bits: short enough for a small QR code, too many to guess. */
export const ID_LENGTH = 16;

/** A user's id. */
export const userIdSchema = z
  .string('must be an id')
  .check(z.regex(/^[1-9A-HJ-NP-Za-km-z]{16}$/, 'is not an id'));
