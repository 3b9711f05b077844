import type { FastifyBaseLogger } from 'fastify';

import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import type { PhotoStore } from '#server/storage/photo-store.ts';

/** The dependencies of the commands, in the service or in the command's own process. */
export interface AdminContext {
  readonly database: Database;
  readonly photos: PhotoStore;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  /** OTP_COUNTRIES, to read a phone without a country code. */
  readonly countries: readonly string[];
  /** SESSION_DAYS, to know which sessions have ended. */
  readonly sessionDays: number;
  /** Drops the cached responses of a card; absent in a process that serves none. */
  readonly responses?: { drop(userId: string): void } | undefined;
}

/** An error whose message is a sentence for the operator. */
export class AdminError extends Error {
  override readonly name = 'AdminError';
}
