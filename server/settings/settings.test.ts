import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';

import { expect, test } from 'vitest';

import { EXTRAS } from '#domain/extras.ts';
import { TRANSLATION_LANGUAGES } from '#domain/language/language.ts';
import { newFolder } from '#tests/support/folder.ts';
import { settingsError } from '#tests/support/settings.ts';
import { words } from '#tests/support/words.ts';

import { GATEWAY_NAMES, PROVIDER_NAMES } from './login-table.ts';
import type { Environment, Setting } from './schema.ts';
import { readSettings } from './settings.ts';
import { SETTINGS } from './table.ts';

/** What is no fallback of docs/operate/settings.md, or is made of another setting. */
const DEFAULTS = {
  appUrl: '/login',
  dataDir: resolve('./data'),
  drainSeconds: 0,
  logLevel: 'warn',
  nodeName: hostname(),
  otpAppId: 'tessera',
  photoBucket: null,
  securityContact: 'mailto:support@example.com',
  timeZone: 'Asia/Kolkata',
};

test('settings: have their defaults, also where a variable is blank', () => {
  expect(readSettings({})).toMatchObject(DEFAULTS);
  const blank = { PORT: '', PUBLIC_URL: '  ', OTP_COUNTRIES: ',' };
  expect(readSettings(blank)).toEqual(readSettings({}));
});

const OTPLESS = {
  OTP_PROVIDER: 'otpless',
  OTP_APP_ID: 'app-1',
  OTPLESS_CLIENT_ID: 'client-1',
  OTPLESS_CLIENT_SECRET: 'hunter2-hunter2',
};
const BUCKET = {
  S3_BUCKET: 'cards',
  S3_ENDPOINT: 'https://store.example.com/',
  S3_ACCESS_KEY_ID: 'AKEXAMPLE',
  S3_SECRET_ACCESS_KEY: 'hunter2/hunter2',
};
const AMAZON = { ...BUCKET, S3_ENDPOINT: 'https://s3.ap-south-1.amazonaws.com' };
const WEBHOOK_SECRET = 'a-secret-of-at-least-32-characters';
const WEBHOOK = {
  SMS_GATEWAY: 'webhook',
  SMS_WEBHOOK_URL: 'https://gateway:8080/codes?from=tessera',
  SMS_WEBHOOK_SECRET: WEBHOOK_SECRET,
};
const MSG91 = { MSG91_AUTH_KEY: 'key-1', MSG91_TEMPLATE_ID: 'template-1' };
const TEST_NUMBERS = '+919999900001:123456,+919999900002:654321';
const TEST_CODES = TEST_NUMBERS.split(',').map((one) => one.split(':') as [string, string]);
const OTPLESS_ORIGINS = ['https://cdn.example.com', 'https://*.example.org:8443'];
const STORE = { bucket: 'cards', endpoint: 'https://store.example.com', region: 'us-east-1' };
const STORE_KEYS = { accessKeyId: 'AKEXAMPLE', secretAccessKey: 'hunter2/hunter2' };
test.each<[Environment, object]>([
  [{ PORT: ' 8080 ' }, { port: 8080 }],
  [{ PUBLIC_URL: 'https://cards.example.com/' }, { publicUrl: 'https://cards.example.com' }],
  [{ TRUST_PROXY: '10.0.0.0/8, loopback ::1' }, { trustProxy: ['10.0.0.0/8', 'loopback', '::1'] }],
  [{ OTP_COUNTRIES: 'IN, AE' }, { otpCountries: ['IN', 'AE'], timeZone: 'UTC' }],
  [{ VIEWS: 'contacts, analytics' }, { views: new Set(['contacts', 'analytics']) }],
  [{ CARD_EXTRAS: 'upi,address' }, { cardExtras: new Set(['upi', 'address']) }],
  [{ CARD_EXTRAS: ' all ' }, { cardExtras: new Set(EXTRAS) }],
  [{ LANGUAGES: 'all' }, { languages: ['en', ...TRANSLATION_LANGUAGES] }],
  [{ LANGUAGES: 'ta, en,hi' }, { languages: ['en', 'ta', 'hi'] }],
  [
    { OTP_TEST_NUMBERS: TEST_NUMBERS, OTP_TEST_NUMBERS_UNTIL: '2030-01-31' },
    { otpTestNumbers: new Map(TEST_CODES), otpTestNumbersUntil: Date.UTC(2030, 0, 31) },
  ],
  [{ API_BASE_URL: '/base/' }, { apiBaseUrl: '/base' }],
  [{ SERVER_BASE_URL: 'https://a.example/base//' }, { serverBaseUrl: 'https://a.example/base' }],
  [{ ICON_BASE_URL: '/' }, { iconBaseUrl: '' }],
  [{ APP_URL: '/' }, { appUrl: '/' }],
  [{ VITALS_URL: 'https://a.example/vitals/' }, { vitalsUrl: 'https://a.example/vitals/' }],
  [
    { NODE_ENV: 'production', SMS_GATEWAY: 'console' },
    { nodeEnv: 'production', logLevel: 'info' },
  ],
  [{ PUSH_TEST_ORIGIN: 'http://127.0.0.1:80' }, { pushTestOrigin: 'http://127.0.0.1' }],
  [
    { ...OTPLESS, OTP_SERVICE_URL: 'https://a.example/base/', OTP_ORIGINS: OTPLESS_ORIGINS.join() },
    {
      otpProvider: 'otpless',
      otpAppId: 'app-1',
      otpServiceUrl: 'https://a.example/base',
      otpOrigins: OTPLESS_ORIGINS,
      otplessClientId: 'client-1',
      otplessClientSecret: 'hunter2-hunter2',
    },
  ],
  [WEBHOOK, { smsGateway: ['webhook'], smsText: '' }],
  [
    { SMS_GATEWAY: ' msg91 ', ...MSG91 },
    { smsGateway: ['msg91'], msg91AuthKey: 'key-1', msg91CodeVariable: 'otp' },
  ],
  [BUCKET, { photoBucket: { ...STORE, ...STORE_KEYS, isPathStyle: true } }],
  [{ ...BUCKET, S3_FORCE_PATH_STYLE: 'false' }, { photoBucket: { isPathStyle: false } }],
  [AMAZON, { photoBucket: { isPathStyle: false } }],
  [{ ...AMAZON, S3_BUCKET: 'my.cards' }, { photoBucket: { isPathStyle: true } }],
])('settings: %j are read as %j', (environment, settings) => {
  expect(readSettings(environment)).toMatchObject(settings);
});

