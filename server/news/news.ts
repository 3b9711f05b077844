/** What wants to know when a card changes, wherever it was changed. */
export interface Reader {
  drop(userId: string): void;
  dropAll(): void;
  /** How long a card may be kept without asking. */
  live(lifeMs: number): void;
}

/** What other nodes that share the database tell of their changes. */
export interface News {
  /** Tells this reader, and nobody else, from now on. */
  tell(reader: Reader): void;
  close(): Promise<void>;
}

const SECOND_MS = 1000;
/** Without news every card is read again this soon. */
export const LIFE_UNHEARD_MS = SECOND_MS;
/**
 * With news a card is good until it is heard of; a bound all the same, for a database that takes
 * LISTEN and then tells only a part of what happens (one behind a router of statements, say).
 */
export const LIFE_HEARD_MS = 60 * SECOND_MS;
