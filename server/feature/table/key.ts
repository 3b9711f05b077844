import { createHmac, randomBytes, randomInt } from 'node:crypto';

import type { FastifyRequest } from 'fastify';

import { BROWSER_STORAGE } from '#domain/browser-storage.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { TABLE_ID_ALPHABET, TABLE_ID_LENGTH } from '#domain/table.ts';

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

/** The key gives the token of the person's receipt again on each visit, so it is not stored. */
export const receiptToken = (secret: string, key: string): string =>
  hmac(secret, `table receipt\n${key}`).toString('base64url');

export function readKey(table: string, { headers }: FastifyRequest): string | null {
  const prefix = `${BROWSER_STORAGE.cookies.table}${table}=`;
  const pairs = headers.cookie?.split(';').map((pair) => pair.trim()) ?? [];
  const key = pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length) ?? '';
  return KEY.test(key) ? key : null;
}

interface Cookie {
  readonly table: string;
  readonly key: string;
  readonly lifeMs: number;
  readonly isSecure: boolean;
}

export function cookieHeader({ table, key, lifeMs, isSecure }: Cookie): string {
  const lifeSeconds = Math.max(0, Math.ceil(lifeMs / SECOND_MS));
  const attributes = `Path=/; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Lax`;
  return `${BROWSER_STORAGE.cookies.table}${table}=${key}; ${attributes}${isSecure ? '; Secure' : ''}`;
}
