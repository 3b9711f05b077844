import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import type { FastifyRequest } from 'fastify';

import type { Database } from '#server/adapter/database/database.ts';
import { rateLimitKey } from '#server/http/limit/address.ts';
import { agentOf } from '#server/http/person.ts';

import { readOrCreateSalt } from './store.ts';
import type { Visitor } from './store.ts';

const SALT_BYTES = 32;
const HASH_LENGTH = 22;
function hashTexts(key: KeyObject, texts: readonly string[]): string {
  const digest = createHmac('sha256', key).update(JSON.stringify(texts)).digest('base64url');
  return digest.slice(0, HASH_LENGTH);
}

/** Stores none of its inputs. The key contains a salt that is deleted after the day. */
export class VisitorHasher {
  readonly #database: Database;
  readonly #secret: string;
  #key: { readonly day: number; readonly value: Promise<KeyObject> } | null = null;

  constructor(database: Database, secret: string) {
    this.#database = database;
    this.#secret = secret;
  }

  async hash(request: FastifyRequest, card: Pick<Visitor, 'userId' | 'day'>): Promise<Visitor> {
    const key = await this.#keyOf(card.day);
    const address = rateLimitKey(request.ip);
    const source = hashTexts(key, [address]);
    return {
      ...card,
      source,
      hash: hashTexts(key, [card.userId, address, agentOf(request.headers)]),
    };
  }

  dropSaltBefore(today: number): void {
    if (this.#key && this.#key.day < today) this.#key = null;
  }

  #keyOf(day: number): Promise<KeyObject> {
    if (this.#key?.day === day) return this.#key.value;
    const value = this.#readKey(day);
    const key = { day, value };
    this.#key = key;
    value.catch(() => {
      if (this.#key === key) this.#key = null;
    });
    return value;
  }

  async #readKey(day: number): Promise<KeyObject> {
    const newSalt = randomBytes(SALT_BYTES).toString('base64url');
    const salt = await readOrCreateSalt(this.#database, day, newSalt);
    return createSecretKey(`${this.#secret}:${salt}`, 'utf8');
  }
}
