import { hostname } from 'node:os';
import { resolve } from 'node:path';

import { TRANSLATIONS } from '#domain/language/language.ts';
import { expect, test } from 'vitest';

import { settingsError } from '#tests/support/settings.ts';
import { THIRD_PARTY_NAMES } from '#server/otp/providers.ts';
import { readSettings, SETTING_TABLES } from './settings.ts';
import { GATEWAY_NAMES } from '#server/sms/gateways.ts';

test('settings: have their defaults', () => {
  expect(readSettings({})).toEqual({
    port: 3000,
    host: '0.0.0.0',
    publicUrl: null,
    corsOrigins: [],
    trustProxy: [],
    dataDir: resolve('./data'),
    databaseUrl: null,
    photoBucket: null,
    databasePoolSize: 10,
    drainSeconds: 0,
    metricsPort: null,
    metricsToken: null,
    secret: null,
    timeZone: 'Asia/Kolkata',
    sessionDays: 30,
    contactKeepDays: null,
    connectNotice: null,
    productName: 'Tessera',
    appUrl: '/login',
    supportEmail: 'support@example.com',
    abuseEmail: null,
    securityContact: 'mailto:support@example.com',
    jurisdictionState: 'Karnataka',
    policyAdditions: {
      '/terms_conditions': null,
      '/privacy_policy': null,
      '/Cancellation_Refund': null,
      '/Shipping_delivery': null,
    },
    iconBaseUrl: '/icons',
    vitalsUrl: null,
    hasFullContactFile: false,
    applePass: null,
    googleWallet: null,
    views: new Set(),
    cardExtras: new Set(),
    languages: [],
    apiUrl: '/api',
    serverUrl: '/api',
    otpProvider: 'embedded',
    otpAppId: 'tessera',
    thirdParty: null,
    otpCountries: ['IN'],
    otpTestNumbers: { codes: new Map(), until: 0 },
    otpSendsPerDay: 10_000,
    limits: {
      readsPerMinute: 600,
      invalidPerMinute: 120,
      contactsPerHour: 600,
      contactsPerCard: 30,
      codesPerHour: 100,
    },
    pushTestOrigin: null,
    cdn: null,
    gateways: [{ name: 'console', serviceUrl: '', keys: {} }],
    whatsappCountries: ['IN'],
    logLevel: 'warn',
    logAddress: 'key',
    nodeName: hostname(),
    isProduction: false,
  });
});

test('settings: spaces around a value are ignored', () => {
  const settings = readSettings({
    PORT: ' 8080 ',
    PUBLIC_URL: 'https://cards.example.com/',
    TRUST_PROXY: '10.0.0.0/8, loopback ::1',
    DATABASE_URL: 'postgres://db/tessera',
    OTP_COUNTRIES: 'IN, AE',
    VIEWS: 'contacts, analytics',
    CARD_EXTRAS: 'upi,address',
    LANGUAGES: 'ta, en,hi',
    OTP_TEST_NUMBERS: '+919999900001:123456,+919999900002:654321',
    OTP_TEST_NUMBERS_UNTIL: '2030-01-31',
  });
  expect(settings).toMatchObject({
    port: 8080,
    publicUrl: 'https://cards.example.com',
    trustProxy: ['10.0.0.0/8', 'loopback', '::1'],
    databaseUrl: 'postgres://db/tessera',
    otpCountries: ['IN', 'AE'],
    timeZone: 'UTC',
    views: new Set(['contacts', 'analytics']),
    cardExtras: new Set(['upi', 'address']),
    languages: ['en', 'ta', 'hi'],
    otpTestNumbers: {
      codes: new Map([
        ['+919999900001', '123456'],
        ['+919999900002', '654321'],
      ]),
      until: Date.UTC(2030, 0, 31),
    },
  });
});

function baseUrls(value: string) {
  const names = ['API_BASE_URL', 'SERVER_BASE_URL', 'ICON_BASE_URL'];
  const settings = readSettings(Object.fromEntries(names.map((name) => [name, value])));
  return [...new Set([settings.apiUrl, settings.serverUrl, settings.iconBaseUrl])];
}

