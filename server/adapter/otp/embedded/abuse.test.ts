import { expect, test } from 'vitest';

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { buildTestApp, useTestApp } from '#tests/support/app.ts';
import type { TestApp } from '#tests/support/app.ts';
import {
  HOME,
  PHONE,
  countersOf,
  phoneOf,
  requestCode,
  sendCode,
  statusOf,
  verifyCode,
  wrongOf,
} from '#tests/support/codes.ts';
import type { Sent } from '#tests/support/codes.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { recordingLog } from '#tests/support/log.ts';
import { METRICS_TOKEN, readMetric } from '#tests/support/metrics.ts';

const STRANGER = { address: '203.0.113.66' };

onEachDatabase((open) => {
  const { database, testApp } = useTestApp(open);

  async function knownDevice(phone = PHONE, address = HOME) {
    const { right } = await requestCode(testApp, { address, phone });
    const { statusCode, headers } = await verifyCode(testApp, right, { address });
    expect(statusCode).toBe(200);
    const [cookie = '', ...attributes] = String(headers['set-cookie']).split('; ');
    expect(cookie).toMatch(/^tessera_device=[\w-]{43}\.[0-9a-f]{64}$/);
    expect(attributes.join(' ')).toBe('Path=/api/otp Max-Age=31536000 HttpOnly SameSite=Lax');
    return { phone, address, cookie };
  }

  const setCounter = (key: string, count: number, lifetimeMs: number) =>
    database.run(sql`INSERT INTO counters (key, count, expires_at)
      VALUES (${key}, ${count}, ${testApp.clock.now() + lifetimeMs})
      ON CONFLICT (key) DO UPDATE SET count = ${count}, expires_at = excluded.expires_at`);

  /** Another app on the database with limits, and the alarms that it logs. */
  const buildLimited = (sendsPerDay: string, event: string) => {
    const { log, events } = recordingLog('warn');
    const environment = { OTP_SENDS_PER_DAY: sendsPerDay, METRICS_TOKEN };
    const limited = buildTestApp(database, { environment, dependencies: { log } });
    return { limited, alarms: () => events(event) };
  };

  async function guess(times: number, sent: Sent, visitor: { address: string }) {
    const statuses = [];
    for (let n = 0; n < times; n += 1)
      statuses.push(await statusOf(verifyCode(testApp, sent, visitor)));
    return statuses;
  }

  test('known device: has its own allowance after strangers have used that of its phone', async () => {
    const owner = await knownDevice();
    for (const name of ['hour', 'day']) await setCounter(`otp:send:${name}:${PHONE}`, 10, DAY_MS);
    expect(await statusOf(sendCode(testApp, STRANGER))).toBe('429 after 86400 s');
    const statuses = [];
    for (let n = 0; n < 6; n += 1) {
      statuses.push(await statusOf(sendCode(testApp, owner)));
      if (n === 0) expect(await statusOf(sendCode(testApp, owner))).toBe('429 after 30 s');
      testApp.clock.advance(MINUTE_MS);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, '429 after 3300 s']);
  });

  test('known device: is allowed while its phone is locked, with its own twenty failures', async () => {
    const owner = await knownDevice();
    await setCounter(`otp:fail:day:${PHONE}`, 100, DAY_MS);
    expect(await statusOf(sendCode(testApp, STRANGER))).toBe('429 after 86400 s');
    const statuses: unknown[] = [];
    for (let round = 0; round < 4; round += 1) {
      const { wrong } = await requestCode(testApp, owner);
      statuses.push(...(await guess(5, wrong, owner)));
      testApp.clock.advance(MINUTE_MS);
    }
    expect(statuses).toEqual(Array<number>(20).fill(403));
    expect((await sendCode(testApp, owner)).statusCode).toBe(429);
    testApp.clock.advance(DAY_MS);
    const { right } = await requestCode(testApp, owner);
    expect(await statusOf(verifyCode(testApp, right, owner))).toBe(200);
  });

  test('known device: has no delay of strangers, and a right code ends its failures and those of its phone', async () => {
    const owner = await knownDevice();
    await setCounter(`otp:fail:day:${PHONE}`, 5, DAY_MS);
    await setCounter(`otp:fail:delay:${PHONE}`, 1, HOUR_MS);
    const { right, wrong } = await requestCode(testApp, owner);
    expect(await guess(1, wrong, owner)).toEqual([403]);
    const device = owner.cookie.replace(/^.*=|\..*$/g, '');
    expect(await countersOf(database, 'otp:fail:d%')).toEqual({
      [`otp:fail:device:${device}`]: 1,
      [`otp:fail:day:${PHONE}`]: 5,
      [`otp:fail:delay:${PHONE}`]: 1,
    });
    expect(await statusOf(verifyCode(testApp, right, owner))).toBe(200);
    expect(await countersOf(database, 'otp:fail:d%')).toEqual({});
  });

  test('wrong codes: too many for all phones raise an alarm and reject no request', async () => {
    const { limited, alarms } = buildLimited('50', 'otp_failure_alarm');
    for (let n = 0; n < 4; n += 1) {
      const client = { address: `203.0.113.${n}`, phone: phoneOf(n) };
      const { wrong } = await requestCode(limited, client);
      for (let count = 0; count < 4; count += 1)
        expect(await statusOf(verifyCode(limited, wrong, client))).toBe(403);
    }
    const { right } = await requestCode(limited, { phone: phoneOf(9) });
    expect(await statusOf(verifyCode(limited, right))).toBe(200);
    expect(await readMetric(limited, 'tessera_otp_failure_alarm_total')).toEqual({ '': 6 });
    expect(alarms()).toMatchObject([{ level: 40, failuresPerHourMax: 10 }]);
  });

  test('wrong codes: after 20 in a row codes have eight digits until one is right, those of test numbers not', async () => {
    const until = { OTP_TEST_NUMBERS: `${PHONE}:123456`, OTP_TEST_NUMBERS_UNTIL: '2099-01-01' };
    const withTestNumber = buildTestApp(database, { environment: until });
    const lengthOf = async (from: TestApp) => {
      testApp.clock.advance(HOUR_MS);
      withTestNumber.clock.advance(testApp.clock.now() - withTestNumber.clock.now());
      const sent = (await sendCode(from)).json<Sent & { codeLength: number }>();
      return { ...sent, code: testApp.codes.get(PHONE) ?? '' };
    };
    for (let round = 0; round < 4; round += 1) {
      const { codeLength, challenge, code } = await lengthOf(testApp);
      expect(codeLength).toBe(6);
      await guess(5, { challenge, code: wrongOf(code) }, { address: `203.0.113.${round}` });
    }
    expect((await lengthOf(withTestNumber)).codeLength).toBe(6);
    testApp.clock.advance(2 * DAY_MS);
    const long = await lengthOf(testApp);
    expect([long.codeLength, long.code]).toEqual([8, expect.stringMatching(/^\d{8}$/)]);
    const half = { ...long, code: long.code.slice(0, 6) };
    expect(await guess(6, half, { address: HOME })).toEqual(Array<number>(6).fill(403));
    expect(await guess(1, long, { address: HOME })).toEqual([200]);
    expect((await lengthOf(testApp)).codeLength).toBe(6);
  });

  test('wrong codes: a delay also stops guesses at other challenges of the phone', async () => {
    const mine = await requestCode(testApp);
    testApp.clock.advance(30 * SECOND_MS);
    const other = await requestCode(testApp, STRANGER);
    const guesses = await Promise.all(
      [mine.wrong, other.wrong].flatMap((wrong) =>
        [1, 2, 3, 4].map(() => verifyCode(testApp, wrong, STRANGER)),
      ),
    );
    const statuses = guesses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429, 429, 429]);
    expect(await statusOf(verifyCode(testApp, mine.right))).toBe('429 after 30 s');
    testApp.clock.advance(30 * SECOND_MS);
    expect(await statusOf(verifyCode(testApp, mine.right))).toBe(200);
  });

  test('send code: when strangers have used up OTP_SENDS_PER_DAY, known devices have as many, and an alarm is raised', async () => {
    const { limited, alarms } = buildLimited('3', 'otp_send_cap');
    const owners = [];
    for (let n = 0; n < 4; n += 1) owners.push(await knownDevice(phoneOf(n), `198.51.100.${n}`));
    limited.clock.advance(MINUTE_MS);
    // The first sign-ins of the owners have used up the cap.
    for (const n of [5, 6]) {
      const stranger = sendCode(limited, { ...STRANGER, phone: phoneOf(n) });
      expect(await statusOf(stranger)).toBe('429 after 86340 s');
    }
    const known = await Promise.all(owners.map((owner) => sendCode(limited, owner)));
    const statuses = known.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(await readMetric(limited, 'tessera_otp_send_cap_total')).toEqual({
      '{devices="unknown"}': 2,
      '{devices="known"}': 1,
    });
    const alarm = { level: 40, sendsPerDayMax: 3 };
    const both = ['unknown', 'known'].map((devices) => ({ ...alarm, devices }));
    expect(alarms()).toMatchObject(both);
  });

  test('send code: a right code gives its send back to the address, and to no other one', async () => {
    for (let n = 0; n < 5; n += 1) {
      const { right } = await requestCode(testApp);
      expect(await statusOf(verifyCode(testApp, right))).toBe(200);
      testApp.clock.advance(MINUTE_MS);
    }
    expect(await statusOf(sendCode(testApp))).toBe('429 after 3300 s');
    const { right } = await requestCode(testApp, { ...STRANGER, phone: phoneOf(1) });
    await verifyCode(testApp, right);
    expect(await countersOf(database, 'otp:send:%day:%')).toEqual({
      [`otp:send:day:${PHONE}`]: 5,
      [`otp:send:pair-day:${HOME}:${PHONE}`]: 0,
      [`otp:send:day:${phoneOf(1)}`]: 1,
      [`otp:send:pair-day:${STRANGER.address}:${phoneOf(1)}`]: 1,
    });
  });
});
