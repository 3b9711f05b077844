import type { FastifyInstance } from 'fastify';

import type { Entrance } from './http/cache/public-route.ts';
import type { ResponseCache } from './http/cache/response-cache.ts';
import type { Brand } from '#domain/appearance.ts';

import type { Cards } from './adapter/profile/store.ts';
import type { createDependencies } from './dependencies.ts';
import type { HttpEntry } from './http/entry.ts';
import type { AddressLimits } from './http/limit.ts';
import type { Devices } from './adapter/otp/code.ts';
import type { ProviderTokens } from './adapter/otp/provider-tokens.ts';
import type { NotificationQueue } from './adapter/push/notification.ts';
import type { VapidKey } from './adapter/push/vapid.ts';
import type { LiveStreams } from './adapter/live-streams.ts';
import type { TableStreams } from './adapter/table-streams.ts';
import type { WebhookQueue } from './adapter/webhook/delivery.ts';
import type { PageStore } from './adapter/storage/page-store.ts';
import type { Sessions } from './adapter/session.ts';
import type { Settings } from './settings/settings.ts';
import type { Uploads } from './adapter/uploads.ts';

type CreatedDependencies = Awaited<ReturnType<typeof createDependencies>>;
type OptionalName = 'brandLogo' | 'invalidations';
export type Dependencies = Omit<CreatedDependencies, OptionalName> &
  Partial<Pick<CreatedDependencies, OptionalName>> & {
    /** Only the service sets this. It is null if the service cannot keep pages on disk. */
    readonly pages?: PageStore | null;
  };

export interface AppContext extends AddressLimits {
  readonly fastify: FastifyInstance;
  readonly entrance: Entrance;
  readonly entry: HttpEntry;
  readonly settings: Settings;
  readonly dependencies: Dependencies;
  readonly brand: Brand;
  readonly responses: ResponseCache;
  readonly cards: Cards;
  readonly sendCapAlarms: { inc: (labels: { devices: Devices }) => void } | null;
  readonly providerTokens: ProviderTokens;
  readonly sessions: Sessions;
  readonly uploads: Uploads;
  readonly live: LiveStreams;
  readonly tableStreams: TableStreams;
  readonly vapidKey: VapidKey;
  readonly notificationQueue: NotificationQueue;
  readonly webhookQueue: WebhookQueue;
}