test('settings: a base URL has no slash at its end; APP_URL and VITALS_URL are unchanged', () => {
  expect(baseUrls('/base/')).toEqual(['/base']);
  expect(baseUrls('https://a.example/base//')).toEqual(['https://a.example/base']);
  expect(baseUrls('/')).toEqual(['']);
  const whole = { APP_URL: '/', VITALS_URL: 'https://a.example/vitals/' };
  expect(readSettings(whole)).toMatchObject({ appUrl: '/', vitalsUrl: whole.VITALS_URL });
});

const FREE_TEXTS = [
  'APPLE_PASS_KEY_PASSPHRASE',
  'DATA_DIR',
  'HOST',
  'OTP_APP_ID',
  'PRIVACY_ADDITION',
  'REFUND_ADDITION',
  'SHIPPING_ADDITION',
  'TERMS_ADDITION',
];

test('settings: a bad value is an error, whether or not its provider or gateway is selected', () => {
  const bad = 'of no\nform\u0007';
  const names = new Set(SETTING_TABLES.flatMap((table) => Object.keys(table)));
  const accepted = [...names].filter((name) => settingsError({ [name]: bad }) === 'accepted');
  expect(accepted.toSorted()).toEqual(FREE_TEXTS.filter((name) => !name.startsWith('APPLE')));
  for (const name of names) {
    if (FREE_TEXTS.includes(name)) continue;
    expect(settingsError({ [name]: bad })).toMatch(new RegExp(`^${name} must `));
  }
});

test('settings: a blank variable counts as not set', () => {
  expect(readSettings({ PORT: '', PUBLIC_URL: '  ', OTP_COUNTRIES: ',' })).toEqual(
    readSettings({}),
  );
});

const ADDRESS = 'must be an http or https address or a path';

test.each([
  ['PORT', '70000', 'must be a whole number from 0 to 65535'],
  ['PORT', '80a', 'must be a whole number from 0 to 65535'],
  ['PORT', '-1', 'must be a whole number from 0 to 65535'],
  ['PORT', '1e3', 'must be a whole number from 0 to 65535'],
  ...['leads', 'contacts,contacts', 'contacts analytics', 'contacts,', ','].map((value) => [
    'VIEWS',
    value,
    'must be some of contacts, analytics, each once, separated by commas',
  ]),
  ...['fr', 'hi,hi', 'hi;ta', 'HI'].map((value) => [
    'LANGUAGES',
    value,
    `must be some of en, ${TRANSLATIONS.join(', ')}, each once, separated by commas`,
  ]),
  ['TIME_ZONE', 'Asia/Nowhere', 'must be a time zone such as Asia/Kolkata'],
  ['CONTACT_KEEP_DAYS', '0', 'must be a whole number from 1 to 36500'],
  ['CONNECT_NOTICE', 'One\ntwo', 'must be one line of at most 300 characters'],
  [
    'PUSH_TEST_ORIGIN',
    'http://192.168.1.2:8090',
    'must be an origin on this machine such as http://127.0.0.1:8090',
  ],
  ['SESSION_DAYS', '1.5', 'must be a whole number from 1 to 365'],
  ['OTP_SENDS_PER_DAY', 'many', 'must be a whole number from 1 to 100000000'],
  ['LIMIT_READS_PER_MINUTE', '0', 'must be a whole number from 1 to 1000000'],
  ...[
    'cards.example.com',
    'https://:x@a.example',
    'https://a.example/b',
    'https://a.example?b',
  ].map((value) => ['PUBLIC_URL', value, 'must be like https://cards.example.com']),
  ['SUPPORT_EMAIL', 'write to us', 'must be an e-mail address'],
  ['SUPPORT_EMAIL', 'help@example.com?cc=x', 'must be an e-mail address'],
  ['PRODUCT_NAME', 'Cards\nof ours', 'must be one line of at most 60 characters'],
  ['JURISDICTION_STATE', 'K'.repeat(61), 'must be one line of at most 60 characters'],
  ['APP_URL', 'javascript:alert(1)', ADDRESS],
  ['ICON_BASE_URL', '//cdn', ADDRESS],
  ['VITALS_URL', 'vitals', ADDRESS],
  ['API_BASE_URL', 'ftp://api', ADDRESS],
  ['TRUST_PROXY', 'my-proxy', 'must be addresses or networks such as 10.0.0.0/8,loopback'],
  ['TRUST_PROXY', '10.0.0.0/33', 'must be addresses or networks such as 10.0.0.0/8,loopback'],
  ['OTP_PROVIDER', 'carrier', `must be one of embedded, ${THIRD_PARTY_NAMES.join(', ')}`],
  ['SMS_GATEWAY', 'pigeon', `must be one of ${GATEWAY_NAMES.join(', ')}`],
  ['NODE_ENV', 'prod', 'must be one of production, development, test'],
  ['LOG_LEVEL', 'loud', 'must be one of fatal, error, warn, info, debug, silent'],
  ['OTP_COUNTRIES', 'India', 'must be two-letter country codes such as IN,AE'],
  ['OTP_COUNTRIES', 'IN,XX', 'must be two-letter country codes such as IN,AE'],
  ['OTP_TEST_NUMBERS', '9999900001:123456', 'must be like +919999900001:123456,…'],
])('settings: an invalid %s (%s) is a StartError that names it', (name, value, must) => {
  expect(settingsError({ [name]: value })).toBe(`${name} ${must}; it is "${value}".`);
});

