import * as z from 'zod/mini';

import { choices, countries, isUnique, testNumbers, wildcardOrigins } from './list-schema.ts';
import {
  callbackUrl,
  choice,
  date,
  email,
  integer,
  key,
  pattern,
  secretKey,
  serviceKey,
  serviceUrl,
  smtpUrl,
  text,
} from './schema.ts';
import type { SettingTable } from './schema.ts';

const COUNTRIES = ['IN'];
const SENDS_PER_DAY_MAX = 100_000_000;
const GATEWAYS_MAX = 2;
const WEBHOOK_SECRET_LENGTH_MIN = 32;

export const PROVIDER_NAMES = ['embedded', 'otpless', 'msg91', 'oidc'] as const;
export type ThirdPartyName = Exclude<(typeof PROVIDER_NAMES)[number], 'embedded' | 'oidc'>;

export const GATEWAY_NAMES = [
  'console',
  'webhook',
  'msg91',
  'twilio',
  'whatsapp',
  'email',
] as const;
export type GatewayName = (typeof GATEWAY_NAMES)[number];

const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
const provider = (name: ThirdPartyName) => `OTP_PROVIDER=${name}`;
const gateway = (name: GatewayName) => `SMS_GATEWAY=${name}`;

export const LOGIN = {
  OTP_PROVIDER: {
    schema: z.pipe(
      pattern(/^(?!firebase$)/, `can no longer be firebase; choose ${PROVIDER_NAMES.join(', ')}`),
      choice(PROVIDER_NAMES),
    ),
    fallback: 'embedded',
    help: `the login provider: ${quoted(PROVIDER_NAMES)}. For \`oidc\`, see [your company's own login](oidc.md)`,
  },
  OTP_APP_ID: {
    schema: text(),
    service: [provider('otpless'), provider('msg91')],
    defaultHelp: '`tessera`',
    help: 'the id of the application (otpless) or the widget (msg91)',
  },
  OTP_COUNTRIES: {
    schema: countries(COUNTRIES),
    fallback: COUNTRIES.join(','),
    help: 'the countries whose phones can sign in, as two-letter codes separated by commas',
  },
  SIGNUP: {
    schema: choice(['open', 'invited']),
    fallback: 'open',
    help: 'who can sign up: everybody (`open`), or only numbers with an [invitation](admin.md#people) (`invited`)',
  },
  OTP_SENDS_PER_DAY: {
    schema: integer(1, SENDS_PER_DAY_MAX),
    fallback: '10000',
    help: 'how many codes are sent in a day to unknown devices. As many are sent to devices that have signed in before',
  },
  OTP_TEST_NUMBERS: {
    schema: testNumbers(),
    fallback: '',
    help: 'phones whose code is always the same, for tests. No message is sent to them',
  },
  OTP_TEST_NUMBERS_UNTIL: {
    schema: date(),
    service: ['OTP_TEST_NUMBERS'],
    help: 'the date until which the test numbers work',
  },
  OTP_SCRIPT_URL: {
    schema: serviceUrl(),
    defaultHelp: "the provider's own",
    help: "the URL of the provider's script",
    isSecret: true,
  },
  OTP_SERVICE_URL: {
    schema: serviceUrl(),
    defaultHelp: "the provider's own",
    help: 'the base URL of the calls to the provider',
    isSecret: true,
  },
  OTP_ORIGINS: {
    schema: wildcardOrigins(),
    fallback: '',
    help: "further origins, separated by commas, that a provider's script needs on the login page",
  },
  OTPLESS_CLIENT_ID: secretKey([provider('otpless')], 'the id of the credentials'),
  OTPLESS_CLIENT_SECRET: secretKey([provider('otpless')], 'the secret of the credentials'),
  MSG91_AUTH_KEY: secretKey([provider('msg91'), gateway('msg91')], "the account's key"),
  MSG91_TOKEN_AUTH: key([provider('msg91')], "the widget's token, which is public"),
} satisfies SettingTable;

