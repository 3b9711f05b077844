import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

import { ApiError, tokenInvalidError } from '#server/error.ts';
import { NoResponseError } from '#server/adapter/client/http-client.ts';
import type { HttpClient, HttpRequest, HttpResponse } from '#server/adapter/client/http-client.ts';

const RETRY_AFTER_SECONDS = 5;
/** RFC 6750, section 2.1: the characters of a token. */
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;
/** The first part of a JWT is JSON, so it begins like every `{"` in base64. */
const JWT = /^eyJ[A-Za-z0-9_-]*\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;
const INTERNATIONAL_DIGITS = /^[1-9]\d{6,14}$/;

export function providerUnavailable(cause: unknown): ApiError {
  return new ApiError('unavailable', 'Signing in is not possible right now. Try again.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });
}

/** The provider rejects our credentials. `reason` is logged for the operator. */
export function providerMisconfigured(reason: string): ApiError {
  return new ApiError('misconfigured', 'Signing in is not set up yet. Try again later.', {
    cause: new Error(reason),
  });
}

export async function requestProvider(
  httpClient: HttpClient,
  request: HttpRequest,
): Promise<HttpResponse> {
  try {
    return await httpClient(request);
  } catch (error) {
    if (error instanceof NoResponseError) throw providerUnavailable(error);
    throw error;
  }
}

/**
 * Used tokens are recognised by their hash, and the end of a JWT's signature has bits that parsers
 * ignore.
 */
export function isToken(text: string): boolean {
  return TOKEN.test(text) && (!JWT.test(text) || text.split('.').every(isCanonical));
}

function isCanonical(section: string): boolean {
  return Buffer.from(section, 'base64url').toString('base64url') === section;
}

/** A national number is rejected: with another country code it belongs to another person. */
export function verifiedPhone(digits: unknown): string {
  if (typeof digits !== 'string' || !INTERNATIONAL_DIGITS.test(digits)) throw tokenInvalidError();
  const phone = parsePhoneNumberFromString(`+${digits}`);
  if (!phone?.isValid()) throw tokenInvalidError();
  return phone.number;
}
