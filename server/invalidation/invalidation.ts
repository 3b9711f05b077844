import { SECOND_MS } from '#domain/duration.ts';

/** A cache that drops a card when any node changes it. */
export interface InvalidationSubscriber {
  drop(userId: string): void;
  dropAll(): void;
  /** Sets how long an entry is valid without an invalidation. */
  setLifetime(lifetimeMs: number): void;
}

/** The changes of other nodes that share the database. */
export interface InvalidationListener {
  /** Registers the only subscriber. */
  subscribe(subscriber: InvalidationSubscriber): void;
  close(): Promise<void>;
}

/** The lifetime of an entry while the listener is disconnected. */
export const LIFETIME_DISCONNECTED_MS = SECOND_MS;
/**
 * The lifetime of an entry while the listener is connected. It is bounded, because a connection
 * pooler can accept LISTEN and deliver only a part of the notifications.
 */
export const LIFETIME_CONNECTED_MS = 60 * SECOND_MS;
