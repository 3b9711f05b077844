import { resolve } from 'node:path';

import { environmentReader } from './environment.ts';
import type { Environment } from './environment.ts';
import { StartError } from './start-error.ts';

/** Everything that the environment decides, read once and checked. Documented in docs/settings.md. */
export type Settings = ReturnType<typeof readSettings>;

const PORT_MAX = 65_535;
const SESSION_DAYS_MAX = 365;
const PROVIDERS = ['embedded'] as const;
const GATEWAYS = ['console'] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;
const NOT_YET = [
  'S3_BUCKET',
  'S3_ENDPOINT',
  'S3_REGION',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
];

/**
 * Reads the settings from an environment.
 * Throws StartError with a sentence that names the first variable that will not do.
 */
export function readSettings(environment: Environment) {
  const read = environmentReader(environment);
  const isProduction = environment['NODE_ENV'] === 'production';
  for (const name of NOT_YET) {
    if (environment[name])
      throw new StartError(`${name} is set, but photos in S3 do not work yet.`);
  }
  return {
    port: read.integer('PORT', 3000, { min: 0, max: PORT_MAX }),
    host: read.text('HOST', '0.0.0.0'),
    /** '' is the origin that the request came to. */
    publicUrl: read.origin('PUBLIC_URL'),
    trustProxy: read.proxies('TRUST_PROXY'),
    dataDir: resolve(read.text('DATA_DIR', './data')),
    databaseUrl: read.databaseUrl('DATABASE_URL'),
    /** '' is a file in the data folder, made at the first start. */
    secret: read.secret('SECRET'),
    sessionDays: read.integer('SESSION_DAYS', 30, { min: 1, max: SESSION_DAYS_MAX }),
    productName: read.text('PRODUCT_NAME', 'Tessera'),
    appUrl: read.url('APP_URL', '/login'),
    supportEmail: read.text('SUPPORT_EMAIL', 'support@example.com'),
    jurisdictionState: read.text('JURISDICTION_STATE', 'Karnataka'),
    iconBaseUrl: read.url('ICON_BASE_URL', '/icons/'),
    vitalsUrl: read.url('VITALS_URL', ''),
    apiUrl: read.url('API_BASE_URL', '/api'),
    serverUrl: read.url('SERVER_BASE_URL', '/api'),
    otpProvider: read.choice('OTP_PROVIDER', PROVIDERS, 'embedded'),
    otpAppId: read.text('OTP_APP_ID', 'tessera'),
    otpCountries: read.countries('OTP_COUNTRIES', ['IN']),
    otpTestNumbers: read.testNumbers('OTP_TEST_NUMBERS', 'OTP_TEST_NUMBERS_UNTIL'),
    otpSendsPerDay: read.integer('OTP_SENDS_PER_DAY', 10_000, { min: 1, max: 100_000_000 }),
    smsGateway: read.choice('SMS_GATEWAY', GATEWAYS, isProduction ? null : 'console'),
    logLevel: read.choice('LOG_LEVEL', LOG_LEVELS, isProduction ? 'info' : 'warn'),
  };
}
