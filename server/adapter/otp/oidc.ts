import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type * as Openid from 'openid-client';

import { SECOND_MS } from '#domain/duration.ts';
import { cleanPhone } from '#domain/typed-phone.ts';
import { sendRequest } from '#server/adapter/http-client.ts';
import { NoResponseError, isTemporaryFailure } from '#server/adapter/outside/exchange.ts';
import type { GatewayReport } from '#server/adapter/sms/delivery.ts';
import { CLOCK_SKEW_MS_MAX } from '#server/clock.ts';
import { ApiError, tokenInvalidError } from '#server/error.ts';
import type { Settings } from '#server/settings/settings.ts';
import { newToken } from '#server/token.ts';

import { keyed } from './oidc-flow.ts';
import type { Flow } from './oidc-flow.ts';
import { providerMisconfigured, providerUnavailable } from './verification.ts';

const TIMEOUT_MS = 5 * SECOND_MS;

/** Limits the time and size of each exchange with the issuer, and follows no redirect. */
const fetchInTime: Openid.CustomFetch = async (endpoint, { method, headers, body }) => {
  const { status, contentType, ...response } = await sendRequest({
    endpoint,
    method,
    headers: { 'accept-encoding': 'identity', ...headers },
    ...(body && { body: String(body as URLSearchParams) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
    label: new URL(endpoint).host,
  });
  const content = response.body.length === 0 ? null : new Uint8Array(response.body);
  return new Response(content, { status, headers: { 'content-type': contentType ?? '' } });
};

interface Person {
  /** The issuer and its id of the person. */
  readonly subject: string;
  /** In E.164, or '' if the issuer vouches for no number. */
  readonly phone: string;
  /** Whether the person has signed in there since the visit began. */
  readonly isFresh: boolean;
}

/** The company's login (docs/develop/security.md#a-companys-own-login). Its keys are read at each sign-in. */
export class Issuer {
  readonly #settings: Settings;
  readonly #secret: string;
  readonly #url: URL;

  constructor(settings: Settings, secret = '') {
    this.#settings = settings;
    this.#secret = secret;
    this.#url = new URL(settings.oidcIssuer);
  }

  /** Throws ApiError 'unavailable' or 'misconfigured', as the other methods do. */
  authorizationUrl({ state, returnTo }: Flow, redirectUri: string): Promise<URL> {
    return this.#ask(async ({ buildAuthorizationUrl, calculatePKCECodeChallenge }, issuer) =>
      buildAuthorizationUrl(issuer, {
        redirect_uri: redirectUri,
        scope: this.#settings.oidcScopes,
        state,
        nonce: keyed(this.#secret, `nonce ${state}`),
        code_challenge: await calculatePKCECodeChallenge(this.#verifier(state)),
        code_challenge_method: 'S256',
        ...(returnTo !== 'login' && { prompt: 'login', max_age: '0' }),
      }),
    );
  }

  /** Returns null if the person has cancelled. Throws ApiError 'token_invalid' too. */
  identify({ state, startedAt }: Flow, url: URL): Promise<Person | null> {
    const { oidcPhoneClaim: claim } = this.#settings;
    if (url.searchParams.get('error') === 'access_denied') return Promise.resolve(null);
    return this.#ask(async ({ authorizationCodeGrant, fetchUserInfo }, issuer) => {
      const tokens = await authorizationCodeGrant(issuer, url, {
        expectedState: state,
        expectedNonce: keyed(this.#secret, `nonce ${state}`),
        pkceCodeVerifier: this.#verifier(state),
        idTokenExpected: true,
      });
      const idToken = tokens.claims();
      if (!idToken) throw tokenInvalidError();
      const { sub, auth_time: authTime } = idToken;
      const mustAsk = idToken[claim] === undefined && issuer.serverMetadata().userinfo_endpoint;
      const claims = mustAsk ? await fetchUserInfo(issuer, tokens.access_token, sub) : idToken;
      const freshFrom = startedAt - CLOCK_SKEW_MS_MAX;
      return {
        subject: `${this.#url.href} ${sub}`,
        phone: this.#vouchedPhone(claims),
        isFresh: typeof authTime === 'number' && authTime * SECOND_MS >= freshFrom,
      };
    });
  }

  /** Resolves if the issuer answers and accepts the id and the secret. An invalid code shows that. */
  check(): Promise<void> {
    return this.#ask(async ({ ResponseBodyError, genericGrantRequest }, issuer) => {
      const invalid = { code: newToken(), redirect_uri: this.#url.href };
      await genericGrantRequest(issuer, 'authorization_code', invalid).catch((error: unknown) => {
        const isAnswer = error instanceof ResponseBodyError && error.status < SERVER_ERROR;
        if (!isAnswer || isRejection(error.error)) throw error;
      });
    });
  }

  #verifier(state: string): string {
    return keyed(this.#secret, `verifier ${state}`);
  }

  /** A number without its country code belongs to another person in another country. */
  #vouchedPhone(claims: Readonly<Record<string, unknown>>): string {
    const { oidcPhoneClaim, oidcTrustPhone } = this.#settings;
    const isVerified = claims['phone_number_verified'] === true || oidcTrustPhone === 'yes';
    const { [oidcPhoneClaim]: claim } = claims;
    const phone = typeof claim === 'string' && isVerified ? cleanPhone(claim) : '';
    const number = /^\+\d+$/.test(phone) ? parsePhoneNumberFromString(phone) : undefined;
    return number?.isValid() ? number.number : '';
  }

  async #ask<Result>(
    work: (openid: typeof Openid, issuer: Openid.Configuration) => Promise<Result>,
  ): Promise<Result> {
    const { oidcClientId, oidcClientSecret: secret } = this.#settings;
    // Most services never load this library.
    const openid = await import('openid-client');
    const { ClientSecretBasic, ClientSecretPost, allowInsecureRequests } = openid;
    try {
      const issuer = await openid.discovery(
        new URL(`${this.#url.href.replace(/\/$/, '')}/.well-known/openid-configuration`),
        oidcClientId,
        undefined,
        (server, ...request) => {
          const methods = server.token_endpoint_auth_methods_supported;
          const hasBasic = methods?.includes('client_secret_basic') ?? true;
          (hasBasic ? ClientSecretBasic : ClientSecretPost)(secret)(server, ...request);
        },
        {
          [openid.customFetch]: fetchInTime,
          execute: [
            openid.enableNonRepudiationChecks,
            // The settings permit http on this machine only.
            ...(this.#url.protocol === 'http:' ? [allowInsecureRequests] : []),
          ],
        },
      );
      // The library itself would accept addresses of Microsoft that stand for the people of every company.
      if (new URL(issuer.serverMetadata().issuer).href !== this.#url.href)
        throw providerMisconfigured('OIDC_ISSUER names another issuer in its own metadata.');
      return await work(openid, issuer);
    } catch (error) {
      throw toApiError(error);
    }
  }
}

const SERVER_ERROR = 500;
const REJECTIONS = new Set(['invalid_client', 'unauthorized_client', 'invalid_scope']);
const isRejection = (code: string) => REJECTIONS.has(code);
/** What openid-client reports if the answer is not one of an issuer, and what an issuer with a fault says. */
const UNREADABLE = /CONFORM|NOT_JSON|PARSE_ERROR|server_error|temporarily_unavailable/;

/** The message names the library's error only, because its cause can contain what was sent and received. */
function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const { code = '', error: answer = '', status = 0, cause } = error as Partial<IssuerError>;
  const silent = [error, cause].find((one) => one instanceof NoResponseError);
  const reason = `OIDC_ISSUER: ${silent?.message ?? [code, answer].filter(Boolean).join(' ')}`;
  if (silent || isTemporaryFailure(status) || UNREADABLE.test(`${code} ${answer}`))
    return providerUnavailable(new Error(reason));
  if (isRejection(answer))
    return providerMisconfigured(
      `${reason}: check OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and OIDC_SCOPES.`,
    );
  return new ApiError('token_invalid', tokenInvalidError().message, { cause: new Error(reason) });
}

interface IssuerError extends Error {
  readonly code: string;
  /** The error code of the protocol. */
  readonly error: string;
  readonly status: number;
}

const ACCEPTED =
  "The company's login answers and accepts the id and the secret. With it the service sends no codes.";

/** Reports whether the company's login works with the settings. Sends nothing to any person. */
export async function checkIssuer(settings: Settings): Promise<GatewayReport> {
  const report = { gateway: 'oidc', outcome: 'accepted', answer: 'accepted' } as const;
  try {
    await new Issuer(settings).check();
    return { ...report, meaning: ACCEPTED };
  } catch (error) {
    const answer = error instanceof ApiError ? String(error.cause) : String(error);
    return {
      ...report,
      outcome: 'refused',
      answer,
      meaning: `${answer} See docs/operate/oidc.md.`,
    };
  }
}
