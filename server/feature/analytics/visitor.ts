import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import type { FastifyRequest } from 'fastify';

import type { Database } from '#server/adapter/database/database.ts';
import { userAgentOf } from '#server/http/person.ts';

import { readOrCreateSalt } from './store.ts';
import type { Visitor } from './store.ts';

const SALT_BYTES = 32;
const HASH_LENGTH = 22;
function hashTexts(key: KeyObject, texts: readonly string[]): string {
  const digest = createHmac('sha256', key).update(JSON.stringify(texts)).digest('base64url');
  return digest.slice(0, HASH_LENGTH);
}

export type VisitorHasher = ReturnType<typeof createVisitorHasher>;

/**
 * Hashes a visitor's network, user agent and card, none of which is stored. The key contains a salt that
 * is deleted after the day.
 */
export function createVisitorHasher(database: Database, secret: string) {
  let key: { readonly day: number; readonly value: Promise<KeyObject> } | null = null;

  async function readKey(day: number): Promise<KeyObject> {
    const newSalt = randomBytes(SALT_BYTES).toString('base64url');
    const salt = await readOrCreateSalt(database, day, newSalt);
    return createSecretKey(`${secret}:${salt}`, 'utf8');
  }

  function keyOf(day: number): Promise<KeyObject> {
    if (key?.day === day) return key.value;
    const newKey = { day, value: readKey(day) };
    key = newKey;
    newKey.value.catch(() => {
      if (key === newKey) key = null;
    });
    return newKey.value;
  }

  return {
    async hash(request: FastifyRequest, card: Pick<Visitor, 'userId' | 'day'>): Promise<Visitor> {
      const salted = await keyOf(card.day);
      const network = request.client.prefix64;
      const visitor = [card.userId, network, userAgentOf(request.headers)];
      return { ...card, source: hashTexts(salted, [network]), hash: hashTexts(salted, visitor) };
    },
    dropSaltBefore(today: number): void {
      if (key && key.day < today) key = null;
    },
  };
}
