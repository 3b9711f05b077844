import * as z from 'zod/mini';

import type { HttpResponse } from '#server/http/client.ts';
import { tokenInvalid } from '#server/http/caller.ts';
import { providerMisconfigured, providerUnavailable } from '#server/otp/errors.ts';
import { verifiedPhone } from '#server/otp/verified-phone.ts';

const vouched = z.object({
  status: z.string(),
  identities: z.optional(
    z.array(
      z.object({
        identityType: z.optional(z.unknown()),
        identityValue: z.optional(z.unknown()),
        verified: z.optional(z.unknown()),
      }),
    ),
  ),
});
const refusal = z.object({ errorCode: z.union([z.string(), z.number()]) });

/** Of a 401: the token is older than five minutes. Every other 401 means our credentials. */
const TOKEN_EXPIRED = '7301';

/**
 * The phone (E.164) that an answer vouches for. Throws ApiError 'token_invalid' (403), 'unavailable'
 * or 'misconfigured' (both 503).
 */
export function phoneInAnswer({ status, content }: HttpResponse): string {
  if (status === 200) return phoneOf(content);
  const { data } = refusal.safeParse(content);
  const errorCode = String(data?.errorCode ?? 'none');
  // Only the token differs from one request to the next, so it is what a 400 complains about.
  if (status === 400 && data) throw tokenInvalid();
  if (status === 401 && errorCode === TOKEN_EXPIRED) throw tokenInvalid();
  if ([401, 403, 404].includes(status)) {
    throw providerMisconfigured(
      `OTPless refuses this service (status ${status}, errorCode ${printable(errorCode)}): check OTPLESS_CLIENT_ID, OTPLESS_CLIENT_SECRET and OTP_SERVICE_URL.`,
    );
  }
  throw providerUnavailable(new Error(`OTPless answered with status ${status}.`));
}

function phoneOf(content: unknown): string {
  const { data } = vouched.safeParse(content);
  if (!data) throw providerUnavailable(new Error('OTPless answered with something unknown.'));
  if (data.status !== 'SUCCESS') throw tokenInvalid();
  const phones = new Set(
    (data.identities ?? [])
      .filter(({ identityType, verified }) => identityType === 'MOBILE' && verified === true)
      .map(({ identityValue }) => identityValue),
  );
  // Two different ones leave a doubt which of them is meant; none leaves nothing.
  const [phone, ...others] = phones;
  if (others.length > 0) throw tokenInvalid();
  return verifiedPhone(phone);
}

/** An error code as it may stand in the log: nothing longer can be one. */
function printable(errorCode: string): string {
  return /^[\w-]{1,16}$/.test(errorCode) ? errorCode : 'unknown';
}
