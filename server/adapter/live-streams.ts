import type { PassThrough, Readable } from 'node:stream';

import { LRUCache } from 'lru-cache';

import type { LiveEvent } from '#contract/live.ts';
import { SECOND_MS } from '#domain/duration.ts';
import type { Clock } from '#server/clock.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { LIVE_CHANNEL, SESSION_CHANNEL } from '#server/adapter/invalidation.ts';
import type { Caller } from '#server/http/route.ts';

import { COMMENT, EventStreams } from './event-streams.ts';
import type { EventStream, StreamDependencies } from './event-streams.ts';

/**
 * A proxy needs two connections for a stream. Debian's nginx has 768 for everything, and deploy/nginx.conf bounds
 * the streams of all nodes together.
 */
const STREAMS_MAX = 150;
const OPENED_INTERVAL_MS = SECOND_MS;
const OPENED_MAX = 20;
const OPENED_TOKENS_MAX = 10_000;

type Message = { readonly userId: string } & (
  | { readonly token: string }
  | { readonly contactId: string }
);

/** The reader is the owner. */
interface LiveStream extends EventStream {
  readonly token: string;
  readonly sessionHash: string;
  openedCount: number;
}

interface Options extends StreamDependencies {
  readonly clock: Clock;
}

/** Tells owners who show their QR code what their visitors do (docs/develop/product.md#handshake). */
export class LiveStreams {
  readonly #options: Options;
  readonly #streams: EventStreams<LiveStream>;
  readonly #openedAt = new LRUCache<string, number>({ max: OPENED_TOKENS_MAX });

  constructor(options: Options) {
    this.#options = options;
    this.#streams = new EventStreams(options, {
      channel: LIVE_CHANNEL,
      deliver: async (payload) => this.#deliver(JSON.parse(payload) as Message),
      keepOpen: (liveStream) => void this.#keepOpen(liveStream),
      streamsMax: STREAMS_MAX,
    });
    options.invalidations?.on(
      SESSION_CHANNEL,
      async (userId) => void (await this.#keepValid(userId)),
    );
  }

  open({ userId, tokenHash: sessionHash }: Caller, token: string): Readable {
    return this.#streams.open((stream) => ({
      reader: userId,
      token,
      sessionHash,
      openedCount: 0,
      stream,
    }));
  }

  /**
   * Announces that a visitor has opened the card with a token, at most once a second for each token. Anybody
   * can make up a token, but only a stream with the same token receives the message.
   */
  announceOpened(userId: string, token: string): void {
    const now = this.#options.clock.now();
    const key = `${userId}/${token}`;
    if (now - (this.#openedAt.get(key) ?? -Infinity) < OPENED_INTERVAL_MS) return;
    this.#openedAt.set(key, now);
    this.#publish({ userId, token });
  }

  announceConnected(userId: string, contactId: string): void {
    this.#publish({ userId, contactId });
  }

  /** Each call that ends a session must call this. It ends the session's streams on every node. */
  async endInvalid(userId: string): Promise<void> {
    const { database, log, invalidations } = this.#options;
    try {
      await this.#keepValid(userId);
      if (invalidations) await database.run(sql`SELECT pg_notify(${SESSION_CHANNEL}, ${userId})`);
    } catch (error) {
      // The next check ends these streams, and they get no messages before it.
      log.warn({ err: error }, 'the streams of an ended session were not ended');
    }
  }

  close(): void {
    this.#streams.close();
  }

  #publish(message: Message): void {
    this.#streams.publish(JSON.stringify(message));
  }

  #streamsOf(userId: string): LiveStream[] {
    return this.#streams.filter(({ reader }) => reader === userId);
  }

  async #deliver(message: Message): Promise<void> {
    const { userId } = message;
    const streams = this.#streamsOf(userId);
    if ('token' in message) {
      const matching = streams.filter(
        ({ token, openedCount }) => token === message.token && openedCount < OPENED_MAX,
      );
      if (matching.length === 0) return;
      const valid = await this.#keepValid(userId);
      for (const liveStream of matching.filter((stream) => valid.includes(stream))) {
        liveStream.openedCount += 1;
        send(liveStream.stream, { kind: 'opened' });
      }
      return;
    }
    if (streams.length === 0) return;
    const { contactId } = message;
    const details = await this.#options.database.one<Record<'name' | 'companyName', string>>(sql`
      SELECT name, company_name AS "companyName" FROM contacts
      WHERE id = ${contactId} AND user_id = ${userId} AND held = 0`);
    if (!details) return;
    for (const { stream } of await this.#keepValid(userId))
      send(stream, { kind: 'connected', contact: contactId, ...details });
  }

  /**
   * Ends the streams whose session or user is gone or whose card is blocked. Returns the other streams, which
   * may still see the card's visitors.
   */
  async #keepValid(userId: string): Promise<readonly LiveStream[]> {
    const streams = this.#streamsOf(userId);
    if (streams.length === 0) return [];
    const { database, clock } = this.#options;
    const sessions = await database.all<{ hash: string }>(sql`
      SELECT token_hash AS hash FROM sessions JOIN users ON users.id = user_id
      WHERE user_id = ${userId} AND expires_at > ${clock.now()} AND blocked_at IS NULL`);
    const hashes = new Set(sessions.map(({ hash }) => hash));
    for (const { sessionHash, stream } of streams) if (!hashes.has(sessionHash)) stream.end();
    return streams.filter(({ sessionHash }) => hashes.has(sessionHash));
  }

  async #keepOpen(liveStream: LiveStream): Promise<void> {
    try {
      const valid = await this.#keepValid(liveStream.reader);
      if (valid.includes(liveStream)) liveStream.stream.write(COMMENT);
    } catch {
      // While the database is unavailable, the stream waits for the next check.
    }
  }
}

function send(stream: PassThrough, event: LiveEvent): void {
  if (stream.writable) stream.write(`event: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`);
}
