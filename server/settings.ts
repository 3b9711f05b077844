import { resolve } from 'node:path';

import { environmentReader } from './environment/reader.ts';
import type { Environment } from './environment/reader.ts';
import { THIRD_PARTIES, THIRD_PARTY_KINDS } from './otp/providers.ts';
import type { ThirdPartySettings } from './otp/third-party.ts';
import type { BucketSettings } from './storage/bucket-settings.ts';
import { BUCKET_KEYS, bucketSettings } from './storage/bucket-settings.ts';
import { GATEWAY_KINDS, GATEWAYS } from './sms/gateways.ts';
import type { GatewaySettings } from './sms/gateway.ts';
import { StartError } from './start-error.ts';

/** Everything that the environment decides, read once and checked. Documented in docs/settings.md. */
export type Settings = ReturnType<typeof readSettings>;

const PORT_MAX = 65_535;
const NO_PORT = -1;
const DRAIN_SECONDS_MAX = 300;
const DATABASE_POOL_SIZE_MAX = 1000;
/** A proxy that asks every second and counts two failures has noticed by then. */
const DRAIN_SECONDS_SHARED = 3;
const SESSION_DAYS_MAX = 365;
const PROVIDERS = ['embedded', ...THIRD_PARTY_KINDS] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;

/**
 * Reads the settings from an environment.
 * Throws StartError with a sentence that names the first variable that will not do.
 */
export function readSettings(environment: Environment) {
  const read = environmentReader(environment);
  const isProduction = environment['NODE_ENV'] === 'production';
  const otpProvider = read.choice('OTP_PROVIDER', PROVIDERS, 'embedded');
  // Only the embedded provider sends codes itself.
  const needsGateway = isProduction && otpProvider === 'embedded';
  const smsGateway = read.choice('SMS_GATEWAY', GATEWAY_KINDS, needsGateway ? null : 'console');
  const databaseUrl = read.databaseUrl('DATABASE_URL');
  return {
    port: read.integer('PORT', 3000, { min: 0, max: PORT_MAX }),
    host: read.text('HOST', '0.0.0.0'),
    /** '' is the origin that the request came to. */
    publicUrl: read.origin('PUBLIC_URL'),
    trustProxy: read.proxies('TRUST_PROXY'),
    dataDir: resolve(read.text('DATA_DIR', './data')),
    databaseUrl,
    /** Null is files in the data folder. */
    photoBucket: readBucket(read),
    databasePoolSize: read.integer('DATABASE_POOL_SIZE', 10, {
      min: 1,
      max: DATABASE_POOL_SIZE_MAX,
    }),
    /** '' is a file in the data folder, made at the first start. */
    secret: read.secret('SECRET'),
    sessionDays: read.integer('SESSION_DAYS', 30, { min: 1, max: SESSION_DAYS_MAX }),
    productName: read.words('PRODUCT_NAME', 'Tessera'),
    appUrl: read.url('APP_URL', '/login'),
    supportEmail: read.email('SUPPORT_EMAIL', 'support@example.com'),
    jurisdictionState: read.words('JURISDICTION_STATE', 'Karnataka'),
    iconBaseUrl: read.url('ICON_BASE_URL', '/icons/'),
    vitalsUrl: read.url('VITALS_URL', ''),
    apiUrl: read.url('API_BASE_URL', '/api'),
    serverUrl: read.url('SERVER_BASE_URL', '/api'),
    otpProvider,
    otpAppId: read.text('OTP_APP_ID', 'tessera'),
    /** Null with the embedded provider. */
    thirdParty: otpProvider === 'embedded' ? null : readThirdParty(read, otpProvider),
    otpCountries: read.countries('OTP_COUNTRIES', ['IN']),
    otpTestNumbers: read.testNumbers('OTP_TEST_NUMBERS', 'OTP_TEST_NUMBERS_UNTIL'),
    otpSendsPerDay: read.integer('OTP_SENDS_PER_DAY', 10_000, { min: 1, max: 100_000_000 }),
    smsGateway,
    gateway: readGateway(read, smsGateway),
    /** How long a node that is told to stop still serves: the embedded database has no other node. */
    drainSeconds: read.integer('DRAIN_SECONDS', databaseUrl === '' ? 0 : DRAIN_SECONDS_SHARED, {
      min: 0,
      max: DRAIN_SECONDS_MAX,
    }),
    /** -1 is none; metrics are kept only where there is a port or a token. */
    metricsPort: read.integer('METRICS_PORT', NO_PORT, { min: 0, max: PORT_MAX }),
    metricsToken: read.text('METRICS_TOKEN', ''),
    logLevel: read.choice('LOG_LEVEL', LOG_LEVELS, isProduction ? 'info' : 'warn'),
  };
}

type Read = ReturnType<typeof environmentReader>;

function readBucket(read: Read): BucketSettings | null {
  if (read.text('S3_BUCKET', '') !== '') {
    return bucketSettings(read.keys(BUCKET_KEYS, 'S3_BUCKET is set'));
  }
  const stray = Object.keys(BUCKET_KEYS).find((name) => read.text(name, '') !== '');
  if (stray === undefined) return null;
  throw new StartError(`S3_BUCKET must be set, because ${stray} is set.`);
}

function readThirdParty(read: Read, kind: keyof typeof THIRD_PARTIES): ThirdPartySettings {
  const { scriptUrl, serviceUrl, keys } = THIRD_PARTIES[kind];
  const because = `OTP_PROVIDER is ${kind}`;
  return {
    appId: read.needed('OTP_APP_ID', because),
    scriptUrl: read.service('OTP_SCRIPT_URL', scriptUrl),
    serviceUrl: read.service('OTP_SERVICE_URL', serviceUrl),
    origins: read.origins('OTP_ORIGINS'),
    keys: read.keys<string>(keys, because),
  };
}

function readGateway(read: Read, kind: keyof typeof GATEWAYS): GatewaySettings {
  const { serviceUrl, keys } = GATEWAYS[kind];
  return {
    serviceUrl: serviceUrl === null ? '' : read.service('SMS_SERVICE_URL', serviceUrl),
    keys: read.keys<string>(keys, `SMS_GATEWAY is ${kind}`),
  };
}