export const TEXT_MESSAGES = {
  SMS_GATEWAY: {
    schema: choices(GATEWAY_NAMES, `must be one of ${GATEWAY_NAMES.join(', ')}`).check(
      z.refine(
        (names) => names.length <= GATEWAYS_MAX && isUnique(names),
        `must have at most ${GATEWAYS_MAX} gateways, each once`,
      ),
      z.refine(
        (names) => names.lastIndexOf('whatsapp') < 1,
        'must have whatsapp as the first gateway or alone',
      ),
    ),
    fallback: 'console',
    help: `[how codes are delivered](sms.md): \`console\` prints \`OTP <E.164 phone> <code>\`, the others send it (${quoted(GATEWAY_NAMES.slice(1))}). A second gateway gets what the first does not take: \`whatsapp,msg91\``,
  },
  SMS_SERVICE_URL: {
    schema: serviceUrl(),
    defaultHelp: "the gateway's own",
    help: 'the base URL of the calls to the gateway. `whatsapp` and `email` have settings of their own',
    isSecret: true,
  },
  WHATSAPP_COUNTRIES: {
    schema: countries(COUNTRIES),
    fallback: COUNTRIES.join(','),
    help: 'the countries whose numbers get codes by WhatsApp, as two-letter codes. Other countries can cost twenty times as much',
  },
  SMS_WEBHOOK_URL: {
    schema: callbackUrl(),
    service: [gateway('webhook')],
    help: 'the URL to which [each code is posted](#the-webhook-for-text-messages)',
  },
  SMS_WEBHOOK_SECRET: {
    schema: serviceKey(WEBHOOK_SECRET_LENGTH_MIN),
    service: [gateway('webhook')],
    help: 'the key of the signature, at least 32 characters',
    isSecret: true,
  },
  // There is no default, because in India the text must be a registered template (docs/develop/security.md#sms-gateways).
  SMS_TEXT: {
    schema: pattern(/\{code\}/, 'must contain {code}, the placeholder of the code'),
    service: [gateway('twilio')],
    help: 'the message, with `{code}`. In India it must be exactly a registered template. With `webhook` it is sent as `text`',
  },
  MSG91_TEMPLATE_ID: key([gateway('msg91')], "the flow's template"),
  MSG91_CODE_VARIABLE: {
    schema: pattern(
      /^(?!mobiles$)\w{1,64}$/,
      "must be the name of the template's variable, and not mobiles",
    ),
    service: [gateway('msg91')],
    fallback: 'otp',
    help: "the template's variable for the code",
  },
  TWILIO_ACCOUNT_SID: {
    schema: pattern(/^AC[0-9a-f]{32}$/i, 'must be AC and 32 hexadecimal digits'),
    service: [gateway('twilio')],
    help: 'the id of the account',
  },
  TWILIO_AUTH_TOKEN: secretKey([gateway('twilio')], "the account's secret"),
  TWILIO_FROM: {
    schema: pattern(
      /^(?:\+\d{8,15}|MG[0-9a-f]{32}|(?!\d{7,11}$)[A-Za-z0-9 ]{1,11})$/i,
      'must be a phone such as +15005550006, a sender name, or the id of a messaging service',
    ),
    service: [gateway('twilio')],
    help: 'the sender: a phone, a name, or the id of a messaging service (`MG…`)',
  },
  WHATSAPP_PHONE_NUMBER_ID: {
    schema: pattern(/^\d{5,20}$/, "must be Meta's id of the sender's number, which is digits only"),
    service: [gateway('whatsapp')],
    help: "Meta's id of the sender's number, not the number itself",
  },
  WHATSAPP_TOKEN: secretKey([gateway('whatsapp')], 'the access token of a system user'),
  WHATSAPP_TEMPLATE: {
    schema: pattern(/^[a-z0-9_]{1,512}$/, 'must be lower-case letters, digits and underscores'),
    service: [gateway('whatsapp')],
    help: 'the name of an approved template with a copy-code button',
  },
  WHATSAPP_LANGUAGE: {
    schema: pattern(/^[a-z]{2,3}(?:_[A-Z]{2,3})?$/, 'must be a language such as en or en_US'),
    service: [gateway('whatsapp')],
    fallback: 'en',
    help: "the template's language, as Meta writes it: `en`, `en_US`, `hi`",
  },
  WHATSAPP_API_URL: {
    schema: serviceUrl(),
    service: [gateway('whatsapp')],
    fallback: 'https://graph.facebook.com/v23.0',
    help: 'the base URL of the calls to Meta, with the version',
  },
  SMTP_URL: {
    schema: smtpUrl(),
    service: [gateway('email')],
    help: 'the mail server with user and password, `smtp://user:password@mail.example.com:587` (STARTTLS) or `smtps://…` (TLS, port 465)',
    isSecret: true,
  },
  SMTP_FROM: {
    schema: email(),
    service: [gateway('email')],
    help: 'the email from which codes are sent. The name beside it is `PRODUCT_NAME`',
  },
} satisfies SettingTable;