const FREE_TEXTS =
  'BRAND_LOGO DATA_DIR HOST OTP_APP_ID PRIVACY_ADDITION REFUND_ADDITION SHIPPING_ADDITION TERMS_ADDITION';

test('settings: a bad value is an error, whether or not its provider or gateway is selected', () => {
  const bad = 'of no\nform\u0007';
  const names = new Set(Object.keys(SETTINGS));
  const accepted = [...names].filter((name) => settingsError({ [name]: bad }) === 'accepted');
  expect(accepted.toSorted().join(' ')).toBe(FREE_TEXTS);
  // A free text too, which needs the other settings of its pass.
  for (const name of accepted.concat('APPLE_PASS_KEY_PASSPHRASE')) names.delete(name);
  for (const name of names)
    expect(settingsError({ [name]: bad })).toMatch(new RegExp(`^${name} must `));
});

const SERVICES = [...PROVIDER_NAMES.slice(1), ...GATEWAY_NAMES.slice(1)].map((name, index) => {
  const selector = index < PROVIDER_NAMES.length - 1 ? 'OTP_PROVIDER' : 'SMS_GATEWAY';
  const isOf = ([, { service = [] }]: [string, Setting]) => service.includes(`${selector}=${name}`);
  const entries = Object.entries<Setting>(SETTINGS).filter(isOf);
  return [selector, name, entries.filter(([, { fallback }]) => fallback === undefined)] as const;
});

test.each(SERVICES)(
  '%s=%s: needs each of its settings without a default',
  (selector, name, needed) => {
    const reason = `because ${selector} is ${name}.`;
    const sentences = needed.map(([key]) => `${key} must be set, ${reason}`);
    expect(settingsError({ [selector]: name }).split('\n')).toEqual(sentences);
    expect(sentences.length).toBeGreaterThan(0);
  },
);

const NO_GATEWAY = `SMS_GATEWAY must be set, because NODE_ENV is production; choose one of ${GATEWAY_NAMES.join(', ')}, where console only prints the codes.`;

