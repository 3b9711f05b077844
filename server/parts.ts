import type { Logger } from 'pino';

import type { Clock } from './clock.ts';
import type { Database } from './db/database.ts';
import type { WebFiles } from './http/web.ts';
import type { News } from './news/news.ts';
import type { Provider } from './otp/provider.ts';
import type { Decoder } from './photo/decoder.ts';
import type { PhotoStore } from './photo/photo-store.ts';

/** What the server is made of; tests hand in others. */
export interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** The key under which one-time codes are kept. */
  readonly secret: string;
  /** Hands a one-time code to a phone (E.164). Resolves when the gateway has taken it. */
  readonly sendText: (phone: string, code: string) => Promise<void>;
  readonly provider: Provider;
  /** Where photos are kept, and what makes them of uploaded bytes. */
  readonly photos: PhotoStore;
  readonly decoder: Decoder;
  /** Where other nodes share the database: what they change. */
  readonly news?: News | undefined;
  /** The built browser files. */
  readonly web: WebFiles;
}
