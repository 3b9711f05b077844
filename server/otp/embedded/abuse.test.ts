import { sql } from '#server/db/sql.ts';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import { buildTestApp, useTestApp } from '#tests/support/app.ts';
import type { TestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';

const PHONE = '+919876543210';
const HOME = '198.51.100.1';
const STRANGER = '203.0.113.66';
const METRICS_TOKEN = 'a-token-of-the-operator';

interface Client {
  readonly address: string;
  readonly cookie?: string;
}

const phoneOf = (n: number) => `+9198765${String(n).padStart(5, '0')}`;

interface Sent {
  readonly challenge: string;
  readonly code: string;
}

function headersOf({ address, cookie }: Client) {
  return { remoteAddress: address, headers: cookie === undefined ? {} : { cookie } };
}

function send({ app }: TestApp, client: Client, phone = PHONE) {
  const payload = { appId: 'tessera', phone };
  return app.inject({ method: 'POST', url: '/api/otp/send', payload, ...headersOf(client) });
}

function verify({ app }: TestApp, client: Client, { challenge, code }: Sent) {
  const payload = { challenge, code };
  return app.inject({ method: 'POST', url: '/api/otp/verify', payload, ...headersOf(client) });
}

type HttpResponse = Awaited<ReturnType<typeof send>>;

const wrongOf = (code: string) => code.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));

async function requestCode(testApp: TestApp, client: Client, phone = PHONE) {
  const response = await send(testApp, client, phone);
  expect(response.json()).toMatchObject({ phone });
  const { challenge } = response.json<{ challenge: string }>();
  const code = testApp.codes.get(phone) ?? '';
  return {
    right: { challenge, code },
    wrong: { challenge, code: wrongOf(code) },
  };
}

const cookieOf = (response: HttpResponse) =>
  String(response.headers['set-cookie'] ?? '').split(';', 1)[0];

function statusOf(response: HttpResponse) {
  const wait = response.headers['retry-after'];
  return wait === undefined ? response.statusCode : `${response.statusCode} after ${wait} s`;
}

