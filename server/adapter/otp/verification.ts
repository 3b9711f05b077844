import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

import { ApiError, tokenInvalidError, unavailableError } from '#server/error.ts';
import type { HttpClient, HttpResponse } from '#server/adapter/client/http-client.ts';
import type { ProviderSettings } from '#contract/browser-settings.ts';
import type { Clock } from '#server/clock.ts';
import type { Settings } from '#server/settings/settings.ts';

/** RFC 6750, section 2.1: the characters of a token. */
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;
/** The first part of a JWT is JSON, so it begins like every `{"` in base64. */
const JWT = /^eyJ[A-Za-z0-9_-]*\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;
const INTERNATIONAL_DIGITS = /^[1-9]\d{6,14}$/;

export function providerUnavailable(cause: unknown): ApiError {
  return unavailableError('Signing in is not possible right now. Try again.', cause);
}

/** The provider rejects our credentials. `reason` is logged for the operator. */
export function providerMisconfigured(reason: string): ApiError {
  return new ApiError('misconfigured', 'Signing in is not set up yet. Try again later.', {
    cause: new Error(reason),
  });
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

/** A login provider (docs/security.md#login-providers). */
export interface Provider {
  readonly client: ProviderSettings;
  readonly origins: readonly string[];
  /**
   * Returns the phone (E.164) of the provider's own response. Throws 'token_invalid', 'unavailable'
   * or 'misconfigured'.
   */
  verify(token: string): Promise<string>;
}

export interface ProviderDependencies {
  readonly httpClient: HttpClient;
  readonly clock: Clock;
}

/** A provider whose script is on the login page, and whose service is asked for the phone of a token. */
export interface ThirdParty {
  readonly scriptUrl: string;
  readonly serviceUrl: string;
  /** The hosts of the script's pages and calls, for the content security policy. */
  readonly origins: readonly string[];
  readonly configuration: (settings: Settings) => Readonly<Record<string, string>>;
  readonly request: (
    settings: Settings,
    token: string,
  ) => {
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: Readonly<Record<string, string>>;
  };
  readonly readPhone: (response: HttpResponse) => string;
}
