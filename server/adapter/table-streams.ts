import { PassThrough } from 'node:stream';
import type { Readable } from 'node:stream';

import type { Logger } from 'pino';

import { MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { TABLE_CHANNEL } from '#server/adapter/invalidation.ts';
import type { InvalidationListener } from '#server/adapter/invalidation.ts';
import { ApiError } from '#server/error.ts';

const COMMENT = ':\n\n';
const COMMENT_INTERVAL_MS = 10 * SECOND_MS;
const LIFE_MS = 10 * MINUTE_MS;
const STREAMS_PER_PERSON_MAX = 2;
const STREAMS_MAX = 3000;
const CHANGED = 'event: changed\ndata: {}\n\n';

interface TableStream {
  readonly table: string;
  readonly person: string;
  readonly stream: PassThrough;
}

interface Options {
  readonly database: Database;
  readonly log: Logger;
  /** This is undefined with the embedded database, because it has only one node. */
  readonly invalidations?: InvalidationListener | undefined;
}

/** Tells the people at a table that it has changed (docs/develop/product.md#table). Nothing is stored. */
export class TableStreams {
  readonly #options: Options;
  readonly #streams = new Set<TableStream>();

  constructor(options: Options) {
    this.#options = options;
    options.invalidations?.onTable((table) => this.#deliver(table));
  }

  open(table: string, person: string): Readable {
    const own = [...this.#streams].filter((one) => one.person === person);
    if (own.length >= STREAMS_PER_PERSON_MAX) own[0]?.stream.end();
    else if (this.#streams.size >= STREAMS_MAX)
      throw new ApiError('unavailable', 'Too many tables are open. Reload the page later.');
    const stream = new PassThrough();
    const opened = { table, person, stream };
    this.#streams.add(opened);
    const timer = setInterval(() => stream.write(COMMENT), COMMENT_INTERVAL_MS).unref();
    const end = setTimeout(() => stream.end(), LIFE_MS).unref();
    stream.once('close', () => {
      clearInterval(timer);
      clearTimeout(end);
      this.#streams.delete(opened);
    });
    stream.write(COMMENT);
    return stream;
  }

  announce(table: string): void {
    const { database, log, invalidations } = this.#options;
    const published = invalidations
      ? database.run(sql`SELECT pg_notify(${TABLE_CHANNEL}, ${table})`)
      : this.#deliver(table);
    published.catch((error: unknown) => log.warn({ err: error }, 'a table was not told'));
  }

  close(): void {
    for (const { stream } of this.#streams) stream.end();
  }

  /** Ends the streams of those who are no longer at the table. */
  async #deliver(table: string): Promise<void> {
    const streams = [...this.#streams].filter((one) => one.table === table);
    if (streams.length === 0) return;
    const present = await this.#options.database.all<{ id: string }>(sql`
      SELECT id FROM table_people WHERE table_id = ${table} AND gone IS NULL`);
    const ids = new Set(present.map(({ id }) => id));
    for (const { person, stream } of streams) {
      if (stream.writable) stream.write(CHANGED);
      if (!ids.has(person)) stream.end();
    }
  }
}
