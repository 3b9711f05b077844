import { resolve } from 'node:path';

import { StartError } from './start-error.ts';

/** Everything that the environment decides, read once and checked. Documented in docs/settings.md. */
export type Settings = ReturnType<typeof readSettings>;

type Environment = Readonly<Record<string, string | undefined>>;

const PORT_MAX = 65_535;
const SESSION_DAYS_MAX = 365;
const SECRET_LENGTH_MIN = 32;
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
  const read = reader(environment);
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
    trustProxy: read.list('TRUST_PROXY'),
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

function reader(environment: Environment) {
  const given = (name: string) => environment[name]?.trim() || null;
  const refuse = (name: string, what: string): never => {
    throw new StartError(`${name} ${what}; it is "${environment[name] ?? ''}".`);
  };

  function integer(name: string, fallback: number, range: { min: number; max: number }): number {
    const text = given(name);
    if (text === null) return fallback;
    const value = Number(text);
    const fits = /^\d+$/.test(text) && value >= range.min && value <= range.max;
    return fits ? value : refuse(name, `must be a whole number from ${range.min} to ${range.max}`);
  }

  function url(name: string, fallback: string): string {
    const text = given(name);
    if (text === null) return fallback;
    const isPath = text.startsWith('/') && !text.startsWith('//');
    const isWeb = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
    return isPath || isWeb ? text : refuse(name, 'must be an http or https address or a path');
  }

  function origin(name: string): string {
    const text = given(name);
    if (text === null) return '';
    const parsed = URL.canParse(text) ? new URL(text) : null;
    const isOrigin =
      parsed !== null && /^https?:$/.test(parsed.protocol) && /^\/?$/.test(parsed.pathname);
    return isOrigin ? parsed.origin : refuse(name, 'must be like https://cards.example.com');
  }

  function choice<Choice extends string>(
    name: string,
    choices: readonly Choice[],
    fallback: Choice | null,
  ): Choice {
    const text = given(name) ?? fallback;
    const found = choices.find((one) => one === text);
    return found ?? refuse(name, `must be one of ${choices.join(', ')}`);
  }

  function databaseUrl(name: string): string {
    const text = given(name);
    if (text === null) return '';
    // The address holds a password, so it is not repeated.
    if (/^postgres(ql)?:\/\/./.test(text)) return text;
    throw new StartError(`${name} must be an address that starts with postgres://.`);
  }

  function secret(name: string): string {
    const text = given(name);
    if (text === null || text.length >= SECRET_LENGTH_MIN) return text ?? '';
    throw new StartError(`${name} must have at least ${SECRET_LENGTH_MIN} characters.`);
  }

  function countries(name: string, fallback: readonly string[]): readonly string[] {
    const found = list(name);
    if (found.length === 0) return fallback;
    const areCountries = found.every((one) => /^[A-Z]{2}$/.test(one));
    return areCountries ? found : refuse(name, 'must be two-letter country codes such as IN,AE');
  }

  function list(name: string): readonly string[] {
    return (given(name) ?? '').split(',').flatMap((part) => part.trim() || []);
  }

  function testNumbers(name: string, untilName: string) {
    const codes = new Map<string, string>();
    for (const pair of list(name)) {
      const [, phone, code] = /^(\+\d{8,15}):(\d{6})$/.exec(pair) ?? [];
      if (!phone || !code) return refuse(name, 'must be like +919999900001:123456,…');
      codes.set(phone, code);
    }
    if (codes.size === 0) return { codes, until: 0 };
    const until = Date.parse(given(untilName) ?? '');
    return Number.isNaN(until)
      ? refuse(untilName, `must be a date such as 2030-01-31, because ${name} is set`)
      : { codes, until };
  }

  const text = (name: string, fallback: string) => given(name) ?? fallback;
  return { integer, url, origin, choice, databaseUrl, secret, countries, list, testNumbers, text };
}
