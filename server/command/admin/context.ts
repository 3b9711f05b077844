import type { FastifyBaseLogger } from 'fastify';

import type { Clock } from '#server/clock.ts';
import type { Cards } from '#server/adapter/profile/card-change.ts';
import type { Settings } from '#server/settings/settings.ts';
import type { PhotoStore } from '#server/adapter/storage/photo-store.ts';

export interface AdminContext extends Cards {
  readonly photos: PhotoStore;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly log: FastifyBaseLogger;
  readonly actor: string;
  readonly confirm: (question: string) => Promise<void>;
  /** The command exits with 1, after it has printed its result. */
  readonly fail: () => void;
}

/** An error whose message is a sentence for the operator. */
export class AdminError extends Error {
  override readonly name = 'AdminError';
}
