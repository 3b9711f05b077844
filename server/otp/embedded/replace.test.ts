import { expect, test, vi } from 'vitest';

import { MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import type { SendCode } from '#server/sms/delivery.ts';
import { buildTestApp, useTestApp } from '#tests/support/app.ts';
import type { TestApp } from '#tests/support/app.ts';
import {
  PHONE,
  countersOf,
  phoneOf,
  sendCode,
  statusOf,
  verifyCode,
} from '#tests/support/codes.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { exampleEnvironment } from '#tests/support/gateway.ts';

const URL = 'https://gateway.example.com';
const environment = {
  ...exampleEnvironment('msg91', URL),
  ...exampleEnvironment('whatsapp', URL),
  SMS_GATEWAY: 'whatsapp,msg91',
  OTP_COUNTRIES: 'IN,AE',
};

interface Reply {
  readonly challenge: string;
  readonly nextAfterSeconds?: number;
}

const send = (testApp: TestApp, replaces?: string, phone = PHONE) =>
  sendCode(testApp, { phone, replaces });

const challengeOf = async (response: ReturnType<typeof send>) =>
  (await response).json<Reply>().challenge;

onEachDatabase((open) => {
  const { database } = useTestApp(open);
  const gateway = vi.fn<SendCode>();
  const byNext = () => gateway.mock.calls.map(([, , options]) => options?.byNext);
  const lastCode = () => gateway.mock.lastCall?.[1] ?? '';

  function build(more: Record<string, string> = {}): TestApp {
    gateway.mockReset().mockResolvedValue();
    const dependencies = { sendCode: gateway };
    return buildTestApp(database, { environment: { ...environment, ...more }, dependencies });
  }

  const verify = (testApp: TestApp, challenge: string, code = lastCode()) =>
    statusOf(verifyCode(testApp, { challenge, code }));

  test('send code: can be replaced after 20 s where there is another way, and not elsewhere', async () => {
    const always = [20, 200, 2] as const;
    const never = [undefined, '429 after 30 s', 0] as const;
    for (const [more, phone, expected] of [
      [{}, phoneOf(1), always],
      [{}, '+971501234567', [undefined, '429 after 30 s', 2]],
      [{ WHATSAPP_COUNTRIES: 'IN,AE' }, '+971501234568', always],
      [{ SMS_GATEWAY: 'whatsapp', OTP_COUNTRIES: 'IN' }, phoneOf(2), never],
      [{ SMS_GATEWAY: 'msg91' }, phoneOf(3), never],
      [{ SMS_GATEWAY: 'msg91,console' }, phoneOf(4), never],
    ] as const) {
      const testApp = build(more);
      const first = (await send(testApp, undefined, phone)).json<Reply>();
      const next = await statusOf(send(testApp, first.challenge, phone));
      const { body } = await testApp.app.inject('/api/openapi.json');
      const keys = ['nextAfterSeconds', 'replaces'].filter((key) => body.includes(key));
      expect([first.nextAfterSeconds, next, keys.length]).toEqual(expected);
    }
  });

  test('send code: one that replaces another is sent by the next gateway without a pause, once, and counts', async () => {
    const testApp = build();
    const first = await challengeOf(send(testApp));
    const next = (await send(testApp, first)).json<Reply>();
    expect(next.nextAfterSeconds).toBe(undefined);
    expect(byNext()).toEqual([false, true]);
    for (const replaced of [first, next.challenge, undefined])
      expect(await statusOf(send(testApp, replaced))).toBe('429 after 60 s');
    expect(await verify(testApp, first, gateway.mock.calls[0]?.[1])).toBe(403);
    expect(await verify(testApp, next.challenge)).toBe(200);
    expect(await countersOf(database, 'otp:send:%')).toMatchObject({
      'otp:send:all': 2,
      [`otp:send:hour:${PHONE}`]: 2,
    });
  });

  test('send code: of many simultaneous ones that replace a code exactly one is sent', async () => {
    const testApp = build();
    const first = await challengeOf(send(testApp));
    const results = await Promise.all(
      Array.from({ length: 12 }, () => statusOf(send(testApp, first))),
    );
    expect(results.filter((result) => result === 200)).toEqual([200]);
    expect(gateway).toHaveBeenCalledTimes(2);
  });

  test('send code: if the next gateway fails, the first code stays valid and the next attempt need not wait', async () => {
    const testApp = build();
    const first = await challengeOf(send(testApp));
    const code = lastCode();
    gateway.mockRejectedValue(new Error('The gateway is down.'));
    for (let n = 0; n < 7; n += 1)
      expect(await statusOf(send(testApp, first))).toBe('503 after 1 s');
    gateway.mockResolvedValue();
    expect(await verify(testApp, first, code)).toBe(200);
    expect(await statusOf(send(testApp))).toBe(200);
  });

  test('send code: a challenge of another phone is neither replaced nor an exemption', async () => {
    const testApp = build();
    const other = await challengeOf(send(testApp, undefined, phoneOf(1)));
    const code = lastCode();
    await send(testApp);
    expect(await statusOf(send(testApp, other))).toBe('429 after 30 s');
    testApp.clock.advance(30 * SECOND_MS);
    expect(await statusOf(send(testApp, other))).toBe(200);
    expect(byNext().at(-1)).toBe(true);
    expect(await verify(testApp, other, code)).toBe(200);
  });

  test('send code: an expired code can be replaced after the pause, a text that is no challenge not', async () => {
    const testApp = build();
    const first = await challengeOf(send(testApp));
    testApp.clock.advance(6 * MINUTE_MS);
    expect(await statusOf(send(testApp, first))).toBe(200);
    expect(byNext().at(-1)).toBe(true);
    expect(await statusOf(send(testApp, 'x\u0000'))).toBe(400);
  });
});
