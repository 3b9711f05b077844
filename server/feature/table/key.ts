import { createHmac, randomBytes, randomInt } from 'node:crypto';

import type { FastifyRequest } from 'fastify';

import { BROWSER_STORAGE } from '#domain/browser-storage.ts';
import { CONTACT_ID_RADIX, contactTimeDigits } from '#domain/contact.ts';
import { SCAN_TOKEN_ALPHABET } from '#domain/share.ts';
import { readCookies } from '#server/http/headers.ts';

const KEY_BYTES = 16;
const KEY = /^[\w-]{22}$/;

const TABLE_ID_LENGTH = 10;
/** The id of a contact is a time, followed by the ends of two people's ids. */
const PERSON_ID_DIGITS = 6;

const randomLetter = () => SCAN_TOKEN_ALPHABET[randomInt(SCAN_TOKEN_ALPHABET.length)];

export const newTableId = (): string =>
  Array.from({ length: TABLE_ID_LENGTH }, randomLetter).join('');

/** A person's id begins with the time of joining, as a contact's id begins with the time of its arrival. */
export function newPersonId(now: number): string {
  const end = randomInt(CONTACT_ID_RADIX ** PERSON_ID_DIGITS).toString(CONTACT_ID_RADIX);
  return contactTimeDigits(now) + end.padStart(PERSON_ID_DIGITS, '0');
}

export const newKey = (): string => randomBytes(KEY_BYTES).toString('base64url');

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest();

/** An owner has the same key in every browser. */
export const ownerKey = (secret: string, table: string, userId: string): string =>
  hmac(secret, `table key\n${table}\n${userId}`).subarray(0, KEY_BYTES).toString('base64url');

/** The receipt's token is computed from the key on each visit, so the token is not stored. */
export const receiptToken = (secret: string, key: string): string =>
  hmac(secret, `table receipt\n${key}`).toString('base64url');

export function readKey(table: string, { headers }: FastifyRequest): string | null {
  const [key = ''] = readCookies(headers.cookie, BROWSER_STORAGE.cookies.table + table);
  return KEY.test(key) ? key : null;
}
