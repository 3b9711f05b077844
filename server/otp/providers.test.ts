import { expect, test } from 'vitest';

import { openTestProvider, outcomeOf, useFakeServices } from '#tests/support/third-party.ts';

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

test.each(THIRD_PARTY_NAMES)(
  'provider %s: another spelling of a token is not well-formed',
  async (name) => {
    const provider = await open(name);
    const tokens = ['good.919812345678.1 ', 'a b', '{"token":1}', 'eyJhIjoxfQ.e30.aGl', ''];
    expect(tokens.map((token) => provider.isWellFormed?.(token))).toEqual(tokens.map(() => false));
  },
);

const NO_TOKENS = ['shorter', 'with spaces in a token', '"quotation"', 'a\u0000'.repeat(8)];

test.each([
  ['otpless', NO_TOKENS],
  ['msg91', NO_TOKENS],
  ['firebase', ['opaque-token-of-an-attacker', 'two.sections', 'a..c', 'a.b.c.d', '..']],
] as const)('provider %s: a malformed token is not well-formed', async (name, tokens) => {
  const provider = await open(name);
  expect(tokens.map((token) => provider.isWellFormed?.(token))).toEqual(tokens.map(() => false));
});

test.each(['otpless', 'msg91'] as const)(
  'provider %s: a token of eight characters is sent, whatever its form',
  async (name) => {
    const provider = await open(name);
    for (const token of ['12345678', 'aa.bb.cc']) expect(provider.isWellFormed?.(token)).toBe(true);
    await outcomeOf(provider.verify('12345678'));
    expect(services.calls.at(-1)?.body).toContain('12345678');
  },
);
