import { createHmac, randomBytes, randomInt } from 'node:crypto';

import type { FastifyRequest } from 'fastify';

import { BROWSER_STORAGE } from '#domain/browser-storage.ts';
import { TABLE_ID_ALPHABET, TABLE_ID_LENGTH } from '#domain/table.ts';
import { readCookies } from '#server/http/headers.ts';

const KEY_BYTES = 16;
const KEY = /^[\w-]{22}$/;

const randomLetter = () => TABLE_ID_ALPHABET[randomInt(TABLE_ID_ALPHABET.length)];

/** Returns the id of a table or of a person at it. */
export function newTableId(): string {
  return Array.from({ length: TABLE_ID_LENGTH }, randomLetter).join('');
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
