import { SECRET_KEY } from '#server/environment/key.ts';
import { answered } from '#server/otp/request.ts';
import { pageOrigins } from '#server/otp/third-party.ts';
import type { ThirdParty } from '#server/otp/third-party.ts';
import { refuseOddToken } from '#server/otp/token-form.ts';

import { phoneInAnswer } from './answer.ts';

const VALIDATE_PATH = '/auth/v1/validate/token';
const PAGE_ORIGINS = ['https://otpless.com', 'https://*.otpless.app'];

/** OTPless (login providers, "otpless"). */
export const otpless: ThirdParty<'OTPLESS_CLIENT_ID' | 'OTPLESS_CLIENT_SECRET'> = {
  scriptUrl: 'https://otpless.com/v4/auth.js',
  serviceUrl: 'https://user-auth.otpless.app',
  keys: { OTPLESS_CLIENT_ID: SECRET_KEY, OTPLESS_CLIENT_SECRET: SECRET_KEY },

  open(settings, { httpClient }) {
    const { appId, scriptUrl, serviceUrl, keys } = settings;
    return {
      client: { kind: 'otpless', scriptUrl, configuration: { appId } },
      origins: pageOrigins(settings, PAGE_ORIGINS),
      verify: async (token) => {
        refuseOddToken(token);
        const answer = await answered(httpClient, {
          url: `${serviceUrl}${VALIDATE_PATH}`,
          headers: {
            'content-type': 'application/json',
            clientId: keys.OTPLESS_CLIENT_ID,
            clientSecret: keys.OTPLESS_CLIENT_SECRET,
          },
          body: JSON.stringify({ token }),
        });
        return phoneInAnswer(answer);
      },
    };
  },
};