test('settings: every wrong one is reported at once, in a sentence each', () => {
  const wrong = { TRUST_PROXY: '0.0.0.0/0', PUBLICURL: 'x', PORT: '80a', SECRET_FILE: '/nowhere' };
  expect(settingsError({ ...BUCKET, ...wrong, S3_ENDPOINT: '' }).split('\n')).toEqual([
    expect.stringMatching(/^PUBLICURL is not a setting: did you mean PUBLIC_URL\?/),
    expect.stringMatching(/^SECRET_FILE: \/nowhere cannot be read \(ENOENT\)\./),
    'PORT must be a whole number from 0 to 65535; it is "80a".',
    'TRUST_PROXY must be IP addresses, networks such as 10.0.0.0/8 (but not /0, which is everybody), or loopback; it is "0.0.0.0/0".',
    'S3_ENDPOINT must be set, because S3_BUCKET is set.',
  ]);
  const origin = 'http://127.0.0.1:8090';
  const tests = { PUSH_TEST_ORIGIN: origin, WEBHOOK_TEST_ORIGIN: origin };
  expect(settingsError({ NODE_ENV: 'production', ...tests }).split('\n')).toEqual([
    `PUSH_TEST_ORIGIN must not be set with NODE_ENV=production; it is "${origin}".`,
    `WEBHOOK_TEST_ORIGIN must not be set with NODE_ENV=production; it is "${origin}".`,
    NO_GATEWAY,
  ]);
});

const SERVICE = 'must be an https address (http on this machine only) without password and query';
const VIEWS_OF =
  'VIEWS must be all, or some of contacts, analytics, each once, separated by commas';
