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
const DAYS_MAX = 36_500;
export const SECRET_LENGTH_MIN = 32;

export const SERVER = {
  PORT: {
    schema: port(),
    fallback: '3000',
    help: 'the port to listen on. 0 uses a free one and prints it',
  },
  HOST: {
    schema: text(),
    fallback: '0.0.0.0',
    help: 'the IP address to listen on. Use `127.0.0.1` if your proxy is on this machine, so that nobody goes around it',
  },
  PUBLIC_URL: {
    schema: origin(),
    defaultHelp: 'the origin that the request came to',
    help: 'the https origin that people see. Links, QR codes and previews have it',
  },
  CORS_ORIGINS: {
    schema: origins(),
    fallback: '',
    help: 'the origins, separated by commas, whose pages may [call the API](proxy.md#calls-on-another-origin)',
  },
  TRUST_PROXY: {
    schema: proxies(),
    fallback: '',
    help: 'the IP addresses or networks of your proxies, separated by commas, whose `X-Forwarded-*` headers are trusted. `loopback` is this machine, and `uniquelocal` and `linklocal` are private networks. A number of proxies stops the start',
  },
  TIME_ZONE: {
    schema: timeZone(),
    defaultHelp: '`Asia/Kolkata` if `OTP_COUNTRIES` is `IN`, otherwise `UTC`',
    help: 'the time zone of the days in Analytics and the times in `contacts.csv`. Set the same one on every node',
  },
  SESSION_DAYS: {
    schema: integer(1, SESSION_DAYS_MAX),
    fallback: '30',
    help: 'the number of days without use after which a session ends, from 1 to 365',
  },
  DORMANT_DAYS: {
    schema: integer(0, DAYS_MAX),
    fallback: '0',
    help: 'The number of days without use after which a code alone no longer opens an account, because its number may have been [handed on](admin.md#numbers-that-are-handed-on). 0 means never. It needs `OTP_PROVIDER=embedded`.',
  },
  DORMANT_DELETE_DAYS: {
    schema: integer(1, DAYS_MAX),
    help: 'If a new card has taken the number of an account, the account is deleted after this many days. Without the setting, such accounts stay.',
  },
  NODE_ENV: {
    schema: choice(['production', 'development', 'test']),
    help: 'set `production` for a service that people use. `SMS_GATEWAY` must then be set, and the log has a line for each request',
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
    help: 'the folder of the embedded database, the photos and the secret. Keep it outside the folder of the program',
  },
  DATABASE_URL: {
    schema: databaseUrl(),
    defaultHelp: 'none: the embedded database',
    help: 'the URL of a [PostgreSQL database](scaling.md#postgresql)',
    isSecret: true,
  },
  DATABASE_POOL_SIZE: {
    schema: integer(1, DATABASE_POOL_SIZE_MAX),
    fallback: '10',
    help: 'how many connections a node opens to PostgreSQL, besides one for notifications',
  },
  SECRET: {
    schema: checked(
      (value) => value.length >= SECRET_LENGTH_MIN,
      `must have at least ${SECRET_LENGTH_MIN} characters; this makes one: openssl rand -hex 32`,
    ),
    defaultHelp: 'a file in `DATA_DIR`, or derived from `DATABASE_URL`',
    help: 'the key for codes, device cookies and notifications. It has at least 32 characters and is the same on every node. Set it if `DATABASE_URL` has no password. `openssl rand -hex 32` makes one',
    isSecret: true,
  },
  CONTACT_KEEP_DAYS: {
    schema: integer(1, DAYS_MAX),
    defaultHelp: 'for ever',
    help: 'the number of days after which contacts are deleted',
  },
  S3_BUCKET: {
    schema: pattern(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      'must be 3 to 63 small letters, digits, dots and dashes',
    ),
    service: BUCKET,
    defaultHelp: 'none: files in `DATA_DIR`',
    help: 'the bucket of an S3-compatible store for [photos](#photos-in-a-bucket). Create it first',
  },
  S3_ENDPOINT: {
    schema: bucketEndpoint(),
    service: BUCKET,
    help: "the store's URL without the bucket",
  },
  S3_REGION: {
    schema: pattern(/^[\w-]{1,64}$/, 'must be a name such as us-east-1'),
    service: BUCKET,
    fallback: 'us-east-1',
    help: 'the region for which requests are signed',
  },
  S3_ACCESS_KEY_ID: key(BUCKET, 'the id of the key'),
  S3_SECRET_ACCESS_KEY: secretKey(BUCKET, 'the key'),
  S3_FORCE_PATH_STYLE: {
    schema: pattern(/^(?:true|false|)$/, 'must be true or false'),
    service: BUCKET,
    fallback: '',
    defaultHelp: '`true`, but `false` at amazonaws.com',
    help: 'whether the bucket is in the path (`true`) or in the host name (`false`)',
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
  LIMIT_READS_PER_MINUTE: limit('600', 'how many cards and photos one IP address can read in a minute'),
  LIMIT_INVALID_PER_MINUTE: limit('120', 'how many invalid bodies of more than 2,048 bytes one IP address can send in a minute without a session'),
  LIMIT_CONTACTS_PER_HOUR: limit('600', 'how many contacts one IP address can leave in an hour. A /48 or /24 can leave one and a half times as many on one card'),
  LIMIT_CONTACTS_PER_CARD: limit('30', 'how many contacts one IP address can leave on one card in ten minutes. Further ones are held'),
  LIMIT_CODES_PER_HOUR: limit('100', 'how many one-time codes one IP address can request in an hour. A /48 can request three times as many'),
} satisfies SettingTable;

export const OPERATION = {
  METRICS_PORT: {
    schema: port(),
    help: 'a separate port for `/metrics`. Open it to your own network only. 0 uses a free one',
  },
  METRICS_TOKEN: {
    schema: serviceKey(METRICS_TOKEN_LENGTH_MIN),
    help: "a token of at least 16 characters that opens `/metrics` on the service's own port, with `Authorization: Bearer <token>`",
    isSecret: true,
  },
  CARD_CACHE_MB: {
    schema: integer(1, CARD_CACHE_MB_MAX),
    fallback: '64',
    help: 'how many MB of public pages and pictures a node [keeps in memory](../develop/performance.md#memory-for-cards). [`DATA_DIR/cache`](../develop/performance.md#pages-on-disk) takes at most 16 times as much',
  },
  DRAIN_SECONDS: {
    schema: integer(0, DRAIN_SECONDS_MAX),
    defaultHelp: '`0`, or `3` with `DATABASE_URL`',
    help: 'how many seconds a node goes on after SIGTERM while `/readyz` is 503, so that the proxy sends visitors elsewhere',
  },
  LOG_LEVEL: {
    schema: choice(['fatal', 'error', 'warn', 'info', 'debug', 'silent']),
    defaultHelp: '`warn`, or `info` with `NODE_ENV=production`',
    help: 'the least important lines that are logged: `fatal`, `error`, `warn`, `info`, `debug` or `silent`',
  },
  LOG_ADDRESS: {
    schema: choice(['full', 'key', 'none']),
    fallback: 'key',
    help: "what the log has of a visitor's IP address: `full`, a `key` that changes every day, or `none`",
  },
  NODE_NAME: {
    schema: line(),
    defaultHelp: "the host's name",
    help: 'the name of this node in the log',
  },
  PUSH_TEST_ORIGIN: {
    schema: localOrigin(),
    help: 'the origin of a push service on this machine, for tests only. It stops a start with `NODE_ENV=production`',
  },
  WEBHOOK_TEST_ORIGIN: {
    schema: localOrigin(),
    help: 'an origin on this machine to which webhooks may be sent, for tests only. It stops a start with `NODE_ENV=production`',
  },
} satisfies SettingTable;
