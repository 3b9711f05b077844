import { afterEach, beforeEach, expect, test } from 'vitest';

import { buildTestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const PHONE = '+919876543210';

type TestApp = ReturnType<typeof buildTestApp>;

function send({ app }: TestApp, phone: string, remoteAddress = '203.0.113.7') {
  const payload = { appId: 'tessera', phone };
  return app.inject({ method: 'POST', url: '/api/otp/send', payload, remoteAddress });
}

/** Addresses of one /64. */
const network = (n: number) => `2001:db8:0:1::${n.toString(16)}`;

/** A mobile number of its own for each n. */
const phoneOf = (n: number) => `+9198765${String(n).padStart(5, '0')}`;

onEachDatabase((open) => {
  let fresh: TestDatabase;
  let whole: TestApp;

  beforeEach(async () => {
    fresh = await open();
    whole = buildTestApp(fresh.database);
  });

  afterEach(async () => {
    await whole.app.close();
    await fresh.dispose();
  });

  /** The status of a send, with the seconds of Retry-After where there is one. */
  async function outcome(phone = PHONE, address?: string) {
    const answer = await send(whole, phone, address);
    const wait = answer.headers['retry-after'];
    return wait === undefined ? answer.statusCode : `${answer.statusCode} after ${wait} s`;
  }

  /** All of an answer but the phone and the challenge's own characters. */
  async function shape(phone: string) {
    const answer = await send(whole, phone);
    const { challenge, ...rest } = answer.json<{ challenge: string; phone: string }>();
    return { status: answer.statusCode, length: challenge.length, ...rest, phone: '' };
  }

  test('a code of six digits goes to the phone, and the answer says what comes next', async () => {
    const answer = await send(whole, '098765 43210');
    expect(answer.json()).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      phone: PHONE,
      resendAfterSeconds: 30,
      lifeSeconds: 300,
    });
    expect([...whole.codes.keys()]).toEqual([PHONE]);
    expect(whole.codes.get(PHONE)).toMatch(/^\d{6}$/);
  });

  test('the database holds neither the code nor its bare hash', async () => {
    await send(whole, PHONE);
    const rows = await fresh.database.all('SELECT * FROM challenges');
    expect(rows).toEqual([
      expect.objectContaining({ code_hmac: expect.stringMatching(/^[0-9a-f]{64}$/) as string }),
    ]);
    expect(JSON.stringify(rows)).not.toContain(`"${whole.codes.get(PHONE)}"`);
  });

  test('the answer is the same for a phone that has an account and one that has none', async () => {
    await fresh.database.run(
      "INSERT INTO users (id, login_phone, created_at, updated_at) VALUES ('known', $1, 0, 0)",
      [phoneOf(1)],
    );
    expect(await shape(phoneOf(1))).toEqual(await shape(phoneOf(2)));
  });

  test('another code can be asked for after 30 seconds, then 60, whatever the spelling', async () => {
    expect(await outcome('9876543210')).toBe(200);
    expect(await outcome('+91 98765 43210')).toBe('429 after 30 s');
    whole.clock.advance(29 * SECOND);
    expect(await outcome()).toBe('429 after 1 s');
    whole.clock.advance(SECOND);
    const second = await send(whole, '०९८७६५४३२१०');
    expect(second.json()).toMatchObject({ phone: PHONE, resendAfterSeconds: 60 });
    whole.clock.advance(59 * SECOND);
    expect(await outcome()).toBe('429 after 1 s');
    whole.clock.advance(SECOND);
    expect(await outcome()).toBe(200);
  });

  test('a phone gets five codes an hour and ten a day', async () => {
    const rounds: unknown[] = [];
    for (let hour = 0; hour < 3; hour += 1) {
      for (let n = 0; n < 6; n += 1) {
        rounds.push(await outcome());
        whole.clock.advance(MINUTE);
      }
      whole.clock.advance(54 * MINUTE);
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
    expect(await outcome(phoneOf(1))).toBe(200);
    whole.clock.advance(21 * HOUR);
    expect(await outcome()).toBe(200);
  });

  test('of many asked for at once exactly one is sent, and none fails', async () => {
    const spellings = ['9876543210', '09876543210', '919876543210', '+91 98765 43210'];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => send(whole, spellings[n % 4] ?? PHONE)),
    );
    const statuses = answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array<number>(39).fill(429)]);
  });

  test('an address gets a hundred codes an hour, an IPv6 one by its /64', async () => {
    const answers = await Promise.all(
      Array.from({ length: 105 }, (_, n) => send(whole, phoneOf(n), network(n))),
    );
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(100);
    expect(await outcome(phoneOf(200), network(7))).toBe('429 after 3600 s');
    expect(await outcome(phoneOf(200), '2001:db8:0:2::1')).toBe(200);
    whole.clock.advance(HOUR);
    expect(await outcome(phoneOf(201), network(7))).toBe(200);
  });

  test('a refused call counts for nothing', async () => {
    await outcome();
    for (let n = 0; n < 10; n += 1) await outcome();
    await outcome('12');
    whole.clock.advance(30 * SECOND);
    expect(await outcome()).toBe(200);
    const rows = await fresh.database.all<{ key: string; count: number }>(
      'SELECT key, count FROM counters ORDER BY key',
    );
    expect(rows).toEqual([
      { key: 'otp:send:address:203.0.113.7', count: 2 },
      { key: 'otp:send:all', count: 2 },
      { key: `otp:send:day:${PHONE}`, count: 2 },
      { key: `otp:send:hour:${PHONE}`, count: 2 },
      { key: `otp:send:pause:${PHONE}`, count: 1 },
    ]);
  });

  test('all phones together get no more codes in a day than the setting says', async () => {
    const small = buildTestApp(fresh.database, { environment: { OTP_SENDS_PER_DAY: '3' } });
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => send(small, phoneOf(n), `203.0.113.${n}`)),
    );
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(3);
    small.clock.advance(24 * HOUR);
    expect((await send(small, phoneOf(9))).statusCode).toBe(200);
    await small.app.close();
  });

  test('a gateway that fails is a 503, and the person can try again at once', async () => {
    let isAway = true;
    const sendText = async (phone: string, code: string) => {
      if (isAway) throw new Error('the gateway is away');
      whole.codes.set(phone, code);
    };
    const other = buildTestApp(fresh.database, { dependencies: { sendText } });
    for (let n = 0; n < 7; n += 1) {
      const answer = await send(other, PHONE);
      expect([answer.statusCode, answer.headers['retry-after'], answer.json()]).toEqual([
        503,
        '1',
        { error: 'unavailable', message: 'The code could not be sent. Try again.' },
      ]);
    }
    isAway = false;
    expect((await send(other, PHONE)).statusCode).toBe(200);
    expect((await send(other, PHONE)).statusCode).toBe(429);
    await other.app.close();
  });

  test('a number that cannot be used is refused with a sentence and nothing is sent', async () => {
    const answer = await send(whole, '02223456789');
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      {
        error: 'phone_refused',
        message: 'Codes can be sent to mobile numbers only. Use your mobile number.',
      },
    ]);
    expect(whole.codes.size).toBe(0);
  });

  test('another application id is refused', async () => {
    const payload = { appId: 'another', phone: PHONE };
    const answer = await whole.app.inject({ method: 'POST', url: '/api/otp/send', payload });
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([
      400,
      'invalid_input',
    ]);
  });

  test('a test number gets its own code and no message until its date; limits stay on', async () => {
    const environment = {
      OTP_TEST_NUMBERS: '+919999900001:123456',
      OTP_TEST_NUMBERS_UNTIL: '2026-01-16',
    };
    const other = buildTestApp(fresh.database, { environment });
    const sent = await send(other, '9999900001');
    const payload = { ...sent.json<object>(), code: '123456' };
    const verified = await other.app.inject({ method: 'POST', url: '/api/otp/verify', payload });
    expect([verified.statusCode, other.codes.size]).toEqual([200, 0]);
    expect((await send(other, '9999900001')).statusCode).toBe(429);
    other.clock.advance(24 * HOUR);
    expect((await send(other, '9999900001')).statusCode).toBe(200);
    expect([...other.codes.keys()]).toEqual(['+919999900001']);
    await other.app.close();
  });

  test('the script is served as a script, and again only when it has changed', async () => {
    const first = await whole.app.inject('/otp/embedded.js');
    expect([first.statusCode, first.body, first.headers]).toMatchObject([
      200,
      'document.title',
      {
        'content-type': 'text/javascript; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=300',
      },
    ]);
    const headers = { 'if-none-match': first.headers.etag ?? '' };
    const second = await whole.app.inject({ url: '/otp/embedded.js', headers });
    expect([second.statusCode, second.body]).toEqual([304, '']);
  });
});
