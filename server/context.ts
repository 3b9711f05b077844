import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';

import type { ResponseCache } from './http/cache/response-cache.ts';
import type { Brand } from '#domain/appearance.ts';

import type { Clock } from './clock.ts';
import type { Database } from './adapter/database/database.ts';
import type { Cards } from './adapter/profile/card-change.ts';
import type { HttpEntry } from './http/entry.ts';
import type { InvalidBodyRateLimit, createReadLimits } from './http/limit/rate-limit.ts';
import type { BrandLogo, Decoder } from './adapter/image/decoder.ts';
import type { Renderer } from './adapter/image/renderer.ts';
import type { InvalidationListener } from './adapter/invalidation/listener.ts';
import type { Devices } from './adapter/otp/embedded/send.ts';
import type { Provider } from './adapter/otp/verification.ts';
import type { ProviderTokens } from './adapter/otp/provider-tokens.ts';
import type { NotificationQueue } from './adapter/push/notification.ts';
import type { LiveStreams } from './adapter/live/live-streams.ts';
import type { Transport } from './adapter/outside/transport.ts';
import type { VapidKey } from './adapter/push/vapid.ts';
import type { WebhookQueue } from './adapter/webhook/delivery.ts';
import type { Sessions } from './adapter/session/session.ts';
import type { Settings } from './settings/settings.ts';
import type { SendCode } from './adapter/sms/delivery.ts';
import type { PhotoStore } from './adapter/storage/photo-store.ts';
import type { Uploads } from './adapter/upload/uploads.ts';
import type { WebFiles } from './adapter/html/web-files.ts';

export interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Null if LOG_LEVEL excludes the lines of requests. */
  readonly writeRequestLine: ((line: string) => void) | null;
  /** Signs one-time codes, device cookies and address keys in the log, and makes the key of notifications. */
  readonly secret: string;
  readonly sendCode: SendCode;
  readonly provider: Provider;
  readonly photos: PhotoStore;
  readonly pushTransport: Transport;
  readonly webhookTransport: Transport;
  readonly decoder: Decoder;
  readonly renderer: Renderer;
  readonly brandLogo?: BrandLogo | undefined;
  readonly invalidations?: InvalidationListener | undefined;
  readonly web: WebFiles;
}

export interface AppContext extends ReturnType<typeof createReadLimits> {
  readonly fastify: FastifyInstance;
  readonly entry: HttpEntry;
  readonly settings: Settings;
  readonly dependencies: Dependencies;
  readonly brand: Brand;
  readonly responses: ResponseCache;
  readonly cards: Cards;
  /** Counts open calls by one address. Above a limit, bodies are not read. */
  readonly invalidBodyRateLimit: InvalidBodyRateLimit;
  readonly sendCapAlarms: { inc: (labels: { devices: Devices }) => void } | null;
  readonly providerTokens: ProviderTokens;
  readonly sessions: Sessions;
  readonly uploads: Uploads;
  readonly live: LiveStreams;
  readonly vapidKey: VapidKey;
  readonly notificationQueue: NotificationQueue;
  readonly webhookQueue: WebhookQueue;
}
