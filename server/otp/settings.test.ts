import { expect, test } from 'vitest';

import { settingsError } from '#tests/support/settings.ts';
import { readSettings } from '#server/settings/settings.ts';

const OTPLESS = {
  OTP_PROVIDER: 'otpless',
  OTP_APP_ID: 'app-1',
  OTPLESS_CLIENT_ID: 'client-1',
  OTPLESS_CLIENT_SECRET: 'hunter2-hunter2',
};
const MSG91 = {
  OTP_PROVIDER: 'msg91',
  OTP_APP_ID: 'widget-1',
  MSG91_AUTH_KEY: 'key-1',
  MSG91_TOKEN_AUTH: 'token-1',
};
const FIREBASE = { OTP_PROVIDER: 'firebase', OTP_APP_ID: 'project-1', FIREBASE_API_KEY: 'key-1' };
const WEBHOOK = {
  SMS_GATEWAY: 'webhook',
  SMS_WEBHOOK_URL: 'https://gateway:8080/codes?from=tessera',
  SMS_WEBHOOK_SECRET: 'a-secret-of-at-least-32-characters',
};
const MSG91_GATEWAY = {
  SMS_GATEWAY: 'msg91',
  MSG91_AUTH_KEY: 'key-1',
  MSG91_TEMPLATE_ID: 'template-1',
};
const TWILIO = {
  SMS_GATEWAY: 'twilio',
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'token-1',
  TWILIO_FROM: '+15005550006',
  SMS_TEXT: '{code} is your code.',
};
const ALL = [OTPLESS, MSG91, FIREBASE, WEBHOOK, MSG91_GATEWAY, TWILIO];

test.each(ALL)('provider or gateway settings: each is required (%j)', (environment) => {
  expect(settingsError(environment)).toBe('accepted');
  const [[selector, selected] = ['', ''], ...required] = Object.entries(environment);
  for (const [name] of required) {
    expect(settingsError({ ...environment, [name]: ' ' })).toBe(
      `${name} must be set, because ${selector} is ${selected}.`,
    );
  }
});

test('third-party settings: keys, URLs and origins are read', () => {
  const { otpProvider, otpAppId, thirdParty } = readSettings({
    ...OTPLESS,
    OTP_SERVICE_URL: 'https://otpless.example/base/',
    OTP_ORIGINS: 'https://cdn.example.com, https://*.example.org:8443',
  });
  expect({ otpProvider, otpAppId, thirdParty }).toEqual({
    otpProvider: 'otpless',
    otpAppId: 'app-1',
    thirdParty: {
      appId: 'app-1',
      scriptUrl: 'https://otpless.com/v4/auth.js',
      serviceUrl: 'https://otpless.example/base',
      origins: ['https://cdn.example.com', 'https://*.example.org:8443'],
      keys: { OTPLESS_CLIENT_ID: 'client-1', OTPLESS_CLIENT_SECRET: 'hunter2-hunter2' },
    },
  });
});

test('gateway settings: URL and optional keys have defaults', () => {
  expect(readSettings(MSG91_GATEWAY).gateways[0]).toEqual({
    name: 'msg91',
    serviceUrl: 'https://control.msg91.com',
    keys: {
      MSG91_AUTH_KEY: 'key-1',
      MSG91_TEMPLATE_ID: 'template-1',
      MSG91_CODE_VARIABLE: 'otp',
    },
  });
  expect(readSettings(WEBHOOK).gateways[0]?.keys).toMatchObject({ SMS_TEXT: '' });
});

const SERVICE = 'must be an https address (http on this machine only) without password and query.';

const PHONE =
  'must be a phone such as +15005550006, a sender name, or the id of a messaging service.';

test.each(
  (
    [
      [OTPLESS, 'OTP_SCRIPT_URL', 'otpless.com/auth.js', SERVICE],
      [OTPLESS, 'OTP_SERVICE_URL', 'http://otpless.example', SERVICE],
      [OTPLESS, 'OTP_SERVICE_URL', 'https://user:hunter2@otpless.example', SERVICE],
      [OTPLESS, 'OTP_SERVICE_URL', 'https://:hunter2@otpless.example', SERVICE],
      [
        OTPLESS,
        'OTPLESS_CLIENT_ID',
        'two words',
        'must be visible ASCII characters without spaces.',
      ],
      [MSG91_GATEWAY, 'SMS_SERVICE_URL', 'ftp://control.msg91.com', SERVICE],
      [
        MSG91_GATEWAY,
        'MSG91_CODE_VARIABLE',
        'mobiles',
        "must be the name of the template's variable, and not mobiles.",
      ],
      [TWILIO, 'TWILIO_ACCOUNT_SID', 'AC12', 'must be AC and 32 hexadecimal digits.'],
      [TWILIO, 'TWILIO_FROM', '15005550006000', PHONE],
      [TWILIO, 'SMS_TEXT', 'Ready.', 'must contain {code}, the placeholder of the code.'],
      [WEBHOOK, 'SMS_TEXT', 'Ready.', 'must contain {code}, the placeholder of the code.'],
      [
        WEBHOOK,
        'SMS_WEBHOOK_URL',
        'https://user:hunter2@gateway',
        'must be an https address (http on this machine only) without a password.',
      ],
      [WEBHOOK, 'SMS_WEBHOOK_SECRET', 'hunter2', 'must be at least 32 visible ASCII characters.'],
    ] satisfies [Record<string, string>, string, string, string][]
  ).map(([environment, name, bad, must]) => ({ environment, name, bad, must })),
)('$name: $bad is an error that does not repeat the value', ({ environment, name, bad, must }) => {
  expect(settingsError({ ...environment, [name]: bad })).toBe(`${name} ${must}`);
});

test.each([
  "https://a.example'; script-src *",
  'https://*',
  'example.com',
  'https://a.example/x',
  '*',
])('OTP_ORIGINS: %s is an error', (origins) => {
  expect(settingsError({ ...OTPLESS, OTP_ORIGINS: origins })).toBe(
    `OTP_ORIGINS must be origins such as https://*.example.com; it is "${origins}".`,
  );
});

test('SMS_GATEWAY: not required in production with a third-party provider', () => {
  expect(settingsError({ ...OTPLESS, NODE_ENV: 'production' })).toBe('accepted');
});
