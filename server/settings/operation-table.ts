import { choice, integer, line, localOrigin, port, serviceKey } from './schema.ts';
import type { SettingTable } from './setting.ts';

const DRAIN_SECONDS_MAX = 300;
const LIMIT_MAX = 1_000_000;
const METRICS_TOKEN_LENGTH_MIN = 16;

const limit = (fallback: string, help: string) => ({
  schema: integer(1, LIMIT_MAX),
  fallback,
  help,
});

/** The limits that an office behind one address can reach (docs/security.md#limits). */
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
