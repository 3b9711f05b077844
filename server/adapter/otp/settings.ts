import * as z from 'zod/mini';

import { countries, testNumbers, wildcardOrigins } from '#server/environment/list-schema.ts';
import { choice, date, integer, pattern, serviceUrl, text } from '#server/environment/schema.ts';
import type { SettingTable } from '#server/environment/setting.ts';

import { THIRD_PARTY_NAMES } from './providers.ts';

const PROVIDER_NAMES = ['embedded' as const, ...THIRD_PARTY_NAMES];
const COUNTRIES = ['IN'];
const SENDS_PER_DAY_MAX = 100_000_000;

export const OTP_SETTINGS = {
  OTP_PROVIDER: {
    schema: z.pipe(
      pattern(/^(?!firebase$)/, `can no longer be firebase; choose ${PROVIDER_NAMES.join(', ')}`),
      choice(PROVIDER_NAMES),
    ),
    fallback: 'embedded',
    help: `the login provider: ${PROVIDER_NAMES.map((name) => `\`${name}\``).join(', ')}`,
  },
  OTP_APP_ID: {
    schema: text(),
    fallback: 'tessera',
    defaultHelp: '`tessera`; needed with a third-party provider',
    help: "the id that the provider's script receives: of the application (otpless) or the widget (msg91)",
  },
  OTP_COUNTRIES: {
    schema: countries(COUNTRIES),
    fallback: COUNTRIES.join(','),
    help: 'two-letter codes, separated by commas, of the countries that codes are sent to',
  },
  OTP_SENDS_PER_DAY: {
    schema: integer({ min: 1, max: SENDS_PER_DAY_MAX }),
    fallback: '10000',
    help: 'the maximum of codes sent in a day to devices that have not signed in before; devices that have signed in have as many of their own',
  },
  OTP_TEST_NUMBERS: {
    schema: testNumbers(),
    fallback: '',
    help: 'phones with a fixed code, `+919999900001:123456,…`; limits apply to them too',
  },
  OTP_TEST_NUMBERS_UNTIL: {
    schema: date(),
    help: 'the date until which they work; required with them',
  },
  OTP_SCRIPT_URL: {
    schema: serviceUrl(),
    defaultHelp: "the provider's own",
    help: "the address of the provider's script. https, or http on this machine",
    isSecret: true,
  },
  OTP_SERVICE_URL: {
    schema: serviceUrl(),
    defaultHelp: "the provider's own",
    help: 'the base of the calls to the provider. https, or http on this machine',
    isSecret: true,
  },
  OTP_ORIGINS: {
    schema: wildcardOrigins(),
    fallback: '',
    help: "further origins, separated by commas, that the login page (and no other) may load from, if a provider's script needs them",
  },
} satisfies SettingTable;
