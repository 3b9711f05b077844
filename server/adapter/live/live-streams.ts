import { PassThrough } from 'node:stream';
import type { Readable } from 'node:stream';

import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';

import type { LiveEvent } from '#contract/live.ts';
import { MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { LIVE_CHANNEL } from '#server/adapter/invalidation/listener.ts';
import type { InvalidationListener } from '#server/adapter/invalidation/listener.ts';
import { ApiError } from '#server/error.ts';
import type { Caller } from '#server/http/route.ts';

const COMMENT = ':\n\n';
const COMMENT_EVERY_MS = 10 * SECOND_MS;
const LIFE_MS = 10 * MINUTE_MS;
const STREAMS_PER_OWNER_MAX = 2;
const STREAMS_MAX = 1000;
const OPENED_EVERY_MS = SECOND_MS;
const OPENED_MAX = 20;
const OPENED_USERS_MAX = 10_000;

type Message = { readonly userId: string } & (
  | { readonly token: string }
  | { readonly contactId: string }
);

interface LiveStream {
  readonly token: string;
  readonly stream: PassThrough;
  opened: number;
}

interface Options {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Undefined with the embedded database, which has one node. */
  readonly invalidations?: InvalidationListener | undefined;
}

/** The open streams of owners who show their QR code (docs/product.md#handshake). Nothing is stored. */
export class LiveStreams {
  readonly #options: Options;
  readonly #byUser = new Map<string, LiveStream[]>();
  readonly #openedAt = new LRUCache<string, number>({ max: OPENED_USERS_MAX });
  #count = 0;

  constructor(options: Options) {
    this.#options = options;
    options.invalidations?.onLive((payload) => this.#deliver(JSON.parse(payload) as Message));
  }

  open(caller: Caller, token: string): Readable {
    const { userId } = caller;
    const streams = this.#byUser.get(userId) ?? [];
    if (streams.length >= STREAMS_PER_OWNER_MAX) streams.shift()?.stream.end();
    else if (this.#count >= STREAMS_MAX)
      throw new ApiError('unavailable', 'Too many screens are open. Try again later.');
    const stream = new PassThrough();
    const one = { token, stream, opened: 0 };
    this.#byUser.set(userId, [...streams, one]);
    this.#count += 1;
    const timer = setInterval(() => void this.#check(caller, stream), COMMENT_EVERY_MS).unref();
    const end = setTimeout(() => stream.end(), LIFE_MS).unref();
    stream.once('close', () => {
      clearInterval(timer);
      clearTimeout(end);
      this.#count -= 1;
      const left = (this.#byUser.get(userId) ?? []).filter((other) => other !== one);
      if (left.length > 0) this.#byUser.set(userId, left);
      else this.#byUser.delete(userId);
    });
    stream.write(COMMENT);
    return stream;
  }

  /** A visitor has opened the card with a token. At most one a second for a user is told. */
  opened(userId: string, token: string): void {
    const now = this.#options.clock.now();
    if (now - (this.#openedAt.get(userId) ?? -Infinity) < OPENED_EVERY_MS) return;
    this.#openedAt.set(userId, now);
    this.#publish({ userId, token });
  }

  connected(userId: string, contactId: string): void {
    this.#publish({ userId, contactId });
  }

  close(): void {
    for (const { stream } of [...this.#byUser.values()].flat()) stream.end();
  }

  #publish(message: Message): void {
    const { database, log, invalidations } = this.#options;
    const told = invalidations
      ? database.run(sql`SELECT pg_notify(${LIVE_CHANNEL}, ${JSON.stringify(message)})`)
      : this.#deliver(message);
    told.catch((error: unknown) => log.warn({ err: error }, 'an open QR code was not told'));
  }

  async #deliver(message: Message): Promise<void> {
    const { userId } = message;
    const streams = this.#byUser.get(userId) ?? [];
    if (streams.length === 0) return;
    if ('token' in message) {
      for (const one of streams) {
        if (one.token !== message.token || one.opened >= OPENED_MAX) continue;
        one.opened += 1;
        send(one.stream, { kind: 'opened' });
      }
      return;
    }
    const contact = await this.#options.database.one<Record<'name' | 'companyName', string>>(sql`
      SELECT name, company_name AS "companyName" FROM contacts
      WHERE id = ${message.contactId} AND user_id = ${userId} AND held = 0`);
    if (!contact) return;
    for (const { stream } of streams) send(stream, { kind: 'connected', ...contact });
  }

  /** Ends a stream after the session, the user or the permission to show the card has ended. */
  async #check({ userId, tokenHash }: Caller, stream: PassThrough): Promise<void> {
    const { database, clock } = this.#options;
    try {
      const session = await database.one(sql`SELECT 1 AS found FROM sessions
        JOIN users ON users.id = user_id WHERE token_hash = ${tokenHash} AND user_id = ${userId}
          AND expires_at > ${clock.now()} AND blocked_at IS NULL`);
      if (session) stream.write(COMMENT);
      else stream.end();
    } catch {
      // The database is away. The next check decides.
    }
  }
}

function send(stream: PassThrough, event: LiveEvent): void {
  if (stream.writable) stream.write(`event: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`);
}
