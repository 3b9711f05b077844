import { hostname } from 'node:os';

import { origins, proxies } from '#server/environment/list-schema.ts';
import {
  choice,
  databaseUrl,
  integer,
  line,
  origin,
  localOrigin,
  pattern,
  port,
  secret,
  text,
  timeZone,
} from '#server/environment/schema.ts';
import type { SettingTable } from '#server/environment/setting.ts';
import { OTP_SETTINGS } from '#server/adapter/otp/settings.ts';
import { PAGE_SETTINGS } from './page-settings.ts';
import { SMS_SETTINGS } from '#server/adapter/sms/settings.ts';

const DATABASE_POOL_SIZE_MAX = 1000;
const SESSION_DAYS_MAX = 365;
const DRAIN_SECONDS_MAX = 300;
const CONTACT_KEEP_DAYS_MAX = 36_500;
const LIMIT_MAX = 1_000_000;

const SERVER = {
  PORT: {
    schema: port(),
    fallback: '3000',
    help: 'the port; 0 uses a free one and prints it',
  },
  HOST: { schema: text(), fallback: '0.0.0.0', help: 'the address to listen on' },
  PUBLIC_URL: {
    schema: origin(),
    defaultHelp: 'the origin that the request came to',
    help: 'the origin in links, QR codes and previews, for example `https://cards.example.com`',
  },
  CORS_ORIGINS: {
    schema: origins(),
    fallback: '',
    help: 'origins, separated by commas or spaces, whose pages may make the calls ([proxy.md](proxy.md#calls-on-another-origin))',
  },
  TRUST_PROXY: {
    schema: proxies(),
    fallback: '',
    help: 'addresses or networks, separated by commas or spaces, whose `X-Forwarded-*` headers are trusted',
  },
  TIME_ZONE: {
    schema: timeZone(),
    fallback: ({ OTP_COUNTRIES = '' }) =>
      OTP_COUNTRIES.split(',').every((code) => ['', 'IN'].includes(code.trim()))
        ? 'Asia/Kolkata'
        : 'UTC',
    defaultHelp: '`Asia/Kolkata` where `OTP_COUNTRIES` is `IN`; else `UTC`',
    help: 'the time zone in which Analytics counts the days and `contacts.csv` has its times, for example `Asia/Dubai`; the same on every node',
  },
  SESSION_DAYS: {
    schema: integer({ min: 1, max: SESSION_DAYS_MAX }),
    fallback: '30',
    help: 'days after its last use when a session ends, 1 to 365',
  },
  NODE_ENV: {
    schema: choice(['production', 'development', 'test']),
    help: '`production` for a service that people use; else `development` or `test`',
  },
} satisfies SettingTable;

const DATA = {
  DATA_DIR: {
    schema: text(),
    fallback: './data',
    help: "the folder of the embedded database, the photos and the service's secret",
  },
  DATABASE_URL: {
    schema: databaseUrl(),
    defaultHelp: 'none: the embedded database',
    help: '`postgres://…`',
    isSecret: true,
  },
  DATABASE_POOL_SIZE: {
    schema: integer({ min: 1, max: DATABASE_POOL_SIZE_MAX }),
    fallback: '10',
    help: 'the maximum number of connections from one node to PostgreSQL, besides the one for invalidations',
  },
  SECRET: {
    schema: secret(),
    defaultHelp:
      'a file in `DATA_DIR`; with `DATABASE_URL`, derived from a seed in the database and its password',
    help: 'at least 32 characters, the HMAC key for one-time codes, device cookies and the address keys in the log, from which the key for notifications is derived; nodes that share a database share it; set it if `DATABASE_URL` has no password',
    isSecret: true,
  },
  CONTACT_KEEP_DAYS: {
    schema: integer({ min: 1, max: CONTACT_KEEP_DAYS_MAX }),
    defaultHelp: 'for ever',
    help: 'the days after which the details that visitors leave are deleted',
  },
} satisfies SettingTable;

