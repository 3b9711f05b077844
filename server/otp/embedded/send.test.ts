import { expect, test, vi } from 'vitest';

import { HOUR_MS, SECOND_MS } from '#domain/duration.ts';
import { Unavailable } from '#server/db/database.ts';
import { sql } from '#server/db/sql.ts';
import type { SendCode } from '#server/sms/delivery.ts';
import { buildTestApp, useTestApp } from '#tests/support/app.ts';
import {
  HOME,
  PHONE,
  countersOf,
  phoneOf,
  requestCode,
  sendCode,
  statusOf,
  verifyCode,
} from '#tests/support/codes.ts';
import { onEachDatabase, openTestSqlite } from '#tests/support/database.ts';
import { toSql } from '#tests/support/statement.ts';

const PAIR = `${HOME}:${PHONE}`;

onEachDatabase((open) => {
  const { database, testApp } = useTestApp(open);
  const status = (phone = PHONE) => statusOf(sendCode(testApp, { phone }));
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
      VALUES ('known', ${phoneOf(1)}, 0, 0)`);
    const own = { challenge: expect.stringMatching(/^.{43}$/), phoneText: expect.any(String) };
    expect(await answer(phoneOf(1))).toEqual([200, { ...unknown, ...own, phone: phoneOf(1) }]);
  });

  test('send code: allowed again after 30 seconds, then 60, in any spelling; a rejected request does not count', async () => {
    expect(await status('9876543210')).toBe(200);
    // Over a limit, only the counters are read.
    const batch = vi.spyOn(database, 'batch');
    for (let n = 0; n < 11; n += 1) expect(await status('+91 98765 43210')).toBe('429 after 30 s');
    await status('12');
    expect(batch).not.toHaveBeenCalled();
    testApp.clock.advance(29 * SECOND_MS);
    expect(await status()).toBe('429 after 1 s');
    testApp.clock.advance(SECOND_MS);
    const again = { phone: PHONE, resendAfterSeconds: 60 };
    expect(await answer('०९८७६५४३२१०')).toMatchObject([200, again]);
    expect(await countersOf(database, '%')).toEqual({
      [`otp:send:address:${HOME}`]: 2,
      'otp:send:all': 2,
      [`otp:send:day:${PHONE}`]: 2,
      [`otp:send:hour:${PHONE}`]: 2,
      [`otp:send:pair-day:${PAIR}`]: 2,
      [`otp:send:pair-hour:${PAIR}`]: 2,
      [`otp:send:pause:${PHONE}`]: 1,
    });
    testApp.clock.advance(59 * SECOND_MS);
    expect(await status()).toBe('429 after 1 s');
    testApp.clock.advance(SECOND_MS);
    expect(await status()).toBe(200);
  });

  test('send code: exactly one of many simultaneous requests sends, the others are 429', async () => {
    const spellings = ['9876543210', '09876543210', '919876543210', '+91 98765 43210'];
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, n) => sendCode(testApp, { phone: spellings[n % 4] })),
    );
    const statuses = responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array<number>(39).fill(429)]);
  });

  test('send code: is 503 if the gateway fails, and can be repeated immediately', async () => {
    const gateway = vi.fn<SendCode>().mockRejectedValue(new Error('the gateway is unavailable'));
    const other = buildTestApp(database, { dependencies: { sendCode: gateway } });
    const batch = vi.spyOn(database, 'batch');
    const message = 'The code could not be sent. Try again.';
    for (let n = 0; n < 7; n += 1) {
      const response = sendCode(other);
      expect(await statusOf(response)).toBe('503 after 1 s');
      expect((await response).json()).toEqual({ error: 'unavailable', message });
    }
    // The counters of the phone are locked one by one, in the order of a removal.
    expect(batch.mock.lastCall?.[0].map((statement) => toSql(statement).values)).toEqual([
      [`otp:send:pair-hour:${PAIR}`],
      [`otp:send:pair-day:${PAIR}`],
      [`otp:send:hour:${PHONE}`],
      [`otp:send:day:${PHONE}`],
      [`otp:send:pause:${PHONE}`],
    ]);
    gateway.mockResolvedValue();
    expect((await sendCode(other)).statusCode).toBe(200);
    expect((await sendCode(other)).statusCode).toBe(429);
  });

  test('limits on codes: while they cannot be counted, no code is sent or compared', async () => {
    const { right } = await requestCode(testApp);
    vi.spyOn(database, 'batch').mockRejectedValue(new Unavailable(null));
    expect(await status(phoneOf(1))).toContain('503');
    expect([...testApp.codes.keys()]).toEqual([PHONE]);
    expect((await verifyCode(testApp, right)).statusCode).toBe(503);
    vi.restoreAllMocks();
    expect((await verifyCode(testApp, right)).statusCode).toBe(200);
  });

  test('send code: none for a blocked card, for a number that cannot be used or another application id', async () => {
    await database.run(sql`INSERT INTO users (id, login_phone, created_at, updated_at, blocked_at)
      VALUES ('blocked', ${PHONE}, 0, 0, 1)`);
    expect(await answer(PHONE)).toMatchObject([410, { error: 'card_blocked' }]);
    const message = 'Codes can be sent to mobile numbers only. Use your mobile number.';
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
    // From 9:00 to the end of the day.
    other.clock.advance(15 * HOUR_MS);
    expect((await sendCode(other, { phone })).statusCode).toBe(200);
    expect([...other.codes.keys()]).toEqual([phone]);
  });
});

test('login script: is JavaScript that is cached for five minutes', async () => {
  const { app } = buildTestApp((await openTestSqlite()).database);
  const { statusCode, body, headers } = await app.inject('/otp/embedded.js');
  expect([statusCode, body]).toEqual([200, 'document.title']);
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=300',
  });
});
