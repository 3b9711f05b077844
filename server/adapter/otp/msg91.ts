import * as z from 'zod/mini';

import { tokenInvalidError } from '#server/error.ts';
import type { HttpResponse } from '#server/adapter/http-client.ts';

import { providerMisconfigured, providerUnavailable, verifiedPhone } from './verification.ts';
import type { ThirdParty } from './verification.ts';

const KEY_REJECTED = 'AuthenticationFailure';
/** The key is wrong or was deleted, or it does not allow the IP address of this server. */
const KEY_REJECTED_CODES = new Set(['201', '207', '418']);
const PHONE = /^\d{10,15}$/;

/** Errors have status 200, too. Each rejects the token, including code 702 for a token that was used before. */
const responseSchema = z.object({
  type: z.enum(['success', 'error']),
  message: z.unknown(),
  code: z.optional(z.unknown()),
});

/** MSG91 (docs/develop/security.md#msg91). A token works once, so a request is never repeated. */
export const msg91: ThirdParty = {
  scriptUrl: 'https://verify.msg91.com/otp-provider.js',
  serviceUrl: 'https://control.msg91.com',
  origins: ['https://verify.msg91.com', 'https://control.msg91.com'],
  // The widget's token is public. The account's key is not sent to the page.
  configuration: ({ otpAppId: widgetId, msg91TokenAuth: tokenAuth }) => ({ widgetId, tokenAuth }),
  request: ({ msg91AuthKey: authkey }, token) => ({
    path: '/api/v5/widget/verifyAccessToken',
    body: { authkey, 'access-token': token },
  }),
  readPhone: phoneInResponse,
};

function phoneInResponse({ status, content }: HttpResponse): string {
  const { data } = responseSchema.safeParse(content);
  const isKeyRejected =
    data?.message === KEY_REJECTED || KEY_REJECTED_CODES.has(String(data?.code));
  if ([401, 403, 404].includes(status) || isKeyRejected) {
    throw providerMisconfigured(
      `MSG91 rejects this service (status ${status}): check MSG91_AUTH_KEY, its allowed IP addresses, and OTP_SERVICE_URL.`,
    );
  }
  if (status !== 200 || !data) {
    throw providerUnavailable(new Error(`MSG91 answered with status ${status}, unreadable.`));
  }
  const { type, message } = data;
  if (type !== 'success' || typeof message !== 'string' || !PHONE.test(message)) {
    throw tokenInvalidError();
  }
  return verifiedPhone(message);
}
