import { beforeEach, expect, test, vi } from 'vitest';

import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import { Unavailable } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { NoResponseError } from '#server/adapter/outside/exchange.ts';
import type { SendCode } from '#server/adapter/sms/delivery.ts';
import { buildTestApp, useTestApp } from '#tests/support/app.ts';
import type { TestApp } from '#tests/support/app.ts';
import {
  HOME_IP,
  PHONE,
  countersOf,
  testPhone,
  requestCode,
  sendCode,
  statusOf,
  verifyCode,
} from '#tests/support/codes.ts';
import { onEachDatabase, openTestSqlite } from '#tests/support/database.ts';
import { exampleEnvironment } from '#tests/support/gateway.ts';
import { toSql } from '#tests/support/statement.ts';

const PAIR = `${HOME_IP}:${PHONE}`;
const URL = 'https://gateway.example.com';
const WHATSAPP_FIRST = {
  ...exampleEnvironment('msg91', URL),
  ...exampleEnvironment('whatsapp', URL),
  SMS_GATEWAY: 'whatsapp,msg91',
  OTP_COUNTRIES: 'IN,AE',
};

interface Reply {
  readonly challenge: string;
  readonly nextAfterSeconds?: number;
}

const send = async (from: TestApp, replaces?: string, phone = PHONE) =>
  (await sendCode(from, { phone, replaces })).json<Reply>();
const replace = (from: TestApp, replaces?: string, phone = PHONE) =>
  statusOf(sendCode(from, { phone, replaces }));

