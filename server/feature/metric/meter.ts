import { statfs } from 'node:fs/promises';

import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

import type { SendCode } from '#server/adapter/sms/delivery.ts';
import type { Dependencies } from '#server/context.ts';
import type { Settings } from '#server/settings/settings.ts';
import { SECOND_MS } from '#domain/duration.ts';
import type { ResponseCache } from '#server/http/cache/response-cache.ts';
import { readOverdueMs, readSeedTime } from '#server/adapter/database/statistics.ts';

/** These sums of prom-client's gauges are removed, because the suffix `_total` is reserved for counters. */
const MISNAMED_GAUGES = ['handles', 'requests', 'resources'];

/** The bounds, in seconds, are near the usual durations of a card page, a save, an upload and a timeout. */
const DURATION_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export type Meter = NonNullable<ReturnType<typeof createMeter>>;

type MeterSettings = Pick<Settings, 'dataDir' | 'metricsPort' | 'metricsToken' | 'views'>;

/** Returns null if neither METRICS_PORT nor METRICS_TOKEN is set, because nothing serves metrics then. */
export function createMeter(dependencies: Dependencies, settings: MeterSettings) {
  const { dataDir, metricsPort, metricsToken } = settings;
  if (metricsPort === null && metricsToken === null) return null;
  const register = new Registry();
  const registers = [register];
  // At the default of 10 ms, the monitoring would take more processor time than a service at rest.
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: 100 });
  for (const name of MISNAMED_GAUGES) register.removeSingleMetric(`nodejs_active_${name}_total`);
  addGauges(register, dependencies, dataDir);
  addQueueGauge(register, dependencies, settings.views.has('contacts'));
  return {
    duration: new Histogram({
      name: 'tessera_http_request_duration_seconds',
      help: 'Requests by route pattern and status, and how long they took',
      labelNames: ['method', 'route', 'status'],
      buckets: DURATION_BUCKETS,
      registers,
    }),
    ...createCodeMetrics(register),
    notifications: new Counter({
      name: 'tessera_notifications_total',
      help: 'Requests to push services, by result: sent, delayed, gone (subscription deleted), dropped',
      labelNames: ['result'],
      registers,
    }),
    registerReadiness: (isReady: () => Promise<boolean>) =>
      addGauge(register, {
        name: 'tessera_ready',
        help: '1 while /readyz is 200, 0 while it is 503',
        collect: async (gauge) => gauge.set(Number(await isReady())),
      }),
    registerDegraded: (parts: readonly string[], findUnavailable: () => Promise<string[]>) =>
      addGauge(register, {
        name: 'tessera_degraded',
        help: '1 for each part that does not work while the node is ready: writes, photos, pictures, data, cleanup',
        hasStates: true,
        collect: async (gauge) => {
          const unavailable = await findUnavailable();
          for (const state of parts) gauge.set({ state }, Number(unavailable.includes(state)));
        },
      }),
    registerResponses: ({ counts }: Pick<ResponseCache, 'counts'>) =>
      addGauge(register, {
        name: 'tessera_responses',
        help: 'Public pages and pictures since the start: stored (from memory), read (from disk) or made',
        hasStates: true,
        collect: (gauge) => {
          for (const [state, count] of Object.entries(counts)) gauge.set({ state }, count);
        },
      }),
    render: () => register.metrics(),
    contentType: register.contentType,
  };
}

function createCodeMetrics(register: Registry) {
  const registers = [register];
  const codes = new Counter({
    name: 'tessera_codes_total',
    help: 'One-time codes sent to the gateway, by result',
    labelNames: ['result'],
    registers,
  });
  codes.inc({ result: 'sent' }, 0);
  codes.inc({ result: 'failed' }, 0);
  const sendCapAlarms = new Counter({
    name: 'tessera_otp_send_cap_total',
    help: 'One-time codes not sent because OTP_SENDS_PER_DAY is reached, by devices: known, unknown',
    labelNames: ['devices'],
    registers,
  });
  sendCapAlarms.inc({ devices: 'known' }, 0);
  sendCapAlarms.inc({ devices: 'unknown' }, 0);
  return {
    sendCapAlarms,
    countCodes:
      (sendCode: SendCode): SendCode =>
      async (phone, code, options) => {
        try {
          await sendCode(phone, code, options);
          codes.inc({ result: 'sent' });
        } catch (error) {
          codes.inc({ result: 'failed' });
          throw error;
        }
      },
  };
}

interface StateGauge {
  readonly name: string;
  readonly help: string;
  readonly hasStates?: true;
  readonly collect: (gauge: Gauge<'state'>) => void | Promise<void>;
}

function addGauge(register: Registry, { name, help, hasStates, collect }: StateGauge): void {
  register.registerMetric(
    new Gauge({
      name,
      help,
      labelNames: hasStates ? ['state'] : [],
      registers: [],
      collect() {
        return collect(this);
      },
    }),
  );
}

function addQueueGauge(
  register: Registry,
  { database, clock }: Dependencies,
  hasWebhooks: boolean,
): void {
  addGauge(register, {
    name: 'tessera_queue_overdue_seconds',
    help: 'How long the oldest message that could be sent has waited: notifications, webhooks',
    hasStates: true,
    async collect(gauge) {
      const overdue = await readOverdueMs(database, clock.now()).catch(() => ({}));
      for (const [state, ms] of Object.entries(overdue))
        if (state !== 'webhooks' || hasWebhooks) gauge.set({ state }, ms / SECOND_MS);
    },
  });
}

function addGauges(register: Registry, { database }: Dependencies, dataDir: string): void {
  const { pool } = database;
  if (pool)
    addGauge(register, {
      name: 'tessera_database_connections',
      help: 'Connections of the database pool, and callers that wait for one',
      hasStates: true,
      collect(gauge) {
        const { total, idle, waiting } = pool();
        gauge.set({ state: 'busy' }, total - idle);
        gauge.set({ state: 'idle' }, idle);
        gauge.set({ state: 'waiting' }, waiting);
      },
    });
  addGauge(register, {
    name: 'tessera_last_backup_timestamp_seconds',
    help: 'When the last backup ended; 0 before the first one',
    async collect(gauge) {
      const time = await readSeedTime(database, 'backup').catch(() => undefined);
      if (time === undefined) gauge.remove();
      else gauge.set((time ?? 0) / SECOND_MS);
    },
  });
  addGauge(register, {
    name: 'tessera_disk_bytes',
    help: 'The disk of DATA_DIR, by state: size, and free for the user of the service',
    hasStates: true,
    async collect(gauge) {
      const disk = await statfs(dataDir).catch(() => null);
      if (disk === null) return gauge.reset();
      const { bsize, blocks, bavail } = disk;
      gauge.set({ state: 'size' }, blocks * bsize);
      gauge.set({ state: 'free' }, bavail * bsize);
    },
  });
}
