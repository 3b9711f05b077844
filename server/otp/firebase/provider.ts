import type { ThirdParty } from '#server/otp/third-party.ts';
import { pageOrigins } from '#server/otp/third-party.ts';
import { SECRET_KEY } from '#server/environment/key.ts';
import { refuseOddToken } from '#server/otp/token-form.ts';

import { phoneInIdToken } from './id-token.ts';
import { openKeySet } from './key-set.ts';

/** What signing in by phone loads and calls: the modules, the calls, and reCAPTCHA. */
const PAGE_ORIGINS = [
  'https://www.gstatic.com',
  'https://identitytoolkit.googleapis.com',
  'https://securetoken.googleapis.com',
  'https://www.google.com',
  'https://www.recaptcha.net',
];

/** Firebase Authentication by phone (login providers, "firebase"). OTP_APP_ID is the project's id. */
export const firebase: ThirdParty<'FIREBASE_API_KEY'> = {
  // The folder of the two modules firebase-app.js and firebase-auth.js.
  scriptUrl: 'https://www.gstatic.com/firebasejs/12.19.0',
  serviceUrl: 'https://www.googleapis.com',
  keys: { FIREBASE_API_KEY: SECRET_KEY },

  open(settings, { httpClient, clock }) {
    const { appId: projectId, scriptUrl, serviceUrl, keys } = settings;
    const authDomain = `${projectId}.firebaseapp.com`;
    const keySet = openKeySet(httpClient, serviceUrl);
    return {
      client: {
        kind: 'firebase',
        scriptUrl,
        configuration: { projectId, authDomain, apiKey: keys.FIREBASE_API_KEY },
      },
      origins: pageOrigins(settings, [...PAGE_ORIGINS, `https://${authDomain}`]),
      verify: async (token) => {
        refuseOddToken(token);
        return phoneInIdToken(token, { projectId, keySet, now: clock.now() });
      },
    };
  },
};
