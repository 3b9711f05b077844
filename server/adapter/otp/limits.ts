import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import type { Settings } from '#server/settings/settings.ts';

export const ATTEMPTS_MAX = 5;
/** A /48 of IPv6 may do as much as three of its /64 networks. */
export const NETWORKS_PER_SITE = 3;
const ALARM_MIN = 10;
const SENDS_PER_ALARM = 10;

export type LimitSettings = Pick<Settings, 'otpSendsPerDay' | 'limitCodesPerHour' | 'supportEmail'>;

/**
 * What has a counter of its own. `network`: an IPv4 address or a /64, and its /48. `device`: one that has
 * signed in with the phone before. `phone`: all other devices, and `pair`: those of one network. `client`:
 * the device, or else the phone. `group`: all known devices, or all others. `all`: everything.
 */
export type Scope = 'network' | 'device' | 'phone' | 'pair' | 'client' | 'group' | 'all';

export interface Limit {
  readonly scope: Scope;
  readonly most: number | ((settings: LimitSettings) => number);
  readonly window: number;
  readonly guards: string;
}

const codesPerHour = ({ limitCodesPerHour }: LimitSettings) => limitCodesPerHour;
const sendsPerDay = ({ otpSendsPerDay }: LimitSettings) => otpSendsPerDay;
/** Honest people do not reach it in a busy hour. */
const alarm = ({ otpSendsPerDay }: LimitSettings) =>
  Math.max(ALARM_MIN, Math.ceil(otpSendsPerDay / SENDS_PER_ALARM));

/**
 * The limits on codes sent, wrong codes and tokens (docs/security.md#limits), by the prefixes of
 * their counters. Transactions lock counters in the order of this table, challenges after `otp:send`, and
 * exchange tokens last, so that none can deadlock.
 */
// oxfmt-ignore
export const LIMITS = {
  'otp:send:address':   { scope: 'network', most: codesPerHour, window: HOUR_MS,        guards: 'bill' },
  'otp:send:pair-hour': { scope: 'pair',    most: 3,            window: HOUR_MS,        guards: 'phone' },
  'otp:send:pair-day':  { scope: 'pair',    most: 6,            window: DAY_MS,         guards: 'phone' },
  'otp:send:hour':      { scope: 'client',  most: 5,            window: HOUR_MS,        guards: 'phone' },
  'otp:send:day':       { scope: 'client',  most: 10,           window: DAY_MS,         guards: 'phone' },
  'otp:send':           { scope: 'group',   most: sendsPerDay,  window: DAY_MS,         guards: 'bill' },
  'otp:send:pause':     { scope: 'client',  most: 1,            window: 30 * SECOND_MS, guards: 'phone' },
  'otp:fail:address':   { scope: 'network', most: 300,          window: HOUR_MS,        guards: 'codes' },
  'otp:fail:device':    { scope: 'device',  most: 20,           window: DAY_MS,         guards: 'code' },
  'otp:fail:pair':      { scope: 'pair',    most: 10,           window: DAY_MS,         guards: 'code' },
  'otp:fail:day':       { scope: 'phone',   most: 40,           window: DAY_MS,         guards: 'code' },
  'otp:fail:row':       { scope: 'phone',   most: 20,           window: 365 * DAY_MS,   guards: 'code, then of eight digits' },
  'otp:alarm':          { scope: 'all',     most: alarm,        window: HOUR_MS,        guards: 'codes, by an alarm' },
  'token:invalid':      { scope: 'network', most: 600,          window: MINUTE_MS,      guards: 'database' },
  'token:rejected':     { scope: 'network', most: 60,           window: 10 * MINUTE_MS, guards: 'provider' },
} as const satisfies Record<string, Limit>;
