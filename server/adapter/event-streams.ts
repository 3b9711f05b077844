import { PassThrough } from 'node:stream';
import type { Readable } from 'node:stream';

import type { Logger } from 'pino';

import { MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import type { InvalidationListener, StreamChannel } from '#server/adapter/invalidation.ts';
import { ApiError } from '#server/error.ts';

export const COMMENT = ':\n\n';
const COMMENT_INTERVAL_MS = 10 * SECOND_MS;
const LIFE_MS = 10 * MINUTE_MS;
const STREAMS_PER_READER_MAX = 2;

export interface StreamDependencies {
  readonly database: Database;
  readonly log: Logger;
  /** This is undefined with the embedded database, because it has only one node. */
  readonly invalidations?: InvalidationListener | undefined;
}

interface Options<Stream> {
  /** The channel on which the nodes tell each other what to write to their streams. */
  readonly channel: StreamChannel;
  readonly deliver: (payload: string) => Promise<void>;
  /** Runs every ten seconds for each stream. It must write something, or proxies cut the connection. */
  readonly keepOpen: (stream: Stream) => void;
  readonly streamsMax: number;
}

/** A stream of server-sent events, and the person who reads it. */
export interface EventStream {
  readonly reader: string;
  readonly stream: PassThrough;
}

/** Holds open streams of server-sent events. A reader's third stream ends the oldest one. Nothing is stored. */
export class EventStreams<Stream extends EventStream> {
  readonly #dependencies: StreamDependencies;
  readonly #options: Options<Stream>;
  readonly #streams = new Set<Stream>();

  constructor(dependencies: StreamDependencies, options: Options<Stream>) {
    this.#dependencies = dependencies;
    this.#options = options;
    dependencies.invalidations?.on(options.channel, options.deliver);
  }

  /** Throws ApiError 'unavailable' (503) if this node has as many streams as it may have. */
  open(toStream: (stream: PassThrough) => Stream): Readable {
    const { streamsMax, keepOpen } = this.#options;
    const stream = new PassThrough();
    const opened = toStream(stream);
    const own = this.filter(({ reader }) => reader === opened.reader);
    if (own.length >= STREAMS_PER_READER_MAX) own.at(-STREAMS_PER_READER_MAX)?.stream.end();
    else if (this.#streams.size >= streamsMax)
      throw new ApiError('unavailable', 'Too many screens are open. Try again later.');
    this.#streams.add(opened);
    const timer = setInterval(() => keepOpen(opened), COMMENT_INTERVAL_MS).unref();
    const end = setTimeout(() => stream.end(), LIFE_MS).unref();
    stream.once('close', () => {
      clearInterval(timer);
      clearTimeout(end);
      this.#streams.delete(opened);
    });
    stream.write(COMMENT);
    return stream;
  }

  filter(isWanted: (stream: Stream) => boolean): Stream[] {
    return [...this.#streams].filter(isWanted);
  }

  /** Delivers a payload on every node. A failure is logged, because the change itself is stored. */
  publish(payload: string): void {
    const { database, log, invalidations } = this.#dependencies;
    const { channel, deliver } = this.#options;
    const published = invalidations
      ? database.run(sql`SELECT pg_notify(${channel}, ${payload})`)
      : deliver(payload);
    published.catch((error: unknown) =>
      log.warn({ err: error }, 'an open stream could not be told of a change'),
    );
  }

  close(): void {
    for (const { stream } of this.#streams) stream.end();
  }
}
