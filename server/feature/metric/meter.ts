import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

import type { Dependencies } from '#server/context.ts';
import type { Settings } from '#server/settings/settings.ts';

import { registerReadiness, registerStateMetrics } from './state-metrics.ts';
import type { ReadinessMetrics } from './state-metrics.ts';

/** Sums of gauges that prom-client has by type. The suffix `_total` is for counters. */
const SUMS_OF_GAUGES = ['handles', 'requests', 'resources'];

/** In seconds; near the usual durations of a card page, a save, an upload and a timeout. */
const DURATION_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export interface Meter {
  readonly duration: Histogram<'method' | 'route' | 'status'>;
  readonly sendCapAlarms: Counter<'devices'>;
  readonly notifications: Counter<'result'>;
  readonly countCodes: (sendCode: Dependencies['sendCode']) => Dependencies['sendCode'];
  readonly registerReadiness: (readiness: ReadinessMetrics) => void;
  readonly render: () => Promise<string>;
  readonly contentType: string;
}

export function createMeter(
  dependencies: Dependencies,
  { dataDir }: Pick<Settings, 'dataDir'>,
): Meter {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  for (const name of SUMS_OF_GAUGES) register.removeSingleMetric(`nodejs_active_${name}_total`);
  registerPoolMetrics(dependencies, register);
  registerStateMetrics(dependencies, dataDir, register);
  return {
    duration: new Histogram({
      name: 'tessera_http_request_duration_seconds',
      help: 'Requests by route pattern and status, and how long they took',
      labelNames: ['method', 'route', 'status'],
      buckets: DURATION_BUCKETS,
      registers,
    }),
    ...codeMetrics(register),
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

function codeMetrics(register: Registry): Pick<Meter, 'sendCapAlarms' | 'countCodes'> {
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
    countCodes: (sendCode) => async (phone, code, options) => {
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
