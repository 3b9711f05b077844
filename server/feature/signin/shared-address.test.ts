import { expect, test } from 'vitest';

import { MINUTE_MS } from '#domain/duration.ts';
import { ADDRESS_LIMITS } from '#server/http/limit.ts';
import { newToken } from '#server/token.ts';
import { signInByToken, useTestApp } from '#tests/support/app.ts';
import {
  HOME_IP,
  testPhone,
  requestCode,
  sendCode,
  statusOf,
  verifyCode,
} from '#tests/support/codes.ts';
import { onEachDatabase } from '#tests/support/database.ts';

const [SMALL_MAX] = ADDRESS_LIMITS['invalid bodies of at most 2,048 bytes'];
const CODES_PER_HOUR = 20;
/** A phone behind the IP address of a known device can send all of these. */
const JUNK_BODIES = [{}, { appId: 'tessera' }, { phone: 5 }, { challenge: 'x'.repeat(257) }];
const BUSY = '429 after 60 s';

onEachDatabase((open) => {
  const environment = { LIMIT_CODES_PER_HOUR: String(CODES_PER_HOUR) };
  const { testApp } = useTestApp(open, { environment });

  const post = (path: string, payload: object | string, cookie = '') =>
    testApp.app.inject({
      method: 'POST',
      url: `/api/otp/${path}`,
      payload,
      headers: { 'content-type': 'application/json', ...(cookie && { cookie }) },
      remoteAddress: HOME_IP,
    });
  const knownDevice = async (n: number) => {
    const phone = testPhone(n);
    const { right } = await requestCode(testApp, { phone });
    const { headers } = await verifyCode(testApp, right);
    return { phone, cookie: String(headers['set-cookie']).split(';', 1)[0] ?? '' };
  };
  const signIn = async ({ phone, cookie }: { phone: string; cookie: string }) => {
    const sent = await sendCode(testApp, { phone, cookie });
    if (sent.statusCode !== 200) return [sent.statusCode];
    const { challenge } = sent.json<{ challenge: string }>();
    const code = testApp.codes.get(phone) ?? '';
    const verified = await verifyCode(testApp, { challenge, code }, { cookie });
    return [sent.statusCode, verified.statusCode];
  };

  test('shared address: junk bodies of one phone keep no known device behind it out, and a made-up or borrowed cookie is none', async () => {
    const [owner, other] = [await knownDevice(1), await knownDevice(2)];
    testApp.clock.advance(MINUTE_MS);
    for (let n = 0; n < SMALL_MAX; n += 400)
      await Promise.all(
        Array.from({ length: 400 }, (_, m) => post('send', JUNK_BODIES[m % 4] ?? {})),
      );
    const madeUp = `tessera_device=${newToken()}.${'0'.repeat(64)}`;
    for (const cookie of ['', madeUp, other.cookie]) {
      expect(await statusOf(sendCode(testApp, { phone: owner.phone, cookie }))).toBe(BUSY);
      for (const challenge of [newToken(), 'junk'])
        expect(await statusOf(verifyCode(testApp, { challenge, code: '1' }, { cookie }))).toBe(
          BUSY,
        );
      for (const junk of JUNK_BODIES) expect(await statusOf(post('send', junk, cookie))).toBe(BUSY);
    }
    // A large body is not read, even with the cookie of a known device.
    const large = { appId: 'tessera', phone: owner.phone, more: 'x'.repeat(2048) };
    for (let n = 0; n < 120; n += 1) await post('send', { more: 'x'.repeat(2048) });
    expect(await statusOf(post('send', large, owner.cookie))).toBe(BUSY);
    for (const device of [owner, other]) expect(await signIn(device)).toEqual([200, 200]);
    // The limits of the device itself still apply.
    expect(await statusOf(sendCode(testApp, owner))).toBe('429 after 30 s');
  });

  test('shared address: codes to made-up numbers and wrong codes keep no known device behind it out', async () => {
    const owner = await knownDevice(1);
    testApp.clock.advance(MINUTE_MS);
    for (let n = 10; n < 10 + CODES_PER_HOUR; n += 1) {
      const { wrong } = await requestCode(testApp, { phone: testPhone(n) });
      for (let tries = 0; tries < 5; tries += 1) await verifyCode(testApp, wrong);
    }
    const stranger = sendCode(testApp, { phone: testPhone(9) });
    expect(await statusOf(stranger)).toMatch(/^429 after 3\d\d\d s$/);
    expect(await signIn(owner)).toEqual([200, 200]);
    // A signed-in owner also needs a code, for example to delete the account.
    testApp.clock.advance(MINUTE_MS);
    const { _id, sessionToken } = await signInByToken(testApp, owner.phone);
    const headers = { authorization: sessionToken, cookie: owner.cookie };
    const url = `/api/otp/sendOwnerCode/${_id}`;
    const request = { method: 'POST', url, headers, payload: {}, remoteAddress: HOME_IP } as const;
    expect(await statusOf(testApp.app.inject(request))).toBe(200);
  });
});
