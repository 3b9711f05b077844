import { SECRET_KEY } from '#server/environment/key.ts';
import { answered } from '#server/otp/request.ts';
import { pageOrigins } from '#server/otp/third-party.ts';
import type { ThirdParty } from '#server/otp/third-party.ts';
import { refuseOddToken } from '#server/otp/token-form.ts';

import { phoneInAnswer } from './answer.ts';

const VERIFY_PATH = '/api/v5/widget/verifyAccessToken';
const PAGE_ORIGINS = ['https://verify.msg91.com', 'https://control.msg91.com'];

/** MSG91's widget (login providers, "msg91 widget"). Its token works once: it is never asked twice. */
export const msg91: ThirdParty<'MSG91_AUTH_KEY' | 'MSG91_TOKEN_AUTH'> = {
  scriptUrl: 'https://verify.msg91.com/otp-provider.js',
  serviceUrl: 'https://control.msg91.com',
  keys: { MSG91_AUTH_KEY: SECRET_KEY, MSG91_TOKEN_AUTH: SECRET_KEY },

  open(settings, { httpClient }) {
    const { appId, scriptUrl, serviceUrl, keys } = settings;
    return {
      client: {
        kind: 'msg91',
        scriptUrl,
        // The widget's own token is public; the key of the account is not, and stays here.
        configuration: { widgetId: appId, tokenAuth: keys.MSG91_TOKEN_AUTH },
      },
      origins: pageOrigins(settings, PAGE_ORIGINS),
      verify: async (token) => {
        refuseOddToken(token);
        const answer = await answered(httpClient, {
          url: `${serviceUrl}${VERIFY_PATH}`,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ authkey: keys.MSG91_AUTH_KEY, 'access-token': token }),
        });
        return phoneInAnswer(answer);
      },
    };
  },
};