const LANGUAGES_OF = `LANGUAGES must be all, or some of en, ${TRANSLATION_LANGUAGES.join(', ')}, each once, separated by commas`;
/** The sentences, each with bad values. One may be about several settings. */
const ERRORS = {
  'PORT must be a whole number from 0 to 65535': '70000 | 80a | -1 | 1e3',
  [VIEWS_OF]: 'leads | all,contacts | contacts,contacts | contacts analytics | contacts, | ,',
  [LANGUAGES_OF]: 'fr | hi,hi | hi;ta | HI',
  'TIME_ZONE must be a time zone such as Asia/Kolkata': 'Asia/Nowhere',
  'CONTACT_KEEP_DAYS must be a whole number from 1 to 36500': '0',
  'CONNECT_NOTICE must be one line of at most 300 characters': 'One\ntwo',
  'CONNECT_NOTICE must be dpdp in small letters': 'DPDP',
  'PUSH_TEST_ORIGIN|WEBHOOK_TEST_ORIGIN must be an origin on this machine such as http://127.0.0.1:8090':
    'http://192.168.1.2:8090',
  'SESSION_DAYS must be a whole number from 1 to 365': '1.5',
  'OTP_SENDS_PER_DAY must be a whole number from 1 to 100000000': 'many',
  'LIMIT_READS_PER_MINUTE must be a whole number from 1 to 1000000': '0',
  'PUBLIC_URL must be like https://cards.example.com':
    'cards.example.com | https://:x@a.example | https://a.example/b | https://a.example?b',
  'SUPPORT_EMAIL must be an e-mail address': 'write to us | help@example.com?cc=x',
  'PRODUCT_NAME|JURISDICTION_STATE must be one line of at most 60 characters': `Cards\nof ours | ${'K'.repeat(61)}`,
  'APP_URL|API_BASE_URL|ICON_BASE_URL|VITALS_URL must be an http or https address or a path':
    'javascript:alert(1) | //cdn | vitals | ftp://api',
  'TRUST_PROXY must be IP addresses, networks such as 10.0.0.0/8 (but not /0, which is everybody), or loopback':
    'my-proxy | 10.0.0.0/33 | 0.0.0.0/0 | 1 | true | 10.1 | 10/8 | 0x7f.1 | 010.0.0.1 | 10.0.0.0/255.0 | loopback,2',
  [`OTP_PROVIDER must be one of ${PROVIDER_NAMES.join(', ')}`]: 'carrier',
  'OTP_PROVIDER can no longer be firebase; choose embedded, otpless, msg91, oidc': 'firebase',
  'OTP_ORIGINS must be origins such as https://*.example.com':
    "https://a.example'; script-src * | https://* | example.com | https://a.example/x | *",
  'OTP_COUNTRIES must be two-letter country codes such as IN,AE': 'India | IN,XX',
  'OTP_TEST_NUMBERS must be like +919999900001:123456,…': '9999900001:123456',
  [`SMS_GATEWAY must be one of ${GATEWAY_NAMES.join(', ')}`]:
    'pigeon | whatsapp,pigeon | whatsapp,',
  'SMS_GATEWAY must have at most 2 gateways, each once': 'msg91,twilio,webhook | msg91,msg91',
  'SMS_GATEWAY must have whatsapp as the first gateway or alone': 'msg91,whatsapp',
  'NODE_ENV must be one of production, development, test': 'prod',
  'LOG_LEVEL must be one of fatal, error, warn, info, debug, silent': 'loud',
};
const SECRET_ERRORS = {
  'DATABASE_URL must be an address such as postgres://user:password@host:5432/name; special characters in the password must be percent-encoded':
    'mysql://user:hunter2@db | postgres://user:hunter#2@db/name',
  'METRICS_TOKEN must be at least 16 visible ASCII characters without spaces': 'x',
  'SECRET must have at least 32 characters; this makes one: openssl rand -hex 32': 'too short',
  [`OTP_SCRIPT_URL|OTP_SERVICE_URL|SMS_SERVICE_URL|WHATSAPP_API_URL ${SERVICE}`]:
    'ftp://a.example | otpless.com/auth.js | http://a.example | https://user:hunter2@a.example | https://:hunter2@a.example',
  'OTPLESS_CLIENT_ID|S3_SECRET_ACCESS_KEY must be visible ASCII characters without spaces':
    'two words',
  "MSG91_CODE_VARIABLE must be the name of the template's variable, and not mobiles": 'mobiles',
  'TWILIO_ACCOUNT_SID must be AC and 32 hexadecimal digits': 'AC12',
  'TWILIO_FROM must be a phone such as +15005550006, a sender name, or the id of a messaging service':
    '15005550006000 | 15005550006',
  'OTP_TEST_NUMBERS_UNTIL must be a date such as 2030-01-31':
    'soon | 05-12-2026 | 5/12/2026 | 12 | 2026-02-31',
  'SMS_TEXT must contain {code}, the placeholder of the code': 'Ready.',
  'SMS_WEBHOOK_URL must be an https address (http on this machine only) without a password':
    'http://a.example/codes | https://user:hunter2@a.example | https://a.example/co des',
  'SMS_WEBHOOK_SECRET must be at least 32 visible ASCII characters without spaces': 'hunter2',
  'SMTP_URL must begin with smtps for port 465, and with smtp for port 587':
    'smtp://user:hunter2@a.example:465 | smtps://a.example:587/',
  'S3_BUCKET must be 3 to 63 small letters, digits, dots and dashes': 'My_Cards',
  'S3_ENDPOINT must be an http or https address without password and query':
    'https://user:hunter2@a.example | https://:hunter2@a.example | https://a.example:99999',
  'S3_REGION must be a name such as us-east-1': 'Mumbai, India',
  'S3_FORCE_PATH_STYLE must be true or false': 'yes',
  [`OIDC_ISSUER ${SERVICE}`]:
    'http://a.example | https://user:hunter2@a.example | https://a.example?x',
  'OIDC_NAME must be one line of at most 60 characters': 'Kaveri\nSilks',
  'OIDC_ISSUER must be the issuer alone, without /.well-known/openid-configuration':
    'https://a.example/.well-known/openid-configuration',
  'OIDC_SCOPES must contain openid and separate the scopes with spaces':
    'phone | myopenid | openid,phone',
  'OIDC_TRUST_PHONE must be one of yes, no': 'true',
};
/** The others are about what its service needs. */
const firstSentence = (environment: Record<string, string>) =>
  `${settingsError(environment)}\n`.split('.\n', 1)[0];
const rowsOf = (errors: Record<string, string>) =>
  Object.entries(errors).flatMap(([sentence, values]) => {
    const [names = ''] = sentence.split(' ', 1);
    const rest = sentence.slice(names.length);
    return names
      .split('|')
      .flatMap((name) => values.split(' | ').map((value) => [name, value, name + rest] as const));
  });

test.each(rowsOf(ERRORS))('settings: %s=%s is a StartError', (name, value, sentence) => {
  expect(firstSentence({ [name]: value })).toBe(`${sentence}; it is "${value}"`);
});

