import { resolve } from 'node:path';

import * as z from 'zod/mini';

import { origins, proxies } from './list-schema.ts';
import {
  bucketEndpoint,
  checked,
  choice,
  databaseUrl,
  integer,
  key,
  origin,
  pattern,
  port,
  secretKey,
  serviceKey,
  text,
  timeZone,
  line,
  localOrigin,
} from './schema.ts';
import type { SettingTable } from './schema.ts';

const DATABASE_POOL_SIZE_MAX = 1000;
const SESSION_DAYS_MAX = 365;
const CONTACT_KEEP_DAYS_MAX = 36_500;
const SECRET_LENGTH_MIN = 32;

export const SERVER = {
  PORT: { schema: port(), fallback: '3000', help: 'the port; 0 uses a free one and prints it' },
  HOST: { schema: text(), fallback: '0.0.0.0', help: 'the address to listen on' },
  PUBLIC_URL: {
    schema: origin(),
    defaultHelp: 'the origin that the request came to',
    help: 'the origin in links, QR codes and previews, for example `https://cards.example.com`',
  },
  CORS_ORIGINS: {
    schema: origins(),
    fallback: '',
    help: 'origins, separated by commas, whose pages may make the calls ([proxy.md](proxy.md#calls-on-another-origin))',
  },
  TRUST_PROXY: {
    schema: proxies(),
    fallback: '',
    help: 'complete addresses or networks, separated by commas, whose `X-Forwarded-*` headers are trusted; a number of proxies stops the start',
  },
  TIME_ZONE: {
    schema: timeZone(),
    defaultHelp: '`Asia/Kolkata` where `OTP_COUNTRIES` is `IN`; else `UTC`',
    help: 'the zone of the days of Analytics and the times of `contacts.csv`; the same on every node',
  },
  SESSION_DAYS: {
    schema: integer(1, SESSION_DAYS_MAX),
    fallback: '30',
    help: 'days after its last use when a session ends, 1 to 365',
  },
  NODE_ENV: {
    schema: choice(['production', 'development', 'test']),
    help: '`production` for a service that people use',
  },
} satisfies SettingTable;

const BUCKET = ['S3_BUCKET'];

export const DATA = {
  DATA_DIR: {
    schema: z.pipe(
      text(),
      z.transform((folder) => resolve(folder)),
    ),
    fallback: './data',
    help: 'the folder of the embedded database, the photos and the secret',
  },
  DATABASE_URL: {
    schema: databaseUrl(),
    defaultHelp: 'none: the embedded database',
    help: '`postgres://…`',
    isSecret: true,
  },
  DATABASE_POOL_SIZE: {
    schema: integer(1, DATABASE_POOL_SIZE_MAX),
    fallback: '10',
    help: 'connections of one node to PostgreSQL, besides one for invalidations',
  },
  SECRET: {
    schema: checked(
      (value) => value.length >= SECRET_LENGTH_MIN,
      `must have at least ${SECRET_LENGTH_MIN} characters; this makes one: openssl rand -hex 32`,
    ),
    defaultHelp: 'a file in `DATA_DIR`, or derived from `DATABASE_URL`',
    help: 'at least 32 characters, the key for codes, device cookies and notifications, the same on every node; set it if `DATABASE_URL` has no password',
    isSecret: true,
  },
  CONTACT_KEEP_DAYS: {
    schema: integer(1, CONTACT_KEEP_DAYS_MAX),
    defaultHelp: 'for ever',
    help: 'the days after which contacts are deleted',
  },
  S3_BUCKET: {
    schema: pattern(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      'must be 3 to 63 small letters, digits, dots and dashes',
    ),
    service: BUCKET,
    defaultHelp: 'none: files in `DATA_DIR`',
    help: 'a bucket of an S3-compatible store, which has to exist',
  },
  S3_ENDPOINT: {
    schema: bucketEndpoint(),
    service: BUCKET,
    help: "the store's address without the bucket, for example `https://s3.ap-south-1.amazonaws.com`",
  },
  S3_REGION: {
    schema: pattern(/^[\w-]{1,64}$/, 'must be a name such as us-east-1'),
    service: BUCKET,
    fallback: 'us-east-1',
    help: 'the region that requests are signed for',
  },
  S3_ACCESS_KEY_ID: key(BUCKET, 'the id of the key'),
  S3_SECRET_ACCESS_KEY: secretKey(BUCKET, 'the key'),
  S3_FORCE_PATH_STYLE: {
    schema: pattern(/^(?:true|false|)$/, 'must be true or false'),
    service: BUCKET,
    fallback: '',
    defaultHelp: '`true`; `false` at amazonaws.com',
    help: '`false` puts the bucket into the host name',
  },
} satisfies SettingTable;

const DRAIN_SECONDS_MAX = 300;
const CARD_CACHE_MB_MAX = 16_384;
const LIMIT_MAX = 1_000_000;
const METRICS_TOKEN_LENGTH_MIN = 16;

const limit = (fallback: string, help: string) => ({
  schema: integer(1, LIMIT_MAX),
  fallback,
  help,
});

/** The limits that an office behind one address can reach (docs/develop/security.md#limits). */
// oxfmt-ignore
export const LIMIT_SETTINGS = {
  LIMIT_READS_PER_MINUTE: limit('600', 'reads of cards and photos from one address in a minute'),
  LIMIT_INVALID_PER_MINUTE: limit('120', 'invalid bodies of more than 2,048 bytes without a session from one address in a minute'),
  LIMIT_CONTACTS_PER_HOUR: limit('600', 'contacts from one address in an hour; one and a half times as many from a /48 or /24 to one card'),
  LIMIT_CONTACTS_PER_CARD: limit('30', 'contacts from one address to one card in ten minutes; more are held'),
  LIMIT_CODES_PER_HOUR: limit('100', 'one-time codes for one address in an hour; three times as many for a /48'),
} satisfies SettingTable;

export const OPERATION = {
  METRICS_PORT: {
    schema: port(),
    help: 'a separate port for `/metrics`, for your network only; 0 uses a free one',
  },
  METRICS_TOKEN: {
    schema: serviceKey(METRICS_TOKEN_LENGTH_MIN),
    help: "at least 16 characters: `/metrics` on the service's own port, with `Authorization: Bearer <token>`",
    isSecret: true,
  },
  CARD_CACHE_MB: {
    schema: integer(1, CARD_CACHE_MB_MAX),
    fallback: '64',
    help: 'MB of memory for public pages and pictures that are kept ([performance.md](../develop/performance.md#memory-for-cards))',
  },
  DRAIN_SECONDS: {
    schema: integer(0, DRAIN_SECONDS_MAX),
    defaultHelp: '`0`; `3` with `DATABASE_URL`',
    help: 'seconds after SIGTERM in which only `/readyz` is 503',
  },
  LOG_LEVEL: {
    schema: choice(['fatal', 'error', 'warn', 'info', 'debug', 'silent']),
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
    defaultHelp: "the host's name",
    help: 'the name of this node in the log',
  },
  PUSH_TEST_ORIGIN: {
    schema: localOrigin(),
    help: 'for tests only: the origin of a push service on this machine',
  },
  WEBHOOK_TEST_ORIGIN: {
    schema: localOrigin(),
    help: 'for tests only: the origin on this machine that webhooks may be sent to',
  },
} satisfies SettingTable;