test('settings: an error does not repeat a secret', () => {
  const address =
    'DATABASE_URL must be an address such as postgres://user:password@host:5432/name; special characters in the password must be percent-encoded.';
  expect(settingsError({ DATABASE_URL: 'mysql://user:hunter2@db' })).toBe(address);
  expect(settingsError({ DATABASE_URL: 'postgres://user:hunter#2@db/name' })).toBe(address);
  expect(settingsError({ METRICS_TOKEN: 'x' })).toBe(
    'METRICS_TOKEN must be at least 16 visible ASCII characters without spaces.',
  );
  expect(settingsError({ SECRET: 'too short' })).toBe(
    'SECRET must have at least 32 characters; this makes one: openssl rand -hex 32.',
  );
});

const webhookError = (address: string) =>
  settingsError({
    SMS_GATEWAY: 'webhook',
    SMS_WEBHOOK_URL: address,
    SMS_WEBHOOK_SECRET: 'a-secret-of-more-than-32-characters',
  });

test('SMS_WEBHOOK_URL: is an https address, or http on this machine; DATABASE_URL accepts a socket folder', () => {
  for (const address of [
    'https://gateway.example.com/codes?key=1',
    'http://127.0.0.1:8080/codes',
    'http://localhost/codes',
  ])
    expect([address, webhookError(address)]).toEqual([address, 'accepted']);
  const must = 'must be an https address (http on this machine only) without a password.';
  for (const address of [
    'http://gateway.example.com/codes',
    'https://user:hunter2@gateway.example.com',
    'https://gateway.example.com/co des',
  ])
    expect([address, webhookError(address)]).toEqual([address, `SMS_WEBHOOK_URL ${must}`]);
  const socket = 'postgres://user:pass@/name?host=/run/postgresql';
  expect(settingsError({ DATABASE_URL: socket })).toBe('accepted');
});

test('OTP_TEST_NUMBERS: needs OTP_TEST_NUMBERS_UNTIL', () => {
  const OTP_TEST_NUMBERS = '+919999900001:123456';
  expect(settingsError({ OTP_TEST_NUMBERS })).toBe(
    'OTP_TEST_NUMBERS_UNTIL must be set, because OTP_TEST_NUMBERS is set.',
  );
  expect(settingsError({ OTP_TEST_NUMBERS, OTP_TEST_NUMBERS_UNTIL: 'soon' })).toBe(
    'OTP_TEST_NUMBERS_UNTIL must be a date such as 2030-01-31; it is "soon".',
  );
});