test.each(rowsOf(SECRET_ERRORS))(
  'settings: %s=%s is a StartError that does not repeat the value',
  (name, value, sentence) => {
    expect(firstSentence({ [name]: value })).toBe(sentence);
  },
);

const OIDC = {
  OTP_PROVIDER: 'oidc',
  OIDC_ISSUER: 'https://login.example.com',
  OIDC_CLIENT_ID: 'tessera',
  OIDC_CLIENT_SECRET: 'b2f4c6d8e0a1',
  OIDC_NAME: 'Kaveri Silks',
};

const WHATSAPP = {
  SMS_GATEWAY: 'whatsapp',
  WHATSAPP_PHONE_NUMBER_ID: '106540352242922',
  WHATSAPP_TOKEN: 'token-1',
  WHATSAPP_TEMPLATE: 'login_code',
  OTP_COUNTRIES: 'IN,AE',
};

test.each([
  ['accepted', { ...WEBHOOK, SMS_WEBHOOK_URL: 'http://127.0.0.1:8080/codes' }],
  ['accepted', { ...WEBHOOK, SMS_WEBHOOK_URL: 'http://localhost/codes' }],
  ['accepted', { DATABASE_URL: 'postgres://user:pass@/name?host=/run/postgresql' }],
  ['accepted', { ...OTPLESS, NODE_ENV: 'production' }],
  ['accepted', { ...WHATSAPP, WHATSAPP_COUNTRIES: 'AE,IN' }],
  ['accepted', { ...WHATSAPP, ...MSG91, SMS_GATEWAY: ' whatsapp , msg91 ' }],
  [
    'OTP_COUNTRIES has AE, which no gateway of SMS_GATEWAY serves; add it to WHATSAPP_COUNTRIES, or a second gateway to SMS_GATEWAY.',
    WHATSAPP,
  ],
  [NO_GATEWAY, { NODE_ENV: ' production ' }],
  [
    'OTP_TEST_NUMBERS_UNTIL must be set, because OTP_TEST_NUMBERS is set.',
    { OTP_TEST_NUMBERS: TEST_NUMBERS },
  ],
  ['S3_BUCKET must be set, because S3_ENDPOINT is set.', { ...BUCKET, S3_BUCKET: '' }],
  ['OIDC_NAME must be set, because OTP_PROVIDER is oidc.', { ...OIDC, OIDC_NAME: '' }],
  ['accepted', { ...OIDC, NODE_ENV: 'production', OIDC_ISSUER: 'http://127.0.0.1:8080/a/' }],
  [
    'API_BASE_URL must be a path with OTP_PROVIDER=oidc, because the calls need a cookie of the login page.',
    { ...OIDC, API_BASE_URL: 'https://api.example.com' },
  ],
  [
    'S3_ENDPOINT must be the address of the store, without the bucket in it.',
    { ...BUCKET, S3_ENDPOINT: 'https://cards.store.example.com' },
  ],
  [
    'S3_ENDPOINT must be the address of the store, without the bucket in it.',
    { ...BUCKET, S3_ENDPOINT: 'https://id.store.example.com/cards/' },
  ],
  [
    'S3_FORCE_PATH_STYLE must be true, because S3_ENDPOINT is an IP address, which cannot have a subdomain.',
    { ...BUCKET, S3_FORCE_PATH_STYLE: 'false', S3_ENDPOINT: 'http://127.0.0.1:9000' },
  ],
])('settings together: %s (%j)', (result, environment) => {
  expect(settingsError(environment)).toBe(result);
});

const save = (content: string) => {
  const path = join(newFolder(), 'secret');
  writeFileSync(path, content);
  return path;
};

test('secret files: have the value; one that is missing, empty or bad, and a secret set twice, are errors that name the setting', () => {
  const { SMS_WEBHOOK_SECRET: _, ...webhook } = WEBHOOK;
  const right = save(`${WEBHOOK_SECRET}\n`);
  const read = { ...webhook, SECRET_FILE: right, SMS_WEBHOOK_SECRET_FILE: right };
  const secrets = { secret: WEBHOOK_SECRET, smsWebhookSecret: WEBHOOK_SECRET };
  expect(readSettings(read)).toMatchObject(secrets);
  const [missing, empty] = [join(newFolder(), 'missing'), save('\n')];
  expect([
    settingsError({ SECRET_FILE: missing }),
    settingsError({ SECRET_FILE: empty }),
    settingsError({ SECRET_FILE: save('hunter2') }),
    settingsError({ SECRET_FILE: right, SECRET: WEBHOOK_SECRET }),
  ]).toEqual([
    `SECRET_FILE: ${missing} cannot be read (ENOENT). Correct the path, or let the user of the service (uid ${process.getuid?.()}) read the file.`,
    `SECRET_FILE: ${empty} is empty. Write the secret into it.`,
    'SECRET must have at least 32 characters; this makes one: openssl rand -hex 32.',
    'SECRET and SECRET_FILE are both set; remove one of them.',
  ]);
});

