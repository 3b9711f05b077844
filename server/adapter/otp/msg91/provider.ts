import * as z from 'zod/mini';

import { tokenInvalidError } from '#server/error.ts';
import type { HttpResponse } from '#server/adapter/client/http-client.ts';
import { pageOrigins } from '#server/adapter/otp/provider.ts';
import type {
  Provider,
  ProviderDependencies,
  ThirdPartySettings,
} from '#server/adapter/otp/provider.ts';
import {
  providerMisconfigured,
  providerUnavailable,
  requestProvider,
  verifiedPhone,
} from '#server/adapter/otp/verification.ts';
import type { Settings } from '#server/settings/settings.ts';

const SCRIPT_URL = 'https://verify.msg91.com/otp-provider.js';
const SERVICE_URL = 'https://control.msg91.com';
const VERIFY_PATH = '/api/v5/widget/verifyAccessToken';
const PAGE_ORIGINS = ['https://verify.msg91.com', 'https://control.msg91.com'];
const KEY_REJECTED = 'AuthenticationFailure';
const PHONE = /^\d{10,15}$/;

/** Errors have status 200, too. Like the others, code 702 (used before) rejects the token. */
const responseSchema = z.object({ type: z.enum(['success', 'error']), message: z.unknown() });

/** MSG91's widget (docs/security.md#msg91). Its token works once, so a request is never repeated. */
export function openProvider(
  settings: ThirdPartySettings & Pick<Settings, 'msg91AuthKey' | 'msg91TokenAuth'>,
  { httpClient }: ProviderDependencies,
): Provider {
  const scriptUrl = settings.otpScriptUrl ?? SCRIPT_URL;
  const serviceUrl = settings.otpServiceUrl ?? SERVICE_URL;
  return {
    client: {
      kind: 'msg91',
      scriptUrl,
      // The widget's token is public; the account's key is not sent to the page.
      configuration: { widgetId: settings.otpAppId, tokenAuth: settings.msg91TokenAuth },
    },
    origins: pageOrigins(scriptUrl, settings, PAGE_ORIGINS),
    verify: async (token) => {
      const response = await requestProvider(httpClient, {
        url: `${serviceUrl}${VERIFY_PATH}`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ authkey: settings.msg91AuthKey, 'access-token': token }),
      });
      return phoneInResponse(response);
    },
  };
}

function phoneInResponse({ status, content }: HttpResponse): string {
  const { data } = responseSchema.safeParse(content);
  if ([401, 403, 404].includes(status) || data?.message === KEY_REJECTED) {
    throw providerMisconfigured(
      `MSG91 rejects this service (status ${status}): check MSG91_AUTH_KEY and OTP_SERVICE_URL.`,
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
