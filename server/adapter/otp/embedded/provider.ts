import { getCountryCallingCode } from 'libphonenumber-js/max';

import { CATALOGUES } from '#domain/language/catalogues.ts';
import type { Language } from '#domain/language/language.ts';
import { fillText } from '#domain/language/plural.ts';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { tokenInvalidError } from '#server/error.ts';
import { defaultCountry } from '#server/adapter/otp/phone.ts';
import type { Provider } from '#server/adapter/otp/verification.ts';

import { findExchangeToken } from './store.ts';

export const EMBEDDED_SCRIPT_PATH = '/otp/embedded.js';

interface EmbeddedOptions {
  readonly appId: string;
  readonly countries: readonly string[];
  readonly byWhatsapp?: boolean;
}

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
export function phoneTexts(
  countries: readonly string[],
  language: Language = 'en',
): Readonly<Record<string, string>> {
  const { codesSentTo, codesSentToIndia, assumedCode } = CATALOGUES[language].answer;
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const list = new Intl.ListFormat(language);
  const served = list.format(countries.map((country) => names.of(country) ?? country));
  const code = getCountryCallingCode(defaultCountry(countries));
  const isIndia = countries.join() === 'IN';
  const hint = isIndia ? codesSentToIndia : fillText(codesSentTo, { countries: served });
  return countries.length === 1
    ? { hint, callingCode: `+${code}` }
    : { hint: `${hint} ${fillText(assumedCode, { code: `+${code}` })}` };
}
