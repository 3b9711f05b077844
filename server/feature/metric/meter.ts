import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

import type { ResponseCache } from '#server/http/cache/response-cache.ts';
import type { Dependencies } from '#server/context.ts';
import { isWatched } from '#server/adapter/sms/gateways.ts';
import { OUTCOMES } from '#server/adapter/sms/delivery.ts';
import type { Outcome } from '#server/adapter/sms/delivery.ts';
import type { GatewayName } from '#server/settings/login-table.ts';
import type { Settings } from '#server/settings/settings.ts';
import { VERSION } from '#server/version.ts';

import { registerDatabaseMetrics } from './database-metrics.ts';
import { registerReadiness, registerStateMetrics } from './state-metrics.ts';
import type { ReadinessMetrics } from './state-metrics.ts';

/** Sums of gauges that prom-client has by type. The suffix `_total` is for counters. */
const SUMS_OF_GAUGES = ['handles', 'requests', 'resources'];

/** In seconds; near the usual durations of a card page, a save, an upload and a timeout. */
const DURATION_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** The metrics that other modules update. The others are collected at each scrape. */
export interface Meter {
  readonly duration: Histogram<'method' | 'route' | 'status'>;
  readonly signIns: Counter;
  readonly contacts: Counter;
  readonly failureAlarms: Counter;
  readonly sendCapAlarms: Counter<'devices'>;
  readonly notifications: Counter<'result'>;
  /** Returns a function that sends a one-time code and counts it. */
  readonly countCodes: (sendCode: Dependencies['sendCode']) => Dependencies['sendCode'];
  readonly registerReadiness: (readiness: ReadinessMetrics) => void;
  readonly render: () => Promise<string>;
  readonly contentType: string;
}

type CacheCounters = Pick<ResponseCache, 'hits' | 'misses' | 'sizeBytes'>;

export function createMeter(
  dependencies: Dependencies,
  cache: CacheCounters,
  settings: Pick<Settings, 'smsGateway' | 'dataDir'>,
): Meter {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  for (const name of SUMS_OF_GAUGES) register.removeSingleMetric(`nodejs_active_${name}_total`);
  registerCacheMetrics(cache, register);
  registerPoolMetrics(dependencies, register);
  registerDatabaseMetrics(dependencies, register);
  registerStateMetrics(dependencies, settings.dataDir, register);
  new Gauge({
    name: 'tessera_build_info',
    help: 'Always 1; its labels are the versions of the service and of Node.js',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version: VERSION, node: process.version }, 1);
  return {
    duration: new Histogram({
      name: 'tessera_http_request_duration_seconds',
      help: 'Requests by route pattern and status, and how long they took',
      labelNames: ['method', 'route', 'status'],
      buckets: DURATION_BUCKETS,
      registers,
    }),
    signIns: new Counter({ name: 'tessera_sign_ins_total', help: 'Sessions opened', registers }),
    contacts: new Counter({
      name: 'tessera_contacts_total',
      help: 'addContact calls answered with 200, including repetitions and honeypot bots',
      registers,
    }),
    ...codeMetrics(register, settings),
    notifications: new Counter({
      name: 'tessera_notifications_total',
      help: 'Requests to push services, by result: sent, delayed, gone (subscription deleted), dropped',
      labelNames: ['result'],
      registers,
    }),
    registerReadiness: (readiness) => registerReadiness(register, readiness),
    render: () => register.metrics(),
    contentType: register.contentType,
  };
}

function codeMetrics(
  register: Registry,
  settings: Pick<Settings, 'smsGateway'>,
): Pick<Meter, 'failureAlarms' | 'sendCapAlarms' | 'countCodes'> {
  const registers = [register];
  const codes = new Counter({
    name: 'tessera_codes_total',
    help: 'One-time codes sent to the gateway, by result',
    labelNames: ['result'],
    registers,
  });
  codes.inc({ result: 'sent' }, 0);
  codes.inc({ result: 'failed' }, 0);
  const onOutcome = isWatched(settings) ? messageCounter(register, settings) : undefined;
  const sendCapAlarms = new Counter({
    name: 'tessera_otp_send_cap_total',
    help: 'One-time codes not sent because OTP_SENDS_PER_DAY is reached, by devices: known, unknown',
    labelNames: ['devices'],
    registers,
  });
  sendCapAlarms.inc({ devices: 'known' }, 0);
  sendCapAlarms.inc({ devices: 'unknown' }, 0);
  return {
    failureAlarms: new Counter({
      name: 'tessera_otp_failure_alarm_total',
      help: 'Wrong one-time codes above the hourly alarm threshold',
      registers,
    }),
    sendCapAlarms,
    countCodes: (sendCode) => async (phone, code, options) => {
      try {
        await sendCode(phone, code, { ...options, onOutcome });
        codes.inc({ result: 'sent' });
      } catch (error) {
        codes.inc({ result: 'failed' });
        throw error;
      }
    },
  };
}

function messageCounter(register: Registry, { smsGateway }: Pick<Settings, 'smsGateway'>) {
  const messages = new Counter({
    name: 'tessera_gateway_messages_total',
    help: 'One-time codes given to each gateway, by outcome: accepted, refused, silent',
    labelNames: ['gateway', 'outcome'],
    registers: [register],
  });
  for (const gateway of smsGateway) {
    for (const outcome of OUTCOMES) messages.inc({ gateway, outcome }, 0);
  }
  return (gateway: GatewayName, outcome: Outcome) => messages.inc({ gateway, outcome });
}

function registerCacheMetrics(cache: CacheCounters, register: Registry) {
  register.registerMetric(
    new Counter({
      name: 'tessera_card_pages_total',
      help: 'Card pages, contact files, preview pictures and photos, by cache hit or miss',
      labelNames: ['cache'],
      registers: [],
      collect() {
        this.reset();
        this.inc({ cache: 'hit' }, cache.hits);
        this.inc({ cache: 'miss' }, cache.misses);
      },
    }),
  );
  register.registerMetric(
    new Gauge({
      name: 'tessera_card_cache_bytes',
      help: 'Memory used by cached card pages, contact files, preview pictures and photos',
      registers: [],
      collect() {
        this.set(cache.sizeBytes);
      },
    }),
  );
}

function registerPoolMetrics({ database }: Dependencies, register: Registry) {
  const { pool } = database;
  if (!pool) return;
  register.registerMetric(
    new Gauge({
      name: 'tessera_database_connections',
      help: 'Connections of the database pool, and callers that wait for one',
      labelNames: ['state'],
      registers: [],
      collect() {
        const { total, idle, waiting } = pool();
        this.set({ state: 'busy' }, total - idle);
        this.set({ state: 'idle' }, idle);
        this.set({ state: 'waiting' }, waiting);
      },
    }),
  );
}
