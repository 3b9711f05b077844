import { createRemoteJWKSet, customFetch, errors, jwtVerify } from 'jose';
import * as z from 'zod/mini';

import { MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import type { Clock } from '#server/clock.ts';
import { tokenInvalidError } from '#server/error.ts';
import type { HttpClient } from '#server/adapter/client/http-client.ts';
import { pageOrigins } from '#server/adapter/otp/provider.ts';
import type {
  Provider,
  ProviderDependencies,
  ThirdPartySettings,
} from '#server/adapter/otp/provider.ts';
import {
  isSignedToken,
  providerUnavailable,
  verifiedPhone,
} from '#server/adapter/otp/verification.ts';

import type { description } from './description.ts';

/** The origins of Firebase's modules, of its API calls, and of reCAPTCHA. */
const PAGE_ORIGINS = [
  'https://www.gstatic.com',
  'https://identitytoolkit.googleapis.com',
  'https://securetoken.googleapis.com',
  'https://www.google.com',
  'https://www.recaptcha.net',
];
const KEY_SET_PATH = '/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com';
/** Tokens with an unknown key make the server read the keys again, at most this often. */
const KEY_SET_READ_EVERY_MS = 5 * SECOND_MS;
const SIGN_IN_AGE_MS_MAX = 5 * MINUTE_MS;
const CLOCK_AHEAD_MS_MAX = MINUTE_MS;

const claimsSchema = z.object({
  sub: z.string().check(z.minLength(1), z.maxLength(128)),
  auth_time: z.number(),
  phone_number: z.string().check(z.startsWith('+')),
  firebase: z.object({ sign_in_provider: z.literal('phone') }),
});

/** The errors of jose that are about the token. Any other one is about the keys. */
const TOKEN_ERRORS = [
  errors.JWTExpired,
  errors.JWTClaimValidationFailed,
  errors.JWTInvalid,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
];

/** Firebase Authentication by phone (docs/security.md#firebase). OTP_APP_ID is the project's id. */
export function openProvider(
  settings: ThirdPartySettings<typeof description.keys>,
  { httpClient, clock }: ProviderDependencies,
): Provider {
  const { appId: projectId, scriptUrl, serviceUrl, keys } = settings;
  const authDomain = `${projectId}.firebaseapp.com`;
  const currentKeySet = createKeySets(httpClient, clock, serviceUrl);
  return {
    client: {
      kind: 'firebase',
      scriptUrl,
      configuration: { projectId, authDomain, apiKey: keys.FIREBASE_API_KEY },
    },
    origins: pageOrigins(settings, [...PAGE_ORIGINS, `https://${authDomain}`]),
    isWellFormed: isSignedToken,
    verify: async (token) => {
      return phoneInIdToken(token, { projectId, keySet: currentKeySet(), now: clock.now() });
    },
  };
}

type KeySet = ReturnType<typeof createRemoteJWKSet>;

/**
 * Returns a function that returns Google's public keys. The library caches them, and measures their age
 * with the system's clock: after a clock that was ahead is corrected, they would never be read again.
 */
function createKeySets(httpClient: HttpClient, clock: Clock, serviceUrl: string): () => KeySet {
  let readAt = -Infinity;
  const open = () =>
    createRemoteJWKSet(new URL(`${serviceUrl}${KEY_SET_PATH}`), {
      cooldownDuration: KEY_SET_READ_EVERY_MS,
      [customFetch]: async (url) => {
        const { status, content } = await httpClient({ url });
        readAt = clock.now();
        return Response.json(content ?? null, { status });
      },
    });
  let keySet = open();
  return () => {
    if (clock.now() < readAt) {
      readAt = -Infinity;
      keySet = open();
    }
    return keySet;
  };
}

async function phoneInIdToken(
  token: string,
  { projectId, keySet, now }: { projectId: string; keySet: KeySet; now: number },
): Promise<string> {
  const verified = await jwtVerify(token, keySet, {
    algorithms: ['RS256'],
    issuer: `https://securetoken.google.com/${projectId}`,
    audience: projectId,
    requiredClaims: ['exp', 'iat', 'sub', 'auth_time'],
    currentDate: new Date(now),
  }).catch((error: unknown) => {
    if (TOKEN_ERRORS.some((kind) => error instanceof kind)) throw tokenInvalidError();
    throw providerUnavailable(error);
  });
  const { data } = claimsSchema.safeParse(verified.payload);
  if (!data) throw tokenInvalidError();
  const ageMs = now - data.auth_time * SECOND_MS;
  if (ageMs > SIGN_IN_AGE_MS_MAX || ageMs < -CLOCK_AHEAD_MS_MAX) throw tokenInvalidError();
  return verifiedPhone(data.phone_number.slice(1));
}
