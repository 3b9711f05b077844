import * as z from 'zod/mini';

import type { HttpResponse } from '#server/http/client.ts';
import { tokenInvalid } from '#server/http/caller.ts';
import { providerMisconfigured, providerUnavailable } from '#server/otp/errors.ts';
import { verifiedPhone } from '#server/otp/verified-phone.ts';

// Failures come with status 200, too. Code 702, a replay, is one of those that mean the token.
const answerSchema = z.object({ type: z.enum(['success', 'error']), message: z.unknown() });

/** A success may also vouch for an e-mail address, which is no phone. */
const PHONE = /^\d{10,15}$/;
const OUR_KEY_REFUSED = 'AuthenticationFailure';

/**
 * The phone (E.164) that an answer vouches for. Throws ApiError 'token_invalid' (403), 'unavailable'
 * or 'misconfigured' (both 503).
 */
export function phoneInAnswer({ status, content }: HttpResponse): string {
  const { data } = answerSchema.safeParse(content);
  if ([401, 403, 404].includes(status) || data?.message === OUR_KEY_REFUSED) {
    throw providerMisconfigured(
      `MSG91 refuses this service (status ${status}): check MSG91_AUTH_KEY and OTP_SERVICE_URL.`,
    );
  }
  if (status !== 200 || !data) {
    throw providerUnavailable(new Error(`MSG91 answered with status ${status}, unreadable.`));
  }
  const { type, message } = data;
  if (type !== 'success' || typeof message !== 'string' || !PHONE.test(message)) {
    throw tokenInvalid();
  }
  return verifiedPhone(message);
}
