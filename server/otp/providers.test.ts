import { expect, test } from 'vitest';

import { FAILURES, REDIRECTED_PATH } from '#tests/support/fake-failures.ts';
import {
  MISCONFIGURED,
  openTestProvider,
  outcomeOf,
  tokenOf,
  UNAVAILABLE,
  useFakeServices,
} from '#tests/support/third-party.ts';

import type { ProviderEntry } from './provider.ts';
import { THIRD_PARTIES, THIRD_PARTY_NAMES } from './providers.ts';
import type { ThirdPartyName } from './providers.ts';

const services = useFakeServices();

function keysOf(name: ThirdPartyName) {
  const entry: ProviderEntry = THIRD_PARTIES[name];
  return Object.entries(entry.description.keys);
}

const open = (name: ThirdPartyName) =>
  openTestProvider({
    OTP_PROVIDER: name,
    OTP_APP_ID: 'tessera-test',
    OTP_SERVICE_URL: services.origin,
    ...Object.fromEntries(keysOf(name).map(([key, { example }]) => [key, example])),
  });

test.each(THIRD_PARTY_NAMES)('provider %s: the page gets no secret', async (name) => {
  const { client } = await open(name);
  expect(client.kind).toBe(name);
  const secrets = keysOf(name).flatMap(([, { example, isSecret }]) => (isSecret ? example : []));
  const sent = JSON.stringify(client);
  expect(secrets.filter((secret) => sent.includes(secret))).toEqual([]);
});

const NO_TOKENS = ['shorter', 'with spaces in a token', '"quotation"', 'a\u0000'.repeat(8)];
/** Other spellings of tokens. */
const SPELLINGS = ['good.919812345678.1 ', 'a b', '{"token":1}', 'eyJhIjoxfQ.e30.aGl', ''];

test.each([
  ['otpless', NO_TOKENS],
  ['msg91', NO_TOKENS],
  ['firebase', ['opaque-token-of-an-attacker', 'two.sections', 'a..c', 'a.b.c.d', '..']],
] as const)('provider %s: a malformed token is not well-formed', async (name, malformed) => {
  const provider = await open(name);
  const tokens = [...malformed, ...SPELLINGS];
  expect(tokens.filter((token) => provider.isWellFormed?.(token) !== false)).toEqual([]);
});

const OPAQUE = [
  ['otpless', '/otpless/auth/v1/validate/token'],
  ['msg91', '/msg91/api/v5/widget/verifyAccessToken'],
] as const;

test.each(OPAQUE)(
  'provider %s: a token of eight characters is sent, whatever its form',
  async (name) => {
    const provider = await open(name);
    for (const token of ['12345678', 'aa.bb.cc']) expect(provider.isWellFormed?.(token)).toBe(true);
    await outcomeOf(provider.verify('12345678'));
    expect(services.calls.at(-1)?.body).toContain('12345678');
  },
);

test.each(OPAQUE)(
  'provider %s: each failure is 503, without a second request; a wrong URL is misconfigured',
  async (name, path) => {
    const provider = await openTestProvider(services.environment[name]);
    const sent = services.callsTo(path).length;
    for (const failure of FAILURES) {
      const outcome = await outcomeOf(provider.verify(tokenOf(failure)));
      expect([failure, outcome]).toEqual([failure, UNAVAILABLE]);
    }
    expect(services.callsTo(path)).toHaveLength(sent + FAILURES.length);
    expect(services.callsTo(REDIRECTED_PATH)).toEqual([]);
    const verifyAt = async (OTP_SERVICE_URL: string) => {
      const other = await openTestProvider({ ...services.environment[name], OTP_SERVICE_URL });
      return outcomeOf(other.verify(tokenOf('good')));
    };
    expect(await verifyAt('http://127.0.0.1:1')).toEqual(UNAVAILABLE);
    expect(await verifyAt(`${services.origin}/elsewhere`)).toEqual(MISCONFIGURED);
  },
);
