import { createHmac, randomBytes } from 'node:crypto';

import type { FastifyRequest } from 'fastify';
import { isbot } from 'isbot';

import type { Database } from '#server/db/database.ts';
import { rateLimitKey } from '#server/http/address.ts';

import { readSalt } from './store.ts';
import type { Visitor } from './store.ts';

const SALT_BYTES = 32;
/** 132 bits: no two visitors of a day share a hash. */
const HASH_LENGTH = 22;
/** Longer than the user agent of any browser. */
const AGENT_LENGTH_MAX = 512;

/** Whether a request is from a person: not from a robot, and not a browser's preparation of a page. */
export function isFromPerson({ headers }: FastifyRequest): boolean {
  const agent = headers['user-agent'] ?? '';
  const purpose = String(headers['sec-purpose'] ?? headers['purpose'] ?? '');
  return (
    agent !== '' && !isbot(agent.slice(0, AGENT_LENGTH_MAX)) && !/prefetch|preview/.test(purpose)
  );
}

/**
 * Makes a visitor's hash from the card, the address and the user agent, none of which is stored. Its
 * key is the service's secret with a salt that is deleted after the day.
 */
export class VisitorHasher {
  readonly #database: Database;
  readonly #secret: string;
  #salt: { readonly day: number; readonly value: Promise<string> } | null = null;

  constructor(database: Database, secret: string) {
    this.#database = database;
    this.#secret = secret;
  }

  /** Throws ApiError 'unavailable' if the day's salt cannot be read. */
  async hash(request: FastifyRequest, card: Pick<Visitor, 'userId' | 'day'>): Promise<Visitor> {
    const key = `${this.#secret}:${await this.#saltOf(card.day)}`;
    const agent = (request.headers['user-agent'] ?? '').slice(0, AGENT_LENGTH_MAX);
    const text = JSON.stringify([card.userId, rateLimitKey(request.ip), agent]);
    const digest = createHmac('sha256', key).update(text).digest('base64url');
    return { ...card, hash: digest.slice(0, HASH_LENGTH) };
  }

  #saltOf(day: number): Promise<string> {
    if (this.#salt?.day === day) return this.#salt.value;
    const value = readSalt(this.#database, day, randomBytes(SALT_BYTES).toString('base64url'));
    this.#salt = { day, value };
    value.catch(() => (this.#salt = null));
    return value;
  }
}