onEachDatabase((open) => {
  const { database, testApp } = useTestApp(open);
  const gateway = vi.fn<SendCode>();
  beforeEach(() => void gateway.mockReset().mockResolvedValue());
  const buildWithTwo = (more: Record<string, string> = {}) =>
    buildTestApp(database, {
      environment: { ...WHATSAPP_FIRST, ...more },
      dependencies: { sendCode: gateway },
    });
  const byNext = () => gateway.mock.calls.map(([, , options]) => options?.byNext);
  const lastCode = () => gateway.mock.lastCall?.[1] ?? '';
  const verify = (from: TestApp, challenge: string, code = lastCode()) =>
    statusOf(verifyCode(from, { challenge, code }));
  const status = (phone = PHONE) => replace(testApp, undefined, phone);
  const answer = async (phone: string) => {
    const response = await sendCode(testApp, { phone });
    return [response.statusCode, response.json<object>()] as const;
  };

  test('send code: sends six digits, whose hash with a key is stored; known and unknown phones get the same answer', async () => {
    const [ok, unknown] = await answer('098765 43210');
    expect([ok, unknown]).toEqual([
      200,
      {
        challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
        phone: PHONE,
        phoneText: '+91 98765 43210',
        resendAfterSeconds: 30,
        lifeSeconds: 300,
        codeLength: 6,
      },
    ]);
    expect([...testApp.codes]).toEqual([[PHONE, expect.stringMatching(/^\d{6}$/)]]);
    const rows = await database.all('SELECT * FROM challenges');
    expect(rows).toMatchObject([{ code_hmac: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    expect(JSON.stringify(rows)).not.toContain(`"${testApp.codes.get(PHONE)}"`);
    await database.run(sql`INSERT INTO users (id, login_phone, created_at, updated_at)
      VALUES ('known', ${testPhone(1)}, 0, 0)`);
    const own = { challenge: expect.stringMatching(/^.{43}$/), phoneText: expect.any(String) };
    expect(await answer(testPhone(1))).toEqual([200, { ...unknown, ...own, phone: testPhone(1) }]);
  });

  test('send code: allowed again after 30 seconds, in any spelling; a rejected request does not count', async () => {
    expect(await status('9876543210')).toBe(200);
    // Above a limit, a request only reads the counters.
    const batch = vi.spyOn(database, 'batch');
    for (let n = 0; n < 11; n += 1) expect(await status('+91 98765 43210')).toBe('429 after 30 s');
    await status('12');
    expect(batch).not.toHaveBeenCalled();
    testApp.clock.advance(29 * SECOND_MS);
    expect(await status()).toBe('429 after 1 s');
    testApp.clock.advance(SECOND_MS);
    const again = { phone: PHONE, resendAfterSeconds: 30 };
    expect(await answer('०९८७६५४३२१०')).toMatchObject([200, again]);
    expect(await countersOf(database, '%')).toEqual({
      [`otp:send:address:${HOME_IP}`]: 2,
      'otp:send:all': 2,
      [`otp:send:day:${PHONE}`]: 2,
      [`otp:send:hour:${PHONE}`]: 2,
      [`otp:send:pair-day:${PAIR}`]: 2,
      [`otp:send:pair-hour:${PAIR}`]: 2,
      [`otp:send:pause:${PHONE}`]: 1,
    });
  });

  test('send code: is 503 if the gateway fails, keeps the pause, and counts for no other limit of the phone', async () => {
    const other = buildWithTwo();
    gateway.mockRejectedValue(new Error('the gateway is unavailable'));
    const batch = vi.spyOn(database, 'batch');
    const message = "We couldn't send the code. Try again.";
    for (let n = 0; n < 7; n += 1) {
      const response = sendCode(other);
      expect(await statusOf(response)).toBe('503 after 30 s');
      expect((await response).json()).toEqual({ error: 'unavailable', message });
      expect(await replace(other)).toBe('429 after 30 s');
      other.clock.advance(30 * SECOND_MS);
    }
    expect(gateway).toHaveBeenCalledTimes(7);
    // The counters of the phone are locked one by one, in the same order as by a removal.
    expect(batch.mock.lastCall?.[0].map((statement) => toSql(statement).values)).toEqual([
      [`otp:send:pair-hour:${PAIR}`],
      [`otp:send:pair-day:${PAIR}`],
      [`otp:send:hour:${PHONE}`],
      [`otp:send:day:${PHONE}`],
    ]);
    gateway.mockResolvedValue();
    expect([await replace(other), await replace(other)]).toEqual([200, '429 after 30 s']);
  });

  test('send code: is 200 if the gateway is silent, says that the code may arrive, and counts', async () => {
    const other = buildTestApp(database, { dependencies: { sendCode: gateway } });
    gateway.mockRejectedValue(new NoResponseError('time-out'));
    const response = await sendCode(other);
    expect([response.statusCode, response.json()]).toMatchObject([200, { mayArrive: true }]);
    expect(await replace(other)).toBe('429 after 30 s');
    expect(gateway).toHaveBeenCalledOnce();
    const counted = { 'otp:send:all': 1, [`otp:send:hour:${PHONE}`]: 1 };
    expect(await countersOf(database, 'otp:send:%')).toMatchObject(counted);
    expect(await verify(other, response.json<Reply>().challenge)).toBe(200);
  });

  test('limits on codes: while they cannot be counted, no code is sent or compared', async () => {
    const { right } = await requestCode(testApp);
    vi.spyOn(database, 'batch').mockRejectedValue(new Unavailable(null));
    expect(await status(testPhone(1))).toContain('503');
    expect([...testApp.codes.keys()]).toEqual([PHONE]);
    expect((await verifyCode(testApp, right)).statusCode).toBe(503);
    vi.restoreAllMocks();
    expect((await verifyCode(testApp, right)).statusCode).toBe(200);
  });

  test('send code: none for a blocked card, for a number that cannot be used or another application id', async () => {
    await database.run(sql`INSERT INTO users (id, login_phone, created_at, updated_at, blocked_at)
      VALUES ('blocked', ${PHONE}, 0, 0, 1)`);
    expect(await answer(PHONE)).toMatchObject([410, { error: 'card_blocked' }]);
    const message = 'We can only send codes to mobile numbers. Use your mobile number.';
    expect(await answer('02223456789')).toEqual([400, { error: 'phone_refused', message }]);
    const payload = { appId: 'another', phone: PHONE };
    const response = await testApp.app.inject({ method: 'POST', url: '/api/otp/send', payload });
    expect([response.statusCode, response.json()]).toMatchObject([400, { error: 'invalid_input' }]);
    expect(testApp.codes.size).toBe(0);
  });

  test('test number: has its fixed code and no message until its date, with limits', async () => {
    const phone = '+919999900001';
    const other = buildTestApp(database, {
      environment: { OTP_TEST_NUMBERS: `${phone}:123456`, OTP_TEST_NUMBERS_UNTIL: '2026-01-16' },
    });
    const { challenge } = await requestCode(other, { phone });
    const { statusCode } = await verifyCode(other, { challenge, code: '123456' });
    expect([statusCode, other.codes.size]).toEqual([200, 0]);
    expect((await sendCode(other, { phone })).statusCode).toBe(429);
    // This is the time from 9:00 to the end of the day.
    other.clock.advance(15 * HOUR_MS);
    expect((await sendCode(other, { phone })).statusCode).toBe(200);
    expect([...other.codes.keys()]).toEqual([phone]);
  });

  test('replaced code: there is one after 20 s where there is another way, and not elsewhere', async () => {
    const always = [20, 200, 2] as const;
    const never = [undefined, '429 after 30 s', 0] as const;
    for (const [more, phone, expected] of [
      [{}, testPhone(1), always],
      [{}, '+971501234567', [undefined, '429 after 30 s', 2]],
      [{ WHATSAPP_COUNTRIES: 'IN,AE' }, '+971501234568', always],
      [{ SMS_GATEWAY: 'whatsapp', OTP_COUNTRIES: 'IN' }, testPhone(2), never],
      [{ SMS_GATEWAY: 'msg91,console' }, testPhone(4), never],
    ] as const) {
      const other = buildWithTwo(more);
      const { challenge, nextAfterSeconds } = await send(other, undefined, phone);
      const next = await replace(other, challenge, phone);
      const { body } = await other.app.inject('/api/openapi.json');
      const keys = ['nextAfterSeconds', 'replaces'].filter((key) => body.includes(key));
      expect([nextAfterSeconds, next, keys.length]).toEqual(expected);
    }
  });

  test('replaced code: exactly one of many simultaneous requests is sent, by the next gateway without a pause, and counts', async () => {
    const other = buildWithTwo();
    const { challenge: first } = await send(other);
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => sendCode(other, { replaces: first })),
    );
    const sent = responses.filter(({ statusCode }) => statusCode === 200);
    const [next] = sent.map((response) => response.json<Reply>());
    expect([sent.length, next?.nextAfterSeconds, byNext()]).toEqual([1, undefined, [false, true]]);
    for (const replaced of [first, next?.challenge, undefined])
      expect(await replace(other, replaced)).toBe('429 after 30 s');
    expect(await verify(other, first, gateway.mock.calls[0]?.[1])).toBe(403);
    expect(await verify(other, next?.challenge ?? '')).toBe(200);
    const counted = { 'otp:send:all': 2, [`otp:send:hour:${PHONE}`]: 2 };
    expect(await countersOf(database, 'otp:send:%')).toMatchObject(counted);
  });

  test('replaced code: stays valid if the next gateway fails, which keeps the pause', async () => {
    const other = buildWithTwo();
    const { challenge } = await send(other);
    const code = lastCode();
    gateway.mockRejectedValue(new Error('The gateway is down.'));
    expect(await replace(other, challenge)).toBe('503 after 30 s');
    expect(await replace(other, challenge)).toBe('429 after 30 s');
    gateway.mockResolvedValue();
    expect(await verify(other, challenge, code)).toBe(200);
    other.clock.advance(30 * SECOND_MS);
    expect(await replace(other)).toBe(200);
  });

  test('replaced code: one of another phone is neither replaced nor an exemption, one that has expired is replaced', async () => {
    const other = buildWithTwo();
    const { challenge } = await send(other, undefined, testPhone(1));
    const code = lastCode();
    const { challenge: own } = await send(other);
    expect(await replace(other, challenge)).toBe('429 after 30 s');
    other.clock.advance(30 * SECOND_MS);
    expect([await replace(other, challenge), byNext().at(-1)]).toEqual([200, true]);
    expect(await verify(other, challenge, code)).toBe(200);
    other.clock.advance(6 * MINUTE_MS);
    expect([await replace(other, own), byNext().at(-1)]).toEqual([200, true]);
    // This text does not have the form of a challenge.
    expect(await replace(other, 'x\u0000')).toBe(400);
  });
});

test('login script: is JavaScript that is cached for five minutes', async () => {
  const { app } = buildTestApp((await openTestSqlite()).database);
  const type = { 'content-type': 'text/javascript; charset=utf-8' };
  expect(await app.inject('/otp/embedded.js')).toMatchObject({
    statusCode: 200,
    body: 'document.title',
    headers: { ...type, 'cache-control': 'public, max-age=300' },
  });
});