test.each(
  Object.entries({
    PUBLIC_URL: 'PUBLICURL PUBLIC_URL_',
    SMS_GATEWAY: 'SMSGATEWAY',
    TRUST_PROXY: 'TRUST_PROXI TRUST_PROXYS TRUST_PROY',
    SECRET: 'SECRETS',
    SECRET_FILE: 'SECRETFILE',
    TWILIO_AUTH_TOKEN_FILE: 'TWILIO_AUTH_TOKE_FILE',
    PORT: 'P_ORT',
    VIEWS: 'VIEWSS VIEW VIEWES',
  }),
)('misspelt setting: %s is meant where the start is stopped by %s', (meant, names) => {
  for (const name of words(names))
    expect(settingsError({ [name]: 'x' })).toBe(
      `${name} is not a setting: did you mean ${meant}? Rename the variable, or remove it.`,
    );
});

test('removed setting: stops the start, and a blank one does not', () => {
  const sentence =
    'FIREBASE_API_KEY is no longer a setting: OTP_PROVIDER can no longer be firebase. Remove the variable.';
  expect(settingsError({ FIREBASE_API_KEY: 'api-key-1' })).toBe(sentence);
  expect(settingsError({ FIREBASE_API_KEY: ' ' })).toBe('accepted');
  expect(settingsError({ CDN_PURGE_URL: 'https://a.example/' })).toBe(
    'CDN_PURGE_URL is no longer a setting: a CDN keeps a page for a minute and a picture for an hour. Remove the variable.',
  );
});

/** Variables of POSIX, shells, gettext, npm, Docker and systemd that no prefix keeps apart from a setting. */
const OTHERS = `COLUMNS DATEMSK LOGNAME MSGVERB NLSPATH OLDPWD SHELL SHLVL TMPDIR HOSTNAME HOSTTYPE EDITOR
  VISUAL PAGER OPTIND RANDOM SECONDS DISPLAY HTTP_PROXY HTTPS_PROXY NO_PROXY no_proxy LANGUAGE TEXTDOMAIN
  TEXTDOMAINDIR OUTPUT_CHARSET INIT_CWD NODE_OPTIONS NODE_PATH NODE_VERSION NODE_EXTRA_CA_CERTS
  YARN_VERSION NPM_TOKEN COLOR container VERSION POSTGRES_PASSWORD TRUSTED_PROXIES DB_NAME MAINPID
  MANAGERPID EXIT_CODE EXIT_STATUS SERVICE_RESULT TRIGGER_UNIT REMOTE_ADDR REMOTE_PORT STATE_DIRECTORY
  CREDENTIALS_DIRECTORY`;

test('misspelt setting: others are not near enough, and a blank one counts as not set', () => {
  const near = 'PORTS SPORT POST HOSTS TRUST_PROXIES URL_PUBLIC public_url';
  for (const name of words(`${near} ${OTHERS}`))
    expect(settingsError({ [name]: 'x' }), name).toBe('accepted');
  expect(settingsError({ PUBLICURL: ' ' })).toBe('accepted');
});

test('misspelt setting: the links to services of Kubernetes and Docker are accepted and set nothing', () => {
  const link = 'tcp://10.96.0.1:443';
  const [host, port] = [{ METRICS_SERVICE_HOST: '10.96.0.1' }, { METRICS_SERVICE_PORT: '443' }];
  const links = { METRICS_PORT: link, METRIC_PORT: link, METRICS_PORT_443_TCP: link };
  expect(readSettings({ ...host, ...port, ...links })).toEqual(readSettings({}));
  // Control: without the form of a link the name is nearly a setting.
  expect(settingsError({ METRIC_PORT: '9100' })).toContain('did you mean METRICS_PORT?');
});
