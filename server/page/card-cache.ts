import type { FinishedPage } from './finished-page.ts';

/** What all cards kept may take together. */
const CACHE_SIZE_BYTES_MAX = 64 * 1024 * 1024;
/** Cards asked for under more origins than this are strange: the Host header is the client's. */
const ORIGINS_PER_CARD_MAX = 4;

interface Flight {
  readonly startedAt: number;
  /** null for a user who does not exist. */
  readonly page: Promise<FinishedPage | null>;
  /** The page once it is there. */
  landed: FinishedPage | null;
  sizeBytes: number;
}

type Draw = () => Promise<FinishedPage | null>;

/**
 * Finished card pages by user id, in memory and bounded; the one not asked for the longest goes
 * first. A card that many ask for at once is drawn once. `drop` is called after every change, once
 * it is durable: a drawing still under way then is not kept either, so nobody who asks after the
 * change gets what was before it.
 */
export class CardCache {
  readonly #cards = new Map<string, Map<string, Flight>>();
  #lifeMs: number;
  #sizeBytes = 0;
  /** Pages answered from memory, and pages drawn. */
  hits = 0;
  misses = 0;

  /** `lifeMs`: how long a card is good unasked; Infinity where every change passes this process. */
  constructor(lifeMs: number) {
    this.#lifeMs = lifeMs;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** The card's page under an origin: the kept one, or a newly drawn one. */
  find(card: { userId: string; origin: string; now: number }, draw: Draw) {
    const known = this.#touch(card);
    if (known) {
      this.hits += 1;
      return known.page;
    }
    this.misses += 1;
    return this.#fly(card, draw);
  }

  /** The card's page if it is there at this moment; whoever sends it counts the hit. */
  peek(card: { userId: string; origin: string; now: number }): FinishedPage | null {
    return this.#touch(card)?.landed ?? null;
  }

  /** The flight of a card that is still good, which by that is the one asked for last. */
  #touch(card: { userId: string; origin: string; now: number }): Flight | null {
    const pages = this.#cards.get(card.userId);
    const known = pages?.get(card.origin);
    if (!pages || !known || card.now - known.startedAt >= this.#lifeMs) return null;
    this.#cards.delete(card.userId);
    this.#cards.set(card.userId, pages);
    return known;
  }

  /** Forgets a user's card, at once. */
  drop(userId: string): void {
    for (const flight of this.#cards.get(userId)?.values() ?? []) {
      this.#sizeBytes -= flight.sizeBytes;
    }
    this.#cards.delete(userId);
  }

  /** Forgets every card, at once. */
  dropAll(): void {
    this.#cards.clear();
    this.#sizeBytes = 0;
  }

  /** From now on a card is good unasked for so long, those kept already included. */
  live(lifeMs: number): void {
    this.#lifeMs = lifeMs;
  }

  #fly(card: { userId: string; origin: string; now: number }, draw: Draw) {
    const drawn = this.#cards.get(card.userId);
    const isStrange = drawn && !drawn.has(card.origin) && drawn.size >= ORIGINS_PER_CARD_MAX;
    if (isStrange) this.drop(card.userId);
    const pages = this.#cards.get(card.userId) ?? new Map<string, Flight>();
    this.#forget(card.userId, card.origin);
    const flight: Flight = { startedAt: card.now, page: draw(), landed: null, sizeBytes: 0 };
    pages.set(card.origin, flight);
    this.#cards.set(card.userId, pages);
    flight.page.then(
      (page) => this.#land(card, flight, page),
      () => this.#land(card, flight, null),
    );
    return flight.page;
  }

  /** Counts a page that came, if it is still wanted; what is not there or failed is not kept. */
  #land(card: { userId: string; origin: string }, flight: Flight, page: FinishedPage | null) {
    if (this.#cards.get(card.userId)?.get(card.origin) !== flight) return;
    if (page === null) return this.#forget(card.userId, card.origin);
    flight.landed = page;
    flight.sizeBytes = page.sizeBytes;
    this.#sizeBytes += page.sizeBytes;
    for (const oldest of this.#cards.keys()) {
      if (this.#sizeBytes <= CACHE_SIZE_BYTES_MAX) break;
      this.drop(oldest);
    }
  }

  #forget(userId: string, origin: string): void {
    const pages = this.#cards.get(userId);
    const flight = pages?.get(origin);
    if (!pages || !flight) return;
    this.#sizeBytes -= flight.sizeBytes;
    pages.delete(origin);
    if (pages.size === 0) this.#cards.delete(userId);
  }
}
