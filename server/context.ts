import type { FastifyInstance } from 'fastify';

import type { ResponseCache } from './http/cache/response-cache.ts';
import type { Brand } from '#domain/appearance.ts';

import type { Cards } from './adapter/profile/card-change.ts';
import type { createDependencies } from './dependencies.ts';
import type { HttpEntry } from './http/entry.ts';
import type { InvalidBodyRateLimit, createReadLimits } from './http/limit/rate-limit.ts';
import type { Devices } from './adapter/otp/embedded/send.ts';
import type { ProviderTokens } from './adapter/otp/provider-tokens.ts';
import type { NotificationQueue } from './adapter/push/notification.ts';
import type { LiveStreams } from './adapter/live/live-streams.ts';
import type { VapidKey } from './adapter/push/vapid.ts';
import type { WebhookQueue } from './adapter/webhook/delivery.ts';
import type { Sessions } from './adapter/session/session.ts';
import type { Settings } from './settings/settings.ts';
import type { Uploads } from './adapter/upload/uploads.ts';

type Opened = Awaited<ReturnType<typeof createDependencies>>;
type Optional = 'brandLogo' | 'invalidations';
export type Dependencies = Omit<Opened, Optional> & Partial<Pick<Opened, Optional>>;

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
