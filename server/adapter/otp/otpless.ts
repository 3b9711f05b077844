import * as z from 'zod/mini';

import { tokenInvalidError } from '#server/error.ts';
import type { HttpResponse } from '#server/adapter/http-client.ts';

import { providerMisconfigured, providerUnavailable, verifiedPhone } from './verification.ts';
import type { ThirdParty } from './verification.ts';

/** A 401 with this code means that the token has expired. Any other 401 rejects our credentials. */
const TOKEN_EXPIRED = '7301';

const identitySchema = z.object({
  identityType: z.optional(z.unknown()),
  identityValue: z.optional(z.unknown()),
  verified: z.optional(z.unknown()),
});
const responseSchema = z.object({
  status: z.string(),
  identities: z.optional(z.array(identitySchema)),
});
const errorSchema = z.object({ errorCode: z.union([z.string(), z.number()]) });

/** OTPless (docs/develop/security.md#otpless). */
export const otpless: ThirdParty = {
  scriptUrl: 'https://otpless.com/v4/auth.js',
  serviceUrl: 'https://user-auth.otpless.app',
  origins: ['https://otpless.com', 'https://*.otpless.app'],
  configuration: ({ otpAppId: appId }) => ({ appId }),
  request: ({ otplessClientId: clientId, otplessClientSecret: clientSecret }, token) => ({
    path: '/auth/v1/validate/token',
    headers: { clientId, clientSecret },
    body: { token },
  }),
  readPhone: phoneInResponse,
};

function phoneInResponse({ status, content }: HttpResponse): string {
  if (status === 200) return phoneInContent(content);
  const { data } = errorSchema.safeParse(content);
  const errorCode = String(data?.errorCode ?? 'none');
  // Requests differ in the token only, so a 400 is about the token.
  if (status === 400 && data) throw tokenInvalidError();
  if (status === 401 && errorCode === TOKEN_EXPIRED) throw tokenInvalidError();
  if ([401, 403, 404].includes(status)) {
    throw providerMisconfigured(
      `OTPless rejects this service (status ${status}, errorCode ${printable(errorCode)}): check OTPLESS_CLIENT_ID, OTPLESS_CLIENT_SECRET and OTP_SERVICE_URL.`,
    );
  }
  throw providerUnavailable(new Error(`OTPless answered with status ${status}.`));
}

function phoneInContent(content: unknown): string {
  const { data } = responseSchema.safeParse(content);
  if (!data) throw providerUnavailable(new Error('OTPless sent an unknown response.'));
  if (data.status !== 'SUCCESS') throw tokenInvalidError();
  const phones = new Set(
    (data.identities ?? [])
      .filter(({ identityType, verified }) => identityType === 'MOBILE' && verified === true)
      .map(({ identityValue }) => identityValue),
  );
  // If there are two different phones, it is not certain which one signs in.
  const [phone, ...others] = phones;
  if (others.length > 0) throw tokenInvalidError();
  return verifiedPhone(phone);
}

function printable(errorCode: string): string {
  return /^[\w-]{1,16}$/.test(errorCode) ? errorCode : 'unknown';
}
