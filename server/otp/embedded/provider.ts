import { getCountryCallingCode } from 'libphonenumber-js/max';

import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import { tokenInvalidError } from '#server/error.ts';
import { defaultCountry } from '#server/otp/phone.ts';
import type { Provider } from '#server/otp/provider.ts';

import { findExchangeToken } from './store.ts';

export const EMBEDDED_SCRIPT_PATH = '/otp/embedded.js';

interface EmbeddedOptions {
  readonly appId: string;
  readonly countries: readonly string[];
  /** Every code comes by WhatsApp. */
  readonly byWhatsapp?: boolean;
}

/** A code by text message (docs/security.md#embedded-provider). */
export function embeddedProvider(
  { appId, countries, byWhatsapp = false }: EmbeddedOptions,
  { database, clock }: { database: Database; clock: Clock },
): Provider {
  return {
    client: {
      kind: 'embedded',
      scriptUrl: EMBEDDED_SCRIPT_PATH,
      configuration: {
        appId,
        ...phoneTexts(countries),
        ...(byWhatsapp ? { sentBy: 'whatsapp' } : {}),
      },
    },
    origins: [],
    verify: async (token) => {
      const phone = await findExchangeToken(database, token, clock.now());
      if (phone === null) throw tokenInvalidError();
      return phone;
    },
  };
}

/** The country code of a single country is drawn before the number (docs/product.md#login-page). */
function phoneTexts(countries: readonly string[]): Readonly<Record<string, string>> {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const list = new Intl.ListFormat('en');
  const served = list.format(countries.map((country) => names.of(country) ?? country));
  const code = getCountryCallingCode(defaultCountry(countries));
  const hint = `Codes are sent to numbers of ${served}.`;
  return countries.length === 1
    ? { hint, callingCode: `+${code}` }
    : { hint: `${hint} Without a country code, +${code} is assumed.` };
}
