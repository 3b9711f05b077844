import { DAY_MS, SECOND_MS } from '#domain/duration.ts';
import { createLocalDay } from '#domain/local-time.ts';
import { UNIQUE_KIND } from '#domain/visit.ts';
import type { Dependencies } from '#server/context.ts';
import { UnknownResultError } from '#server/adapter/database/database.ts';
import { MemoryRateLimit } from '#server/http/limit/rate-limit.ts';

import { addCounts, deleteVisitors, insertVisitors } from './store.ts';
import type { VisitCount, Visitor } from './store.ts';
import type { VisitorHasher } from './visitor.ts';

/** A crash loses the counts of this time (docs/product.md#analytics-view). */
const FLUSH_EVERY_MS = 5 * SECOND_MS;
/** While the database is unavailable. */
const PENDING_MAX = 20_000;
// New visitors of a day (docs/security.md#visits). An address can be one of a whole hall or carrier.
const NEW_VISITORS_OF_ADDRESS_MAX = 5000;
const NEW_VISITORS_OF_CARD_MAX = 20_000;
/** Rows per statement, so that no other write waits long. */
const BATCH_SIZE = 500;

interface Options extends Pick<Dependencies, 'database' | 'clock' | 'log'> {
  readonly hasher: VisitorHasher;
  readonly timeZone: string;
}

/** In memory, added to the database every 5 s. */
export class VisitCounter {
  readonly #options: Options;
  readonly #dayOf: (time: number) => number;
  readonly #counts = new Map<string, VisitCount>();
  readonly #visitors = new Map<string, Visitor>();
  readonly #newOfAddresses: MemoryRateLimit;
  readonly #newOfCards: MemoryRateLimit;
  readonly #timer: NodeJS.Timeout;
  #flushed: Promise<void> = Promise.resolve();
  /** All earlier visitors are deleted. */
  #cleanDay = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#dayOf = createLocalDay(options.timeZone);
    const { clock } = options;
    const createLimit = (max: number) => new MemoryRateLimit({ clock, max, windowMs: DAY_MS });
    this.#newOfAddresses = createLimit(NEW_VISITORS_OF_ADDRESS_MAX);
    this.#newOfCards = createLimit(NEW_VISITORS_OF_CARD_MAX);
    this.#timer = setInterval(() => void this.flush(), FLUSH_EVERY_MS).unref();
  }

  /** A visitor is new once a day, unless the address or the card has too many new ones. */
  add(visit: Omit<VisitCount, 'count'>, visitor: Visitor | null): void {
    this.#addCount({ ...visit, count: 1 });
    if (!visitor || this.#visitors.size >= PENDING_MAX) return;
    if (this.#newOfAddresses.isReached(visitor.source)) return;
    if (!this.#newOfCards.isReached(cardKey(visitor))) this.#visitors.set(visitor.hash, visitor);
  }

  /** Never rejects: after a failure the next call writes what is pending. */
  flush(): Promise<void> {
    this.#flushed = this.#flushed
      .then(() => this.#write())
      .catch((error: unknown) =>
        this.#options.log.warn({ err: error }, 'visits are not written yet'),
      );
    return this.#flushed;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  #addCount(added: VisitCount): void {
    const key = `${added.userId}:${added.day}:${added.kind}`;
    const pending = this.#counts.get(key);
    if (!pending && this.#counts.size >= PENDING_MAX) return;
    this.#counts.set(key, { ...added, count: added.count + (pending?.count ?? 0) });
  }

  async #write(): Promise<void> {
    const { database, clock, hasher, timeZone } = this.#options;
    const today = this.#dayOf(clock.now());
    for (const visitors of takeBatches(this.#visitors)) {
      // A visit from before midnight stores its hash, and perhaps its salt, after their deletion.
      if (visitors.some(({ day }) => day < today)) this.#cleanDay = 0;
      try {
        const added = await insertVisitors(database, visitors);
        for (const visitor of added) {
          this.#newOfAddresses.count(visitor.source);
          this.#newOfCards.count(cardKey(visitor));
          const { userId, day } = visitor;
          this.#addCount({ userId, day, kind: UNIQUE_KIND, count: 1 });
        }
      } catch (error) {
        if (canRepeat(error))
          for (const visitor of visitors) this.#visitors.set(visitor.hash, visitor);
        throw error;
      }
    }
    for (const counts of takeBatches(this.#counts)) {
      try {
        await addCounts(database, counts, timeZone);
      } catch (error) {
        if (canRepeat(error)) for (const count of counts) this.#addCount(count);
        throw error;
      }
    }
    if (this.#cleanDay === today) return;
    hasher.dropSaltBefore(today);
    await deleteVisitors(database, today);
    this.#cleanDay = today;
  }
}

const cardKey = ({ userId, day }: Visitor) => `${userId}:${day}`;

/** Otherwise a repeated write could count visits twice. */
const canRepeat = (error: unknown) => !(error instanceof UnknownResultError);

function* takeBatches<Value>(map: Map<string, Value>): Generator<Value[]> {
  for (let left = map.size; left > 0; left -= BATCH_SIZE) {
    const batch = [...map].slice(0, Math.min(left, BATCH_SIZE));
    for (const [key] of batch) map.delete(key);
    yield batch.map(([, value]) => value);
  }
}
