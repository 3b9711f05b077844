import { getCountryCallingCode } from 'libphonenumber-js/max';

import { CATALOGUES } from '#domain/language/catalogues.ts';
import type { Language } from '#domain/language/language.ts';
import { fillText } from '#domain/language/plural.ts';

import type { HttpClient } from '#server/adapter/http-client.ts';
import { NoResponseError } from '#server/adapter/outside/exchange.ts';
import type { ThirdPartyName } from '#server/settings/login-table.ts';
import type { Settings } from '#server/settings/settings.ts';

import { msg91 } from './msg91.ts';
import { otpless } from './otpless.ts';
import { defaultCountry } from './phone.ts';
import { providerUnavailable } from './verification.ts';
import type { Provider, ThirdParty } from './verification.ts';

/** docs/develop/recipes.md#provider explains how to add a provider. */
const THIRD_PARTIES: Readonly<Record<ThirdPartyName, ThirdParty>> = { otpless, msg91 };
export const EMBEDDED_SCRIPT_PATH = '/otp/embedded.js';

export function openProvider(settings: Settings, httpClient: HttpClient): Provider {
  const { otpProvider: kind } = settings;
  if (kind === 'embedded') return embeddedProvider(settings);
  if (kind === 'oidc')
    return { client: { kind, scriptUrl: '', configuration: {} }, origins: [], verify: null };
  const { configuration, origins, request, readPhone, ...defaults } = THIRD_PARTIES[kind];
  const scriptUrl = settings.otpScriptUrl ?? defaults.scriptUrl;
  return {
    client: { kind, scriptUrl, configuration: configuration(settings) },
    origins: [...new Set([new URL(scriptUrl).origin, ...origins, ...settings.otpOrigins])],
    verify: async (token) => {
      const { path, headers, body } = request(settings, token);
      const response = await httpClient({
        url: `${settings.otpServiceUrl ?? defaults.serviceUrl}${path}`,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }).catch((error: unknown) => {
        throw error instanceof NoResponseError ? providerUnavailable(error) : error;
      });
      return readPhone(response);
    },
  };
}

type EmbeddedSettings = Pick<Settings, 'otpAppId' | 'otpCountries' | 'smsGateway'>;

export function embeddedProvider({
  otpAppId: appId,
  otpCountries,
  smsGateway,
}: EmbeddedSettings): Provider {
  return {
    client: {
      kind: 'embedded',
      scriptUrl: EMBEDDED_SCRIPT_PATH,
      configuration: {
        appId,
        ...phoneTexts(otpCountries, 'en', smsGateway.join() !== 'email'),
        ...(smsGateway.join() === 'whatsapp' && { sentBy: 'whatsapp' }),
      },
    },
    origins: [],
    verify: null,
  };
}

/** If only one country is served, its code is drawn before the number (docs/develop/product.md#login-page). */
export function phoneTexts(
  countries: readonly string[],
  language: Language = 'en',
  isTexted = true,
): Readonly<Record<string, string>> {
  const { codesSentTo, codesSentToIndia, assumedCode } = CATALOGUES[language].answer;
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const list = new Intl.ListFormat(language);
  const served = list.format(countries.map((country) => names.of(country) ?? country));
  const code = getCountryCallingCode(defaultCountry(countries));
  const isIndia = countries.join() === 'IN';
  const hint =
    isIndia && isTexted ? codesSentToIndia : fillText(codesSentTo, { countries: served });
  return countries.length === 1
    ? { hint, callingCode: `+${code}` }
    : { hint: `${hint} ${fillText(assumedCode, { code: `+${code}` })}` };
}