onEachDatabase((open) => {
  const { testDatabase, testApp } = useTestApp(open);

  async function knownDevice(phone = PHONE, address = HOME): Promise<Client> {
    const { right } = await requestCode(testApp, { address }, phone);
    const response = await verify(testApp, { address }, right);
    expect(response.statusCode).toBe(200);
    return { address, cookie: cookieOf(response) ?? '' };
  }

  async function setCounter(key: string, count: number, lifetimeMs: number) {
    await testDatabase.database.run(sql`INSERT INTO counters (key, count, expires_at)
      VALUES (${key}, ${count}, ${testApp.clock.now() + lifetimeMs})`);
  }

  const failures = () =>
    testDatabase.database.all<{ key: string; expires_at: number }>(
      "SELECT key, expires_at FROM counters WHERE key LIKE 'otp:fail:d%' ORDER BY key",
    );

  test('device cookie: is set by a right code and contains no phone', async () => {
    const { right, wrong } = await requestCode(testApp, { address: HOME });
    expect((await verify(testApp, { address: HOME }, wrong)).headers['set-cookie']).toBe(undefined);
    const header = (await verify(testApp, { address: HOME }, right)).headers['set-cookie'];
    expect(header).toMatch(
      /^tessera_device=[\w-]{43}\.[0-9a-f]{64}; Path=\/api\/otp; Max-Age=31536000; HttpOnly; SameSite=Lax$/,
    );
    expect(header).not.toContain('98765');
  });

  test('known device: one address with 140 requests does not lock its owner out', async () => {
    const owner = await knownDevice();
    let sentCount = 0;
    for (let round = 0; round < 20; round += 1) {
      testApp.clock.advance(MINUTE_MS);
      const response = await send(testApp, { address: STRANGER });
      if (response.statusCode !== 200) continue;
      sentCount += 1;
      const { challenge } = response.json<{ challenge: string }>();
      const code = testApp.codes.get(PHONE) === '000000' ? '000001' : '000000';
      for (let guess = 0; guess < 6; guess += 1) {
        await verify(testApp, { address: STRANGER }, { challenge, code });
      }
    }
    expect(sentCount).toBeLessThanOrEqual(3);
    const { right } = await requestCode(testApp, owner);
    expect(statusOf(await verify(testApp, owner, right))).toBe(200);
  });

  test('known device: has its own allowance after strangers have used that of its phone', async () => {
    const owner = await knownDevice();
    for (const key of [`otp:send:hour:${PHONE}`, `otp:send:day:${PHONE}`]) {
      await testDatabase.database.run(sql`DELETE FROM counters WHERE key = ${key}`);
      await setCounter(key, 10, DAY_MS);
    }
    expect(statusOf(await send(testApp, { address: STRANGER }))).toBe('429 after 86400 s');
    const statuses = [];
    for (let n = 0; n < 6; n += 1) {
      statuses.push(statusOf(await send(testApp, owner)));
      if (n === 0) expect(statusOf(await send(testApp, owner))).toBe('429 after 30 s');
      testApp.clock.advance(MINUTE_MS);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, '429 after 3300 s']);
  });

  test('known device: is allowed while its phone is locked, with its own twenty failures', async () => {
    const owner = await knownDevice();
    await setCounter(`otp:fail:day:${PHONE}`, 100, DAY_MS);
    const locked = await send(testApp, { address: STRANGER });
    expect([statusOf(locked), locked.json()]).toEqual([
      '429 after 86400 s',
      {
        error: 'too_many_requests',
        message: 'This number is locked after too many wrong codes. Try again in 24 hours.',
      },
    ]);
    const statuses: unknown[] = [];
    for (let round = 0; round < 4; round += 1) {
      const { wrong } = await requestCode(testApp, owner);
      for (let guess = 0; guess < 5; guess += 1) {
        statuses.push(statusOf(await verify(testApp, owner, wrong)));
      }
      testApp.clock.advance(MINUTE_MS);
    }
    expect(statuses).toEqual(Array<number>(20).fill(403));
    expect((await send(testApp, owner)).statusCode).toBe(429);
    testApp.clock.advance(DAY_MS);
    const { right } = await requestCode(testApp, owner);
    expect(statusOf(await verify(testApp, owner, right))).toBe(200);
  });

  test('known device: has no delay of strangers, begins none, and a right code ends its failures', async () => {
    const owner = await knownDevice();
    await setCounter(`otp:fail:day:${PHONE}`, 5, DAY_MS);
    await setCounter(`otp:fail:delay:${PHONE}`, 1, HOUR_MS);
    const { right, wrong } = await requestCode(testApp, owner);
    expect(statusOf(await verify(testApp, owner, wrong))).toBe(403);
    const now = testApp.clock.now();
    expect(await failures()).toEqual([
      { key: `otp:fail:day:${PHONE}`, expires_at: now + DAY_MS },
      { key: `otp:fail:delay:${PHONE}`, expires_at: now + HOUR_MS },
      { key: expect.stringContaining('otp:fail:device:') as string, expires_at: now + DAY_MS },
    ]);
    expect(statusOf(await verify(testApp, owner, right))).toBe(200);
    expect(await failures()).toEqual([]);
  });

  test('wrong codes: the longer wait of two limits counts', async () => {
    const { right } = await requestCode(testApp, { address: HOME });
    await setCounter(`otp:fail:pair:${HOME}:${PHONE}`, 20, 2 * HOUR_MS);
    await setCounter(`otp:fail:day:${PHONE}`, 100, 5 * HOUR_MS);
    expect(statusOf(await verify(testApp, { address: HOME }, right))).toBe('429 after 18000 s');
  });

  test('wrong codes: too many for all phones raise an alarm and reject no request', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const limited = buildTestApp(testDatabase.database, {
      environment: { OTP_SENDS_PER_DAY: '50', METRICS_TOKEN },
      dependencies: { log },
    });
    for (let n = 0; n < 4; n += 1) {
      const client = { address: `203.0.113.${n}` };
      const { wrong } = await requestCode(limited, client, phoneOf(n));
      for (let guess = 0; guess < 4; guess += 1) {
        expect(statusOf(await verify(limited, client, wrong))).toBe(403);
      }
    }
    const { right } = await requestCode(limited, { address: HOME }, phoneOf(9));
    expect(statusOf(await verify(limited, { address: HOME }, right))).toBe(200);
    const metrics = await limited.app.inject({
      url: '/metrics',
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    });
    expect(/^tessera_otp_failure_alarm_total (\d+)$/m.exec(metrics.body)?.[1]).toBe('6');
    const alarms = lines
      .map((line) => JSON.parse(line) as { event?: string })
      .filter(({ event }) => event === 'otp_failure_alarm');
    expect(alarms).toEqual([expect.objectContaining({ level: 40, failuresPerHourMax: 10 })]);
  });

  test('wrong codes: five delay unknown devices by 30 s, then twice as long each time', async () => {
    const waits: unknown[] = [];
    for (let round = 0; round < 9; round += 1) {
      const address = `203.0.113.${round}`;
      const { wrong } = await requestCode(testApp, { address });
      for (let guess = 0; guess < 5; guess += 1) await verify(testApp, { address }, wrong);
      // Only the delay after wrong codes remains.
      await testDatabase.database.run("DELETE FROM counters WHERE key LIKE 'otp:send:%'");
      const delayed = await send(testApp, { address: HOME });
      waits.push(delayed.headers['retry-after']);
      testApp.clock.advance(Number(delayed.headers['retry-after']) * SECOND_MS);
    }
    expect(waits).toEqual(['30', '60', '120', '240', '480', '960', '1920', '3600', '3600']);
    const { right } = await requestCode(testApp, { address: HOME });
    expect(statusOf(await verify(testApp, { address: HOME }, right))).toBe(200);
    expect(
      await testDatabase.database.all("SELECT key FROM counters WHERE key LIKE 'otp:fail:d%'"),
    ).toEqual([]);
  });

  test('wrong codes: after 20 in a row codes have eight digits until one is right, those of test numbers not', async () => {
    const until = { OTP_TEST_NUMBERS: `${PHONE}:123456`, OTP_TEST_NUMBERS_UNTIL: '2099-01-01' };
    const withTestNumber = buildTestApp(testDatabase.database, { environment: until });
    onTestFinished(() => withTestNumber.app.close());
    const lengthOf = async (from: TestApp) => {
      testApp.clock.advance(HOUR_MS);
      withTestNumber.clock.advance(testApp.clock.now() - withTestNumber.clock.now());
      const sent = (await send(from, { address: HOME })).json<Sent & { codeLength: number }>();
      return { ...sent, code: testApp.codes.get(PHONE) ?? '' };
    };
    for (let round = 0; round < 4; round += 1) {
      const { codeLength, challenge, code } = await lengthOf(testApp);
      expect(codeLength).toBe(6);
      const client = { address: `203.0.113.${round}` };
      for (let guess = 0; guess < 5; guess += 1)
        await verify(testApp, client, { challenge, code: wrongOf(code) });
    }
    expect((await lengthOf(withTestNumber)).codeLength).toBe(6);
    testApp.clock.advance(2 * DAY_MS);
    const long = await lengthOf(testApp);
    expect([long.codeLength, long.code]).toEqual([8, expect.stringMatching(/^\d{8}$/)]);
    for (let guess = 0; guess < 6; guess += 1) {
      const half = { ...long, code: long.code.slice(0, 6) };
      expect(statusOf(await verify(testApp, { address: HOME }, half))).toBe(403);
    }
    expect(statusOf(await verify(testApp, { address: HOME }, long))).toBe(200);
    expect((await lengthOf(testApp)).codeLength).toBe(6);
  });

  test('wrong codes: a delay also stops guesses at other challenges of the phone', async () => {
    const mine = await requestCode(testApp, { address: HOME });
    testApp.clock.advance(30 * SECOND_MS);
    const other = await requestCode(testApp, { address: STRANGER });
    const guesses = await Promise.all(
      [mine.wrong, other.wrong].flatMap((wrong) =>
        [1, 2, 3, 4].map(() => verify(testApp, { address: STRANGER }, wrong)),
      ),
    );
    const statuses = guesses.map((response) => response.statusCode).toSorted((a, b) => a - b);
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429, 429, 429]);
    expect(statusOf(await verify(testApp, { address: HOME }, mine.right))).toBe('429 after 30 s');
    testApp.clock.advance(30 * SECOND_MS);
    expect(statusOf(await verify(testApp, { address: HOME }, mine.right))).toBe(200);
  });

  test('send code: when strangers have used up OTP_SENDS_PER_DAY, known devices have as many, and an alarm is raised', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const limited = buildTestApp(testDatabase.database, {
      environment: { OTP_SENDS_PER_DAY: '3', METRICS_TOKEN },
      dependencies: { log },
    });
    const owners = [];
    for (let n = 0; n < 4; n += 1) owners.push(await knownDevice(phoneOf(n), `198.51.100.${n}`));
    limited.clock.advance(MINUTE_MS);
    // The first sign-ins of the owners have used up the cap.
    for (const n of [5, 6]) {
      const stranger = await send(limited, { address: STRANGER }, phoneOf(n));
      expect(statusOf(stranger)).toBe('429 after 86340 s');
    }
    const known = await Promise.all(owners.map((owner, n) => send(limited, owner, phoneOf(n))));
    expect(known.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 200, 200, 429,
    ]);
    const metrics = await limited.app.inject({
      url: '/metrics',
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    });
    const count = (devices: string) =>
      new RegExp(`^tessera_otp_send_cap_total\\{devices="${devices}"\\} (\\d+)$`, 'm').exec(
        metrics.body,
      )?.[1];
    expect([count('unknown'), count('known')]).toEqual(['2', '1']);
    const alarms = lines
      .map((line) => JSON.parse(line) as { event?: string })
      .filter(({ event }) => event === 'otp_send_cap');
    expect(alarms).toEqual([
      expect.objectContaining({ level: 40, devices: 'unknown', sendsPerDayMax: 3 }),
      expect.objectContaining({ level: 40, devices: 'known', sendsPerDayMax: 3 }),
    ]);
  });

  test('send code: a right code gives its send back to the address, and to no other one', async () => {
    const statuses = [];
    for (let n = 0; n < 5; n += 1) {
      const { right } = await requestCode(testApp, { address: HOME });
      statuses.push(statusOf(await verify(testApp, { address: HOME }, right)));
      testApp.clock.advance(MINUTE_MS);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    const response = await send(testApp, { address: HOME });
    expect(statusOf(response)).toBe('429 after 3300 s');
    const { right } = await requestCode(testApp, { address: STRANGER }, phoneOf(1));
    await verify(testApp, { address: HOME }, right);
    const counts = await testDatabase.database.all<{ key: string; count: number }>(
      "SELECT key, count FROM counters WHERE key LIKE 'otp:send:%day:%'",
    );
    expect(Object.fromEntries(counts.map(({ key, count }) => [key, count]))).toEqual({
      [`otp:send:day:${PHONE}`]: 5,
      [`otp:send:pair-day:${HOME}:${PHONE}`]: 0,
      [`otp:send:day:${phoneOf(1)}`]: 1,
      [`otp:send:pair-day:${STRANGER}:${phoneOf(1)}`]: 1,
    });
  });
});
