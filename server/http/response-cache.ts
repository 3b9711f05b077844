import { cardPath } from '#domain/share.ts';

import type { FinishedResponse } from '#server/http/finished-response.ts';

/** What all cards kept may take together. */
const CACHE_SIZE_BYTES_MAX = 64 * 1024 * 1024;
/** Cards asked for under more origins than this are strange: the Host header is the client's. */
const ORIGINS_PER_CARD_MAX = 4;

/** What a card is asked for by: its path, as `cardPath` makes it. `now`: milliseconds since 1970. */
interface Asked {
  readonly path: string;
  readonly origin: string;
  readonly now: number;
}

interface Flight {
  readonly origin: string;
  readonly startedAt: number;
  /** null for a user who does not exist. */
  readonly page: Promise<FinishedResponse | null>;
  /** The page once it is there. */
  landed: FinishedResponse | null;
}

/** One user's card, once for each origin that it is asked for by: nearly always one. */
interface Card {
  flights: Flight[];
  /** Asked for since it was last about to be forgotten. */
  isWanted: boolean;
}

type Draw = () => Promise<FinishedResponse | null>;

/**
 * Finished card pages by their path, in memory and bounded; the oldest goes first unless it was
 * asked for meanwhile, which gives it a second turn (the clock algorithm: to ask costs one mark, where
 * true order by last use would move an entry at each hit). A card that many ask for at once is
 * drawn once. `drop` is called after every change, once it is durable: a drawing still under way
 * then is not kept either, so nobody who asks after the change gets what was before it.
 */
export class CardCache {
  readonly #cards = new Map<string, Card>();
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
  find(card: Asked, draw: Draw) {
    const known = this.#touch(card);
    if (known) {
      this.hits += 1;
      return known.page;
    }
    this.misses += 1;
    return this.#fly(card, draw);
  }

  /** The card's page if it is there at this moment; whoever sends it counts the hit. */
  peek(card: Asked): FinishedResponse | null {
    return this.#touch(card)?.landed ?? null;
  }

  /** The flight of a card that is still good; it is marked as wanted. */
  #touch({ path, origin, now }: Asked): Flight | null {
    const card = this.#cards.get(path);
    const known = card?.flights.find((flight) => flight.origin === origin);
    if (!card || !known || now - known.startedAt >= this.#lifeMs) return null;
    card.isWanted = true;
    return known;
  }

  /** Forgets a user's card, at once. */
  drop(userId: string): void {
    this.#dropPath(cardPath(userId));
  }

  /** Forgets every card, at once. */
  dropAll(): void {
    this.#cards.clear();
    this.#sizeBytes = 0;
  }

  /** Sets how long a card is valid without an invalidation, cached cards included. */
  setLifetime(lifeMs: number): void {
    this.#lifeMs = lifeMs;
  }

  #fly(asked: Asked, draw: Draw) {
    const { path, origin, now: startedAt } = asked;
    this.#forget(asked);
    const known = this.#cards.get(path);
    if (known && known.flights.length >= ORIGINS_PER_CARD_MAX) this.#dropPath(path);
    const card = this.#cards.get(path) ?? { flights: [], isWanted: false };
    const flight: Flight = { origin, startedAt, page: draw(), landed: null };
    card.flights.push(flight);
    this.#cards.set(path, card);
    flight.page.then(
      (page) => this.#land(asked, flight, page),
      () => this.#land(asked, flight, null),
    );
    return flight.page;
  }

  /** Counts a page that came, if it is still wanted; what is not there or failed is not kept. */
  #land(asked: Asked, flight: Flight, page: FinishedResponse | null) {
    const card = this.#cards.get(asked.path);
    if (!card?.flights.includes(flight)) return;
    if (page === null) return this.#forget(asked);
    flight.landed = page;
    this.#sizeBytes += page.sizeBytes;
    // It becomes the newest, and is not judged now.
    this.#cards.delete(asked.path);
    this.#shrink();
    this.#cards.set(asked.path, card);
  }

  /** Takes the oldest out until all fit; a wanted one is passed over once. */
  #shrink() {
    for (const [path, card] of this.#cards) {
      if (this.#sizeBytes <= CACHE_SIZE_BYTES_MAX) return;
      if (card.isWanted) {
        card.isWanted = false;
        this.#cards.delete(path);
        this.#cards.set(path, card);
      } else if (card.flights.some(({ landed }) => landed !== null)) {
        // What is still being drawn takes no memory yet: to forget it would only draw it again.
        this.#dropPath(path);
      }
    }
  }

  #dropPath(path: string): void {
    for (const flight of this.#cards.get(path)?.flights ?? []) this.#sizeBytes -= sizeOf(flight);
    this.#cards.delete(path);
  }

  #forget({ path, origin }: Asked): void {
    const card = this.#cards.get(path);
    const flight = card?.flights.find((one) => one.origin === origin);
    if (!card || !flight) return;
    this.#sizeBytes -= sizeOf(flight);
    card.flights = card.flights.filter((one) => one !== flight);
    if (card.flights.length === 0) this.#cards.delete(path);
  }
}

/** What a flight takes: nothing before its page is there. */
function sizeOf({ landed }: Flight): number {
  return landed?.sizeBytes ?? 0;
}
