import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/duration.ts';

/** Wrong codes of a challenge. */
export const ATTEMPTS_MAX = 5;
/** A /48 of IPv6 may do as much as three of its /64 networks. */
export const NETWORKS_PER_SITE = 3;
const ALARM_MIN = 10;
const SENDS_PER_ALARM = 10;

export interface LimitSettings {
  readonly otpSendsPerDay: number;
  readonly limits: { readonly codesPerHour: number };
}

/** A pause after each `step` events of a counter: 30 s, then twice as long, at most the window. */
export interface Pause {
  readonly step: number;
  /** A key of LIMITS. */
  readonly counter: string;
}

/** The codes for a phone are longer from this number of wrong ones in a row on. Rejects nothing. */
export interface LongerCodes {
  readonly wrongCodes: number;
}

export type Limit = readonly [
  most: number | ((settings: LimitSettings) => number) | Pause | LongerCodes,
  windowMs: number,
  guards: string,
  fails: 'closed' | 'open',
];

const CODES_PER_HOUR = ({ limits }: LimitSettings) => limits.codesPerHour;
const SENDS_PER_DAY = ({ otpSendsPerDay }: LimitSettings) => otpSendsPerDay;
/** Honest people do not reach it in a busy hour. */
const ALARM = ({ otpSendsPerDay }: LimitSettings) =>
  Math.max(ALARM_MIN, Math.ceil(otpSendsPerDay / SENDS_PER_ALARM));
const AFTER_EACH = { step: 1, counter: 'otp:send:hour:{client}' };
const AFTER_FIVE = { step: ATTEMPTS_MAX, counter: 'otp:fail:day:{phone}' };
const LONGER = { wrongCodes: 20 };

/**
 * The limits on one-time codes, on wrong ones and on tokens of login providers, by the keys of their
 * counters (docs/security.md#limits-on-codes). Transactions lock counters in the order of this table,
 * challenges after `otp:send:`, and exchange tokens last, so that none can deadlock.
 */
// oxfmt-ignore
export const LIMITS = {
  // counter                         most            window          guards              fails
  'otp:send:{network}':              [CODES_PER_HOUR, HOUR_MS,        'the bill',         'closed'],
  'otp:send:pair-hour:{ip}:{phone}': [3,              HOUR_MS,        'the phone',        'closed'],
  'otp:send:pair-day:{ip}:{phone}':  [6,              DAY_MS,         'the phone',        'closed'],
  'otp:send:hour:{client}':          [5,              HOUR_MS,        'the phone',        'closed'],
  'otp:send:day:{client}':           [10,             DAY_MS,         'the phone',        'closed'],
  'otp:send:{group}':                [SENDS_PER_DAY,  DAY_MS,         'the bill',         'closed'],
  'otp:send:pause:{client}':         [AFTER_EACH,     MINUTE_MS,      'the phone',        'closed'],
  'otp:fail:{network}':              [300,            HOUR_MS,        'all codes',        'closed'],
  'otp:fail:{device}':               [20,             DAY_MS,         'the code',         'closed'],
  'otp:fail:pair:{ip}:{phone}':      [20,             DAY_MS,         'the code',         'closed'],
  'otp:fail:day:{phone}':            [100,            DAY_MS,         'the code',         'closed'],
  'otp:fail:delay:{phone}':          [AFTER_FIVE,     HOUR_MS,        'the code',         'closed'],
  'otp:fail:row:{phone}':            [LONGER,         365 * DAY_MS,   'the code',         'closed'],
  'otp:alarm':                       [ALARM,          HOUR_MS,        'an alarm only',    'open'],
  'token:invalid:{network}':         [600,            MINUTE_MS,      'the database',     'open'],
  'token:rejected:{network}':        [60,             10 * MINUTE_MS, 'the provider',     'open'],
} as const satisfies Record<string, Limit>;
