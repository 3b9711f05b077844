import { DAY_MS, SECOND_MS } from '#domain/duration.ts';
import { createLocalDay } from '#domain/local-time.ts';
import { UNIQUE_KIND } from '#domain/visit.ts';
import type { Dependencies } from '#server/context.ts';
import { UnknownResultError } from '#server/adapter/database/database.ts';
import { MemoryRateLimit } from '#server/http/limit.ts';

import { addCounts, deleteVisitors, insertVisitors } from './store.ts';
import type { VisitCount, Visitor } from './store.ts';
import type { VisitorHasher } from './visitor.ts';

/** A crash loses at most the counts of this interval (docs/develop/product.md#analytics-view). */
const FLUSH_EVERY_MS = 5 * SECOND_MS;
/** This many counts, and as many visitors, are kept in memory while the database is unavailable. */
const PENDING_MAX = 20_000;
// The limits of new visitors in a day (docs/develop/security.md#visits). The visitors of a whole event hall or
// mobile carrier can share one IP address.
const NEW_VISITORS_PER_ADDRESS_MAX = 5000;
const NEW_VISITORS_PER_CARD_MAX = 20_000;
/** Each statement writes at most this many rows, so that no other write waits long. */
const BATCH_SIZE = 500;

interface Options extends Pick<Dependencies, 'database' | 'clock' | 'log'> {
  readonly hasher: VisitorHasher;
  readonly timeZone: string;
}

/** Counts visits in memory, and adds them to the database every 5 s. */
export class VisitCounter {
  readonly #options: Options;
  readonly #dayOf: (time: number) => number;
  readonly #counts = new Map<string, VisitCount>();
  readonly #visitors = new Map<string, Visitor>();
  readonly #limitByAddress: MemoryRateLimit;
  readonly #limitByCard: MemoryRateLimit;
  readonly #timer: NodeJS.Timeout;
  #flushed: Promise<void> = Promise.resolve();
  /** The visitors of all days before this one have been deleted. */
  #cleanedDay = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#dayOf = createLocalDay(options.timeZone);
    const { clock } = options;
    const createLimit = (max: number) => new MemoryRateLimit({ clock, max, windowMs: DAY_MS });
    this.#limitByAddress = createLimit(NEW_VISITORS_PER_ADDRESS_MAX);
    this.#limitByCard = createLimit(NEW_VISITORS_PER_CARD_MAX);
    this.#timer = setInterval(() => void this.flush(), FLUSH_EVERY_MS).unref();
  }

  /** A visitor is new once a day, unless the IP address or the card has reached its limit of new visitors. */
  add(visit: Omit<VisitCount, 'count'>, visitor: Visitor | null): void {
    this.#addCount({ ...visit, count: 1 });
    if (!visitor || this.#visitors.size >= PENDING_MAX) return;
    if (this.#limitByAddress.isReached(visitor.source)) return;
    if (!this.#limitByCard.isReached(cardKey(visitor))) this.#visitors.set(visitor.hash, visitor);
  }

  /** Writes what is pending. It never rejects: after a failure the next call tries again. */
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
      // A visit from before midnight can store its hash and salt again after both were deleted.
      if (visitors.some(({ day }) => day < today)) this.#cleanedDay = 0;
      try {
        const added = await insertVisitors(database, visitors);
        for (const visitor of added) {
          this.#limitByAddress.count(visitor.source);
          this.#limitByCard.count(cardKey(visitor));
          const { userId, day } = visitor;
          this.#addCount({ userId, day, kind: UNIQUE_KIND, count: 1 });
        }
      } catch (error) {
        if (isSafeToRepeat(error))
          for (const visitor of visitors) this.#visitors.set(visitor.hash, visitor);
        throw error;
      }
    }
    for (const counts of takeBatches(this.#counts)) {
      try {
        await addCounts(database, counts, timeZone);
      } catch (error) {
        if (isSafeToRepeat(error)) for (const count of counts) this.#addCount(count);
        throw error;
      }
    }
    if (this.#cleanedDay === today) return;
    hasher.dropSaltBefore(today);
    await deleteVisitors(database, today);
    this.#cleanedDay = today;
  }
}

const cardKey = ({ userId, day }: Visitor) => `${userId}:${day}`;

/** A write whose result is unknown is not repeated, because it could count visits twice. */
const isSafeToRepeat = (error: unknown) => !(error instanceof UnknownResultError);

function* takeBatches<Value>(map: Map<string, Value>): Generator<Value[]> {
  for (let left = map.size; left > 0; left -= BATCH_SIZE) {
    const batch = [...map].slice(0, Math.min(left, BATCH_SIZE));
    for (const [key] of batch) map.delete(key);
    yield batch.map(([, value]) => value);
  }
}
