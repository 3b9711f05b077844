import { expect, test } from 'vitest';

import { MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import { buildTestApp, useTestApp } from '#tests/support/app.ts';
import type { TestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { exampleEnvironment } from '#tests/support/gateway.ts';

const PHONE = '+919876543210';
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

const post = ({ app }: TestApp, path: string, payload: object) =>
  app.inject({ method: 'POST', url: `/api/otp/${path}`, payload });

onEachDatabase((open) => {
  const { testDatabase } = useTestApp(open);
  const messages: { code: string; byNext: boolean | undefined }[] = [];
  let isDown = false;

  function build(more: Record<string, string> = {}): TestApp {
    messages.length = 0;
    isDown = false;
    return buildTestApp(testDatabase.database, {
      environment: { ...environment, ...more },
      dependencies: {
        sendCode: async (_phone, code, options) => {
          if (isDown) throw new Error('The gateway is down.');
          messages.push({ code, byNext: options?.byNext });
        },
      },
    });
  }

  const send = (testApp: TestApp, replaces?: string, phone = PHONE) =>
    post(testApp, 'send', { appId: 'tessera', phone, ...(replaces ? { replaces } : {}) });
  const challengeOf = async (response: ReturnType<typeof send>) =>
    (await response).json<Reply>().challenge;
  const status = async (response: ReturnType<typeof send>) => {
    const { statusCode, headers } = await response;
    const wait = headers['retry-after'];
    return wait === undefined ? statusCode : `${statusCode} after ${wait} s`;
  };
  const verify = (testApp: TestApp, challenge: string, code = messages.at(-1)?.code) =>
    status(post(testApp, 'verify', { challenge, code }));

  test.each([
    [{}, PHONE, 20],
    [{}, '+971501234567', undefined],
    [{ WHATSAPP_COUNTRIES: 'IN,AE' }, '+971501234567', 20],
    [{ SMS_GATEWAY: 'whatsapp', OTP_COUNTRIES: 'IN' }, PHONE, undefined],
    [{ SMS_GATEWAY: 'msg91' }, PHONE, undefined],
    [{ SMS_GATEWAY: 'msg91,console' }, PHONE, undefined],
  ])(
    'send code: with %j a code for %s can be replaced after %s s',
    async (more, phone, seconds) => {
      const testApp = build(more);
      const first = (await send(testApp, undefined, phone)).json<Reply>();
      expect(first.nextAfterSeconds).toBe(seconds);
      const { body } = await testApp.app.inject('/api/openapi.json');
      const isList = !('SMS_GATEWAY' in more);
      expect(['nextAfterSeconds', 'replaces'].map((key) => body.includes(key))).toEqual([
        isList,
        isList,
      ]);
      // Where there is no other way, a code cannot replace another one.
      const next = await status(send(testApp, first.challenge, phone));
      expect(next).toBe(seconds === undefined ? '429 after 30 s' : 200);
    },
  );

  test('send code: one that replaces another is sent by the next gateway without a pause, once, and counts', async () => {
    const testApp = build();
    const first = await challengeOf(send(testApp));
    const sent = await send(testApp, first);
    const next = sent.json<Reply>();
    expect(next.nextAfterSeconds).toBe(undefined);
    expect(messages.map(({ byNext }) => byNext)).toEqual([false, true]);
    for (const replaced of [first, next.challenge]) {
      expect(await status(send(testApp, replaced))).toBe('429 after 60 s');
    }
    expect(await status(send(testApp))).toBe('429 after 60 s');
    expect(await verify(testApp, first, messages[0]?.code)).toBe(403);
    expect(await verify(testApp, next.challenge)).toBe(200);
    const counters = await testDatabase.database.all<{ count: number }>(
      "SELECT count FROM counters WHERE key = 'otp:send:all' OR key LIKE 'otp:send:hour:%'",
    );
    expect(counters.map(({ count }) => count)).toEqual([2, 2]);
  });

  test('send code: of many simultaneous ones that replace a code exactly one is sent', async () => {
    const testApp = build();
    const first = await challengeOf(send(testApp));
    const results = await Promise.all(
      Array.from({ length: 12 }, () => status(send(testApp, first))),
    );
    expect(results.filter((result) => result === 200)).toEqual([200]);
    expect(messages.length).toBe(2);
  });

  test('send code: if the next gateway fails, the first code stays valid and the next attempt need not wait', async () => {
    const testApp = build();
    const first = await challengeOf(send(testApp));
    isDown = true;
    for (let n = 0; n < 7; n += 1) expect(await status(send(testApp, first))).toBe('503 after 1 s');
    isDown = false;
    expect(await verify(testApp, first)).toBe(200);
    expect(await status(send(testApp))).toBe(200);
  });

  test('send code: a challenge of another phone is neither replaced nor an exemption', async () => {
    const testApp = build();
    const other = await challengeOf(send(testApp, undefined, '+919876543211'));
    const code = messages.at(-1)?.code;
    await send(testApp);
    expect(await status(send(testApp, other))).toBe('429 after 30 s');
    testApp.clock.advance(30 * SECOND_MS);
    expect(await status(send(testApp, other))).toBe(200);
    expect(messages.at(-1)?.byNext).toBe(true);
    expect(await verify(testApp, other, code)).toBe(200);
  });

  test('send code: an expired code can be replaced after the pause, a text that is no challenge not', async () => {
    const testApp = build();
    const first = await challengeOf(send(testApp));
    testApp.clock.advance(6 * MINUTE_MS);
    expect(await status(send(testApp, first))).toBe(200);
    expect(messages.at(-1)?.byNext).toBe(true);
    expect(await status(send(testApp, 'x\u0000'))).toBe(400);
  });
});
