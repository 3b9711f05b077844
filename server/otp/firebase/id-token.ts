import { errors, jwtVerify } from 'jose';
import * as z from 'zod/mini';

import { tokenInvalid } from '#server/http/caller.ts';
import { providerUnavailable } from '#server/otp/errors.ts';
import { verifiedPhone } from '#server/otp/verified-phone.ts';

import type { KeySet } from './key-set.ts';

const SECOND_MS = 1000;
/** Whoever signed in longer ago than this signs in again. */
const AUTH_AGE_SECONDS_MAX = 5 * 60;
/** How far ahead of ours Google's clock may be. */
const CLOCK_AHEAD_SECONDS_MAX = 60;

const claims = z.object({
  sub: z.string().check(z.minLength(1), z.maxLength(128)),
  auth_time: z.number(),
  phone_number: z.string().check(z.startsWith('+')),
  firebase: z.object({ sign_in_provider: z.literal('phone') }),
});

/** What jose throws where the token is at fault, and not the way to the keys. */
const TOKEN_AT_FAULT = [
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

/**
 * The phone (E.164) in an ID token that Google signed for this project, by phone, just now.
 * Throws ApiError 'token_invalid' (403) or 'unavailable' (503).
 */
export async function phoneInIdToken(
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
    if (TOKEN_AT_FAULT.some((kind) => error instanceof kind)) throw tokenInvalid();
    throw providerUnavailable(error);
  });
  const { data } = claims.safeParse(verified.payload);
  if (!data) throw tokenInvalid();
  const ageSeconds = now / SECOND_MS - data.auth_time;
  if (ageSeconds > AUTH_AGE_SECONDS_MAX || ageSeconds < -CLOCK_AHEAD_SECONDS_MAX) {
    throw tokenInvalid();
  }
  return verifiedPhone(data.phone_number.slice(1));
}
