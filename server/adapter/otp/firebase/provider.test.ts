import { decodeJwt, exportSPKI, SignJWT, UnsecuredJWT } from 'jose';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';

import { DAY_MS, SECOND_MS } from '#domain/duration.ts';
import { CLOCK_START } from '#tests/support/app.ts';
import { FAILURES, REDIRECTED_PATH } from '#tests/support/fake-services.ts';
import {
  impatientClient,
  outcomeOf,
  openTestProvider,
  REJECTED,
  UNAVAILABLE,
  useFakeServices,
} from '#tests/support/third-party.ts';

const NOW_SECONDS = CLOCK_START / SECOND_MS;
const PHONE = '+919876543210';

const services = useFakeServices();
beforeEach(() => services.authority.serveKeys('good'));

const open = () => openTestProvider(services.environment.firebase);
const sign = (claims: Record<string, unknown> = {}) =>
  services.authority.sign({ now: CLOCK_START, claims });

test("firebase: returns the phone of a new token; Google's keys are read once", async () => {
  const provider = await open();
  const before = services.calls.length;
  expect(await provider.verify(await sign())).toBe(PHONE);
  expect(await provider.verify(await sign({ sub: 'another' }))).toBe(PHONE);
  expect(services.calls.length - before).toBe(1);
});

test.each<[string, Record<string, unknown>, unknown?]>([
  ['another issuer', { iss: 'https://securetoken.google.com/other' }],
  ['another project', { aud: 'other' }],
  ['no subject', { sub: '' }],
  ['a subject of 128 characters', { sub: 'x'.repeat(128) }, PHONE],
  ['a subject of 129 characters', { sub: 'x'.repeat(129) }],
  ['an expiry in the past', { exp: NOW_SECONDS - 1 }],
  ['no expiry', { exp: undefined }],
  ['a sign-in of five minutes ago', { auth_time: NOW_SECONDS - 300 }, PHONE],
  ['a sign-in of more than five minutes ago', { auth_time: NOW_SECONDS - 301 }],
  ['a clock that is a minute ahead', { auth_time: NOW_SECONDS + 60 }, PHONE],
  ['a sign-in in the future', { auth_time: NOW_SECONDS + 61 }],
  ['a sign-in without a time', { auth_time: undefined }],
  ['a sign-in with an e-mail address', { firebase: { sign_in_provider: 'password' } }],
  ['no firebase claim', { firebase: undefined }],
  ['no phone', { phone_number: undefined }],
  // Without the first digit it is a number of the United States.
  ['a phone without its plus', { phone_number: '914155552671' }],
])('firebase: a token with %s', async (_name, claims, outcome = REJECTED) => {
  expect(await outcomeOf((await open()).verify(await sign(claims)))).toEqual(outcome);
});

test('firebase: a token that is unsigned, signed with the public key as a secret, or broken is rejected', async () => {
  const good = await sign();
  const claims = decodeJwt(good);
  const unsigned = new UnsecuredJWT(claims).encode();
  const secret = new TextEncoder().encode(await exportSPKI(services.authority.publicKey()));
  const signedWithPublicKey = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', kid: services.authority.keyId() })
    .sign(secret);
  const [header, payload, signature = ''] = good.split('.');
  const other = signature.startsWith('A') ? 'B' : 'A';
  const broken = [header, payload, `${other}${signature.slice(1)}`].join('.');
  for (const token of [unsigned, signedWithPublicKey, broken, 'a.b.c', 'nothing'])
    expect(await outcomeOf((await open()).verify(token))).toEqual(REJECTED);
});

test('firebase: a token with another algorithm is rejected, even if the key allows it', async () => {
  services.authority.serveKeys('without-algorithm');
  const provider = await open();
  for (const algorithm of ['RS512', 'PS256']) {
    const token = await services.authority.sign({ now: CLOCK_START, algorithm });
    expect(await outcomeOf(provider.verify(token))).toEqual(REJECTED);
  }
  expect(await provider.verify(await sign())).toBe(PHONE);
});

test.each([
  ['while the service runs', 0, 5 * SECOND_MS],
  ['after a clock that was ahead', 30 * DAY_MS, -30 * DAY_MS],
])('firebase: a new key is read %s', async (_, ahead, passed) => {
  const now = CLOCK_START + ahead;
  const provider = await openTestProvider(services.environment.firebase, { now });
  // The library reads the system clock.
  const systemClock = vi.spyOn(Date, 'now').mockImplementation(() => provider.clock.now());
  onTestFinished(() => systemClock.mockRestore());
  const signNow = () => services.authority.sign({ now: provider.clock.now() });
  expect(await provider.verify(await signNow())).toBe(PHONE);
  provider.clock.advance(passed);
  await services.authority.rotate();
  expect(await provider.verify(await signNow())).toBe(PHONE);
});

test('firebase: many tokens with an unknown key read the keys once', async () => {
  const provider = await open();
  const unknown = await services.authority.sign({ now: CLOCK_START, keyId: 'unknown' });
  const before = services.calls.length;
  for (let count = 0; count < 20; count += 1)
    expect(await outcomeOf(provider.verify(unknown))).toEqual(REJECTED);
  expect(services.calls.length - before).toBe(1);
});

test('firebase: a failure of the keys is 503', async () => {
  const token = await sign();
  for (const failure of FAILURES) {
    services.authority.serveKeys(failure);
    const provider = await open();
    expect([failure, await outcomeOf(provider.verify(token))]).toEqual([failure, UNAVAILABLE]);
    services.authority.serveKeys('good');
    expect(await provider.verify(token)).toBe(PHONE);
  }
  expect(services.callsTo(REDIRECTED_PATH)).toEqual([]);
});

test('firebase: keys are not used if their status is an error', async () => {
  const provider = await openTestProvider(services.environment.firebase, {
    httpClient: async (request) => ({ ...(await impatientClient(request)), status: 500 }),
  });
  expect(await outcomeOf(provider.verify(await sign()))).toEqual(UNAVAILABLE);
});