test('SMS_GATEWAY: must be set in production', () => {
  const NODE_ENV = 'production';
  expect(settingsError({ NODE_ENV })).toBe(
    `SMS_GATEWAY must be set, because NODE_ENV is production; choose one of ${GATEWAY_NAMES.join(', ')}, where console only prints the codes.`,
  );
  expect(readSettings({ NODE_ENV, SMS_GATEWAY: 'console' })).toMatchObject({
    gateways: [{ name: 'console' }],
    logLevel: 'info',
  });
  expect(settingsError({ NODE_ENV: ' production ' })).toContain('SMS_GATEWAY must be set');
});

const BUCKET = {
  S3_BUCKET: 'cards',
  S3_ENDPOINT: 'https://store.example.com/',
  S3_ACCESS_KEY_ID: 'AKEXAMPLE',
  S3_SECRET_ACCESS_KEY: 'hunter2/hunter2',
};

test('bucket settings: the endpoint and the keys are required', () => {
  expect(readSettings(BUCKET).photoBucket).toEqual({
    bucket: 'cards',
    endpoint: 'https://store.example.com',
    region: 'us-east-1',
    accessKeyId: 'AKEXAMPLE',
    secretAccessKey: 'hunter2/hunter2',
    isPathStyle: true,
  });
});

const isPathStyle = (environment: Record<string, string>) =>
  readSettings({ ...BUCKET, ...environment }).photoBucket?.isPathStyle;

test('bucket settings: path style; virtual hosts for Amazon; S3_FORCE_PATH_STYLE has precedence', () => {
  const amazon = { S3_ENDPOINT: 'https://s3.ap-south-1.amazonaws.com' };
  expect([
    isPathStyle(amazon),
    isPathStyle({ ...amazon, S3_BUCKET: 'my.cards' }),
    isPathStyle({ ...amazon, S3_FORCE_PATH_STYLE: 'true' }),
    isPathStyle({ S3_FORCE_PATH_STYLE: 'false' }),
  ]).toEqual([false, true, true, false]);
});

const STORE_ADDRESS = 'S3_ENDPOINT must be an http or https address without password and query.';

test.each([
  [{ S3_BUCKET: 'My_Cards' }, 'S3_BUCKET must be 3 to 63 small letters, digits, dots and dashes.'],
  [{ S3_ENDPOINT: '' }, 'S3_ENDPOINT must be set, because S3_BUCKET is set.'],
  [{ S3_ENDPOINT: 'https://user:hunter2@store.example.com' }, STORE_ADDRESS],
  [{ S3_ENDPOINT: 'https://:hunter2@store.example.com' }, STORE_ADDRESS],
  [{ S3_ENDPOINT: 'https://store.example.com:99999' }, STORE_ADDRESS],
  [
    { S3_ENDPOINT: 'https://cards.store.example.com' },
    'S3_ENDPOINT must be the address of the store, without the bucket in it.',
  ],
  [{ S3_REGION: 'Mumbai, India' }, 'S3_REGION must be a name such as us-east-1.'],
  [
    { S3_SECRET_ACCESS_KEY: 'hunter2 hunter2' },
    'S3_SECRET_ACCESS_KEY must be visible ASCII characters without spaces.',
  ],
  [{ S3_FORCE_PATH_STYLE: 'yes' }, 'S3_FORCE_PATH_STYLE must be true or false.'],
  [
    { S3_FORCE_PATH_STYLE: 'false', S3_ENDPOINT: 'http://127.0.0.1:9000' },
    'S3_FORCE_PATH_STYLE must be true, because S3_ENDPOINT is an IP address, which cannot have a subdomain.',
  ],
  [{ S3_BUCKET: '' }, 'S3_BUCKET must be set, because S3_ENDPOINT is set.'],
])('bucket settings: %j is an error', (wrong, sentence) => {
  expect(settingsError({ ...BUCKET, ...wrong })).toBe(sentence);
});

test('PUSH_TEST_ORIGIN: stops the start in production', () => {
  const variables = { PUSH_TEST_ORIGIN: 'http://127.0.0.1:8090', SMS_GATEWAY: 'console' };
  expect(readSettings(variables).pushTestOrigin).toBe('http://127.0.0.1:8090');
  expect(settingsError({ ...variables, NODE_ENV: 'production' })).toMatch(
    /^PUSH_TEST_ORIGIN must not be set with NODE_ENV=production/,
  );
});
