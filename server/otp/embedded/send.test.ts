import { expect, test, vi } from 'vitest';

import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import { Unavailable } from '#server/db/database.ts';
import { sql } from '#server/db/sql.ts';
import { buildTestApp, useTestApp } from '#tests/support/app.ts';
import type { TestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { toSql } from '#tests/support/statement.ts';

const PHONE = '+919876543210';

function send({ app }: TestApp, phone: string, remoteAddress = '203.0.113.7') {
  const payload = { appId: 'tessera', phone };
  return app.inject({ method: 'POST', url: '/api/otp/send', payload, remoteAddress });
}

const phoneOf = (n: number) => `+9198765${String(n).padStart(5, '0')}`;

onEachDatabase((open) => {
  const { testDatabase, testApp } = useTestApp(open);

  async function sendStatus(phone = PHONE, address?: string) {
    const response = await send(testApp, phone, address);
    const wait = response.headers['retry-after'];
    return wait === undefined ? response.statusCode : `${response.statusCode} after ${wait} s`;
  }

  /** Returns a response without the phone and the characters of the challenge. */
  async function anonymousResponse(phone: string) {
    const response = await send(testApp, phone);
    const { challenge, ...rest } = response.json<{ challenge: string; phone: string }>();
    return {
      status: response.statusCode,
      length: challenge.length,
      ...rest,
      phone: '',
      phoneText: '',
    };
  }

  test('send code: sends six digits and returns the challenge, the phone and the times', async () => {
    const response = await send(testApp, '098765 43210');
    expect(response.json()).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      phone: PHONE,
      phoneText: '+91 98765 43210',
      resendAfterSeconds: 30,
      lifeSeconds: 300,
      codeLength: 6,
    });
    expect([...testApp.codes.keys()]).toEqual([PHONE]);
    expect(testApp.codes.get(PHONE)).toMatch(/^\d{6}$/);
  });

  test('send code: the database has neither the code nor its hash without a key', async () => {
    await send(testApp, PHONE);
    const rows = await testDatabase.database.all('SELECT * FROM challenges');
    expect(rows).toEqual([
      expect.objectContaining({ code_hmac: expect.stringMatching(/^[0-9a-f]{64}$/) as string }),
    ]);
    expect(JSON.stringify(rows)).not.toContain(`"${testApp.codes.get(PHONE)}"`);
  });

  test('send code: the response is the same for a known and an unknown phone', async () => {
    await testDatabase.database.run(sql`INSERT INTO users (id, login_phone, created_at,
      updated_at) VALUES ('known', ${phoneOf(1)}, 0, 0)`);
    expect(await anonymousResponse(phoneOf(1))).toEqual(await anonymousResponse(phoneOf(2)));
  });

  test('send code: allowed again after 30 seconds, then 60, in any spelling of the phone', async () => {
    expect(await sendStatus('9876543210')).toBe(200);
    expect(await sendStatus('+91 98765 43210')).toBe('429 after 30 s');
    testApp.clock.advance(29 * SECOND_MS);
    expect(await sendStatus()).toBe('429 after 1 s');
    testApp.clock.advance(SECOND_MS);
    const second = await send(testApp, '०९८७६५४३२१०');
    expect(second.json()).toMatchObject({ phone: PHONE, resendAfterSeconds: 60 });
    testApp.clock.advance(59 * SECOND_MS);
    expect(await sendStatus()).toBe('429 after 1 s');
    testApp.clock.advance(SECOND_MS);
    expect(await sendStatus()).toBe(200);
  });

  test('send code: allows 5 an hour and 10 a day for a phone', async () => {
    const rounds: unknown[] = [];
    for (let hour = 0; hour < 3; hour += 1) {
      for (let n = 0; n < 6; n += 1) {
        rounds.push(await sendStatus(PHONE, `203.0.113.${n}`));
        testApp.clock.advance(MINUTE_MS);
      }
      testApp.clock.advance(54 * MINUTE_MS);
    }
    const five = [200, 200, 200, 200, 200];
    const day = '429 after 79200 s';
    expect(rounds).toEqual([
      ...five,
      '429 after 3300 s',
      ...five,
      '429 after 82500 s',
      day,
      ...[1, 2, 3, 4, 5].map((n) => `429 after ${79_200 - 60 * n} s`),
    ]);
    expect(await sendStatus(phoneOf(1))).toBe(200);
    testApp.clock.advance(21 * HOUR_MS);
    expect(await sendStatus()).toBe(200);
  });

  test('send code: exactly one of many simultaneous requests sends, the others are 429', async () => {
    const spellings = ['9876543210', '09876543210', '919876543210', '+91 98765 43210'];
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, n) => send(testApp, spellings[n % 4] ?? PHONE)),
    );
    const statuses = responses.map((response) => response.statusCode).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array<number>(39).fill(429)]);
  });

  test('send code: a rejected request does not count', async () => {
    await sendStatus();
    for (let n = 0; n < 10; n += 1) await sendStatus();
    await sendStatus('12');
    testApp.clock.advance(30 * SECOND_MS);
    expect(await sendStatus()).toBe(200);
    const rows = await testDatabase.database.all<{ key: string; count: number }>(
      'SELECT key, count FROM counters ORDER BY key',
    );
    expect(rows).toEqual([
      { key: 'otp:send:address:203.0.113.7', count: 2 },
      { key: 'otp:send:all', count: 2 },
      { key: `otp:send:day:${PHONE}`, count: 2 },
      { key: `otp:send:hour:${PHONE}`, count: 2 },
      { key: `otp:send:pair-day:203.0.113.7:${PHONE}`, count: 2 },
      { key: `otp:send:pair-hour:203.0.113.7:${PHONE}`, count: 2 },
      { key: `otp:send:pause:${PHONE}`, count: 1 },
    ]);
  });

  test('send code: over a limit, only the counters are read', async () => {
    await sendStatus();
    const batch = vi.spyOn(testDatabase.database, 'batch');
    expect(await sendStatus()).toBe('429 after 30 s');
    expect(batch).not.toHaveBeenCalled();
  });

  test('send code: an address with 300 wrong codes gets no code', async () => {
    await testDatabase.database.run(sql`INSERT INTO counters (key, count, expires_at)
      VALUES (${'otp:fail:address:203.0.113.7'}, 300, ${testApp.clock.now() + MINUTE_MS})`);
    const response = await send(testApp, PHONE);
    expect([response.statusCode, response.json<{ message: string }>().message]).toEqual([
      429,
      'Codes cannot be checked right now. Try again in 60 seconds.',
    ]);
  });

  test('send code: the phone of a blocked card gets no code', async () => {
    await testDatabase.database.run(sql`INSERT INTO users (id, login_phone, created_at,
      updated_at, blocked_at)
       VALUES ('blocked', ${PHONE}, 0, 0, 1)`);
    const response = await send(testApp, PHONE);
    expect([response.statusCode, response.json<{ error: string }>().error]).toEqual([
      410,
      'card_blocked',
    ]);
    expect(testApp.codes.size).toBe(0);
  });

  test('send code: OTP_SENDS_PER_DAY limits all phones together', async () => {
    const limited = buildTestApp(testDatabase.database, {
      environment: { OTP_SENDS_PER_DAY: '3' },
    });
    const responses = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => send(limited, phoneOf(n), `203.0.113.${n}`)),
    );
    expect(responses.filter((response) => response.statusCode === 200)).toHaveLength(3);
    limited.clock.advance(24 * HOUR_MS);
    expect((await send(limited, phoneOf(9))).statusCode).toBe(200);
  });

  test('send code: is 503 if the gateway fails, and can be repeated immediately', async () => {
    let isUnavailable = true;
    const sendCode = async (phone: string, code: string) => {
      if (isUnavailable) throw new Error('the gateway is unavailable');
      testApp.codes.set(phone, code);
    };
    const other = buildTestApp(testDatabase.database, { dependencies: { sendCode } });
    for (let n = 0; n < 7; n += 1) {
      const response = await send(other, PHONE);
      expect([response.statusCode, response.headers['retry-after'], response.json()]).toEqual([
        503,
        '1',
        { error: 'unavailable', message: 'The code could not be sent. Try again.' },
      ]);
    }
    isUnavailable = false;
    expect((await send(other, PHONE)).statusCode).toBe(200);
    expect((await send(other, PHONE)).statusCode).toBe(429);
  });

  test('send code: a gateway failure locks the counters of the phone one by one, in the order of a removal', async () => {
    const sendCode = vi.fn().mockRejectedValue(new Error('the gateway is unavailable'));
    const other = buildTestApp(testDatabase.database, { dependencies: { sendCode } });
    const batch = vi.spyOn(testDatabase.database, 'batch');
    await send(other, PHONE);
    const pair = `203.0.113.7:${PHONE}`;
    expect(batch.mock.lastCall?.[0].map((statement) => toSql(statement).values)).toEqual([
      [`otp:send:pair-hour:${pair}`],
      [`otp:send:pair-day:${pair}`],
      [`otp:send:hour:${PHONE}`],
      [`otp:send:day:${PHONE}`],
      [`otp:send:pause:${PHONE}`],
    ]);
  });

  test('limits on codes: while they cannot be counted, no code is sent or compared', async () => {
    const response = await send(testApp, PHONE);
    const { challenge } = response.json<{ challenge: string }>();
    const payload = { challenge, code: testApp.codes.get(PHONE) };
    vi.spyOn(testDatabase.database, 'batch').mockRejectedValue(new Unavailable(null));
    expect((await send(testApp, phoneOf(1))).statusCode).toBe(503);
    expect([...testApp.codes.keys()]).toEqual([PHONE]);
    const verify = { method: 'POST', url: '/api/otp/verify', payload } as const;
    expect((await testApp.app.inject(verify)).statusCode).toBe(503);
    vi.restoreAllMocks();
    expect((await testApp.app.inject(verify)).statusCode).toBe(200);
  });

  test('send code: a number that cannot be used is 400 with a sentence', async () => {
    const response = await send(testApp, '02223456789');
    expect([response.statusCode, response.json()]).toEqual([
      400,
      {
        error: 'phone_refused',
        message: 'Codes can be sent to mobile numbers only. Use your mobile number.',
      },
    ]);
    expect(testApp.codes.size).toBe(0);
  });

  test('send code: another application id is 400', async () => {
    const payload = { appId: 'another', phone: PHONE };
    const response = await testApp.app.inject({ method: 'POST', url: '/api/otp/send', payload });
    expect([response.statusCode, response.json<{ error: string }>().error]).toEqual([
      400,
      'invalid_input',
    ]);
  });

  test('test number: has its fixed code and no message until its date, with limits', async () => {
    const environment = {
      OTP_TEST_NUMBERS: '+919999900001:123456',
      OTP_TEST_NUMBERS_UNTIL: '2026-01-16',
    };
    const other = buildTestApp(testDatabase.database, { environment });
    const sent = await send(other, '9999900001');
    const payload = { ...sent.json<object>(), code: '123456' };
    const verified = await other.app.inject({ method: 'POST', url: '/api/otp/verify', payload });
    expect([verified.statusCode, other.codes.size]).toEqual([200, 0]);
    expect((await send(other, '9999900001')).statusCode).toBe(429);
    // From 9:00 to the end of the day.
    other.clock.advance(15 * HOUR_MS);
    expect((await send(other, '9999900001')).statusCode).toBe(200);
    expect([...other.codes.keys()]).toEqual(['+919999900001']);
  });

  test('login script: is JavaScript that is cached for five minutes', async () => {
    const first = await testApp.app.inject('/otp/embedded.js');
    expect([first.statusCode, first.body, first.headers]).toMatchObject([
      200,
      'document.title',
      {
        'content-type': 'text/javascript; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=300',
      },
    ]);
  });
});
