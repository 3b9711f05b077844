import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

import { ApiError, tokenInvalidError, unavailableError } from '#server/error.ts';
import type { HttpResponse } from '#server/adapter/http-client.ts';
import type { ProviderSettings } from '#contract/browser-settings.ts';
import type { Settings } from '#server/settings/settings.ts';

const INTERNATIONAL_DIGITS = /^[1-9]\d{6,14}$/;

export function providerUnavailable(cause: unknown): ApiError {
  return unavailableError("You can't sign in right now. Try again in a moment.", cause);
}

/** The provider rejects our credentials. `reason` is logged for the operator. */
export function providerMisconfigured(reason: string): ApiError {
  return new ApiError('misconfigured', "Signing in isn't set up yet. Try again later.", {
    cause: new Error(reason),
  });
}

/** A national number is rejected, because with another country code it belongs to another person. */
export function verifiedPhone(digits: unknown): string {
  if (typeof digits !== 'string' || !INTERNATIONAL_DIGITS.test(digits)) throw tokenInvalidError();
  const phone = parsePhoneNumberFromString(`+${digits}`);
  if (!phone?.isValid()) throw tokenInvalidError();
  return phone.number;
}

/** A login provider (docs/develop/security.md#login-providers). */
export interface Provider {
  readonly client: ProviderSettings;
  readonly origins: readonly string[];
  /**
   * Returns the phone (E.164) from the provider's own response. Throws ApiError 'token_invalid',
   * 'unavailable' or 'misconfigured'. The embedded provider and the company's login have no such function, because
   * their tokens are in the database.
   */
  readonly verify: ((token: string) => Promise<string>) | null;
}

/** A provider whose script runs on the login page and whose service returns the phone of a token. */
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
