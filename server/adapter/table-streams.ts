import type { Readable } from 'node:stream';

import { sql } from '#server/adapter/database/sql.ts';
import { TABLE_CHANNEL } from '#server/adapter/invalidation.ts';

import { COMMENT, EventStreams } from './event-streams.ts';
import type { EventStream, StreamDependencies } from './event-streams.ts';

const STREAMS_MAX = 3000;
const CHANGED = 'event: changed\ndata: {}\n\n';

interface TableStream extends EventStream {
  readonly table: string;
  /** The ids of the people at the last event or check of this stream. */
  people: string;
}

/** Tells the people at a table that it has changed (docs/develop/product.md#table). */
export class TableStreams {
  readonly #database: StreamDependencies['database'];
  readonly #streams: EventStreams<TableStream>;

  constructor(dependencies: StreamDependencies) {
    this.#database = dependencies.database;
    this.#streams = new EventStreams(dependencies, {
      channel: TABLE_CHANNEL,
      deliver: (table) => this.#deliver(table, true),
      keepOpen: ({ stream }) => stream.write(COMMENT),
      streamsMax: STREAMS_MAX,
    });
  }

  open(table: string, person: string): Readable {
    return this.#streams.open((stream) => ({ reader: person, table, people: '', stream }));
  }

  announce(table: string): void {
    this.#streams.publish(table);
  }

  /** Announces what nobody has announced yet, such as a removed account or a change while the node was not listening. */
  async tellMissed(): Promise<void> {
    const tables = new Set(this.#streams.filter(() => true).map(({ table }) => table));
    for (const table of tables) await this.#deliver(table, false);
  }

  close(): void {
    this.#streams.close();
  }

  /** Ends the streams of those who are no longer at the table. */
  async #deliver(table: string, isAnnounced: boolean): Promise<void> {
    const streams = this.#streams.filter((one) => one.table === table);
    if (streams.length === 0) return;
    const rows = await this.#database.all<{ id: string }>(sql`
      SELECT table_people.id FROM table_people LEFT JOIN users ON users.id = user_id
      WHERE table_id = ${table} AND gone IS NULL AND blocked_at IS NULL ORDER BY table_people.id`);
    const ids = rows.map(({ id }) => id);
    const people = ids.join();
    for (const one of streams) {
      if (one.stream.writable && (isAnnounced || one.people !== people)) one.stream.write(CHANGED);
      one.people = people;
      if (!ids.includes(one.reader)) one.stream.end();
    }
  }
}