const limit = (fallback: string, help: string) => ({
  schema: integer({ min: 1, max: LIMIT_MAX }),
  fallback,
  help,
});

/** The limits that an office behind one address can reach (docs/security.md#limits). */
// oxfmt-ignore
export const LIMIT_SETTINGS = {
  LIMIT_READS_PER_MINUTE: limit('600', 'how often one address may read cards and photos in a minute'),
  LIMIT_INVALID_PER_MINUTE: limit('120', 'invalid requests without a session from one address in a minute'),
  LIMIT_CONTACTS_PER_HOUR: limit('600', 'contacts from one address to all cards in an hour; one and a half times as many from a /48 of IPv6 or a /24 of IPv4 to one card'),
  LIMIT_CONTACTS_PER_CARD: limit('30', 'contacts from one address to one card in ten minutes; more are held'),
  LIMIT_CODES_PER_HOUR: limit('100', 'one-time codes that one address may request in an hour; three times as many for a /48 of IPv6'),
} satisfies SettingTable;

const OPERATION = {
  METRICS_PORT: {
    schema: port(),
    help: "a separate port for `/metrics` (Prometheus), for the operator's network only; 0 uses a free one",
  },
  METRICS_TOKEN: {
    schema: pattern(
      /^[\x21-\x7e]{16,1024}$/,
      'must be at least 16 visible ASCII characters without spaces',
    ),
    help: "at least 16 characters; enables `/metrics` on the service's own port with `Authorization: Bearer <token>`; without METRICS_PORT and METRICS_TOKEN, nothing is counted and `/metrics` is a 404",
    isSecret: true,
  },
  DRAIN_SECONDS: {
    schema: integer({ min: 0, max: DRAIN_SECONDS_MAX }),
    // Several nodes need PostgreSQL. A proxy that checks each second and counts two failures
    // has removed this node after 3 s.
    fallback: ({ DATABASE_URL }) => (DATABASE_URL?.trim() ? '3' : '0'),
    defaultHelp: '`0`; `3` with `DATABASE_URL`',
    help: 'seconds after SIGTERM in which `/readyz` is 503 and everything else is still served',
  },
  LOG_LEVEL: {
    schema: choice(['fatal', 'error', 'warn', 'info', 'debug', 'silent']),
    fallback: ({ NODE_ENV }) => (NODE_ENV?.trim() === 'production' ? 'info' : 'warn'),
    defaultHelp: '`warn`; `info` with `NODE_ENV=production`',
    help: '`fatal`, `error`, `warn`, `info`, `debug` or `silent`',
  },
  LOG_ADDRESS: {
    schema: choice(['full', 'key', 'none']),
    fallback: 'key',
    help: "the client's address in the log: `full`, a `key` that changes every day, or `none`",
  },
  NODE_NAME: {
    schema: line(),
    fallback: () => hostname(),
    defaultHelp: "the host's name",
    help: 'the name of this node in the log',
  },
  PUSH_TEST_ORIGIN: {
    schema: localOrigin(),
    help: 'for tests only, never with `NODE_ENV=production`: the origin of a push service on this machine, for example `http://127.0.0.1:8090`, whose subscriptions are accepted too; every other endpoint is https with a public address ([security.md](security.md#notifications))',
  },
} satisfies SettingTable;

export const OWN_SETTINGS = {
  ...SERVER,
  ...DATA,
  ...PAGE_SETTINGS,
  ...OTP_SETTINGS,
  ...SMS_SETTINGS,
  ...LIMIT_SETTINGS,
  ...OPERATION,
};

/** By their headings in docs/settings.md. */
export const SETTING_GROUPS = {
  Server: SERVER,
  'Data and photos': DATA,
  Pages: PAGE_SETTINGS,
  Wallets: {},
  Login: OTP_SETTINGS,
  'Text messages': SMS_SETTINGS,
  Limits: LIMIT_SETTINGS,
  Operation: OPERATION,
} satisfies Record<string, SettingTable>;
