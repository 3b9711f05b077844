import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';

import type { ReadRateLimit } from './cache/read-rate-limit.ts';
import type { ResponseCache } from './cache/response-cache.ts';
import type { Clock } from './clock.ts';
import type { Database } from './db/database.ts';
import type { HttpEntry } from './http/entry.ts';
import type { InvalidBodyRateLimit } from './http/rate-limit.ts';
import type { Decoder } from './image/decoder.ts';
import type { Renderer } from './image/renderer.ts';
import type { InvalidationListener } from './invalidation/listener.ts';
import type { Devices } from './otp/embedded/send.ts';
import type { Provider } from './otp/provider.ts';
import type { ProviderTokens } from './otp/provider-tokens.ts';
import type { PushSender } from './push/sender.ts';
import type { PushTransport } from './push/transport.ts';
import type { VapidKey } from './push/vapid.ts';
import type { Sessions } from './session/session.ts';
import type { Settings } from './settings.ts';
import type { PhotoStore } from './storage/photo-store.ts';
import type { WebFiles } from './web-files.ts';

/** The external services and clock of the server. Tests inject their own. */
export interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Writes the line of a request to the log; null if LOG_LEVEL excludes them. */
  readonly writeRequestLine: ((line: string) => void) | null;
  /**
   * The HMAC key for one-time codes, device cookies and the address keys in the log. The key of
   * notifications is derived from it.
   */
  readonly secret: string;
  /** Sends a one-time code to a phone (E.164). Resolves when the gateway has accepted it. */
  readonly sendCode: (phone: string, code: string) => Promise<void>;
  /** The login provider. */
  readonly provider: Provider;
  readonly photos: PhotoStore;
  /** Sends notifications to push services. */
  readonly pushTransport: PushTransport;
  /** Decodes uploaded pictures and encodes the stored photos. */
  readonly decoder: Decoder;
  /** Renders preview pictures and icons. */
  readonly renderer: Renderer;
  /** Receives card changes from other nodes that share the database. */
  readonly invalidations?: InvalidationListener | undefined;
  /** The built browser files. */
  readonly web: WebFiles;
}

/** Metrics that count alarms. */
export interface CodeAlarms {
  readonly failureAlarms: { inc: () => void };
  readonly sendCapAlarms: { inc: (labels: { devices: Devices }) => void };
}

/** The settings, dependencies and caches that every feature receives. */
export interface AppContext {
  readonly fastify: FastifyInstance;
  readonly entry: HttpEntry;
  readonly settings: Settings;
  readonly dependencies: Dependencies;
  /**
   * Cached responses: cards, contact files, pictures, profiles, photos. Call `drop(userId)`
   * after the commit of every change to a card.
   */
  readonly responses: ResponseCache;
  readonly readRateLimit: ReadRateLimit;
  readonly invalidBodyRateLimit: InvalidBodyRateLimit;
  /** Counters of alarms about one-time codes; null without metrics. */
  readonly codeAlarms: CodeAlarms | null;
  readonly providerTokens: ProviderTokens;
  readonly sessions: Sessions;
  /** The service's key for push services. */
  readonly vapidKey: VapidKey;
  /** Call `wake()` after the commit of a queued notification. */
  readonly pushSender: PushSender;
}
