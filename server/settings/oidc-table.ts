import * as z from 'zod/mini';

import { choice, issuerUrl, key, line, pattern, secretKey, serviceKey } from './schema.ts';
import type { SettingTable } from './schema.ts';

const SERVICE = ['OTP_PROVIDER=oidc'];

export const OIDC = {
  OIDC_ISSUER: {
    schema: issuerUrl().check(
      z.refine(
        (value) => !value.includes('/.well-known/'),
        'must be the issuer alone, without /.well-known/openid-configuration',
      ),
    ),
    service: SERVICE,
    help: "the issuer of your company's login, exactly as its documentation writes it, such as `https://login.example.com/realms/staff`",
  },
  OIDC_CLIENT_ID: key(SERVICE, 'the id under which this service is registered there'),
  OIDC_CLIENT_SECRET: secretKey(SERVICE, 'the secret of the registration'),
  OIDC_NAME: {
    schema: line(),
    service: SERVICE,
    help: "the company's name on the button `Continue with …`",
  },
  OIDC_SCOPES: {
    schema: pattern(
      /^(?=(?:.* )?openid(?: |$))[\x21\x23-\x5b\x5d-\x7e ]+$/,
      'must contain openid and separate the scopes with spaces',
    ),
    service: SERVICE,
    fallback: 'openid phone',
    help: 'the scopes to ask for, separated by spaces',
  },
  OIDC_PHONE_CLAIM: {
    schema: serviceKey(),
    service: SERVICE,
    fallback: 'phone_number',
    help: 'the claim with the phone number, in the international form (`+91 98765 43210`)',
  },
  OIDC_TRUST_PHONE: {
    schema: choice(['yes', 'no']),
    service: SERVICE,
    fallback: 'no',
    help: '`yes` accepts numbers without `phone_number_verified`. Set it only if nobody but you can edit the numbers, because the first person with a number gets its account',
  },
} satisfies SettingTable;
