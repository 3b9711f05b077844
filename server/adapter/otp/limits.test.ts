import { expect, test } from 'vitest';

import { ANSWER } from '#domain/language/en.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import { incrementStatement } from '#server/adapter/counter.ts';
import { sql } from '#server/adapter/database/sql.ts';
import type { ApiError } from '#server/error.ts';
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
  wrongCodeFor,
} from '#tests/support/codes.ts';
import type { Sent } from '#tests/support/codes.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { recordingLog } from '#tests/support/log.ts';
import { METRICS_TOKEN, readMetric } from '#tests/support/metrics.ts';

import {
  checkLimits,
  countStatements,
  deletePhoneCountersStatements,
  failureAlarm,
  limitsOf,
  waitText,
} from './limits.ts';
import type { Client } from './limits.ts';
import { saveChallengeStatement } from './store.ts';

const NETWORK = '2001:db8:0:1::/64';
const STRANGER = {
  phone: PHONE,
  address: { prefix64: NETWORK, prefix48: '2001:db8::/48' },
  deviceId: null,
};
const OWNER = { ...STRANGER, deviceId: 'd1', address: { prefix64: HOME_IP, prefix48: null } };
const SETTINGS = {
  otpSendsPerDay: 2000,
  limitCodesPerHour: 100,
  supportEmail: 'help@cards.example',
};
const KINDS = ['send', 'fail'] as const;
const allLimitsOf = (client: Client) => KINDS.flatMap((kind) => limitsOf(kind, client, SETTINGS));

const SOON = 'Wait 30 seconds before you request another code.';
const LOCKED = 'This number is locked after too many wrong codes.';
const UNABLE = "We can't check codes right now.";
const WRITE = "If you still can't sign in, write to help@cards.example.";
const [PAUSE, HOUR, DAY] = [30 * SECOND_MS, HOUR_MS, DAY_MS];
const WAITS = new Map([
  [PAUSE, '30 seconds'],
  [HOUR, '60 minutes'],
  [DAY, '24 hours'],
]);

/** The counters of a client with the message of a rejection, or null if the counter rejects nothing. */
const EXPECTED = [
  [
    'stranger',
    STRANGER,
    [
      [`otp:send:address:${NETWORK}`, 100, HOUR, SOON],
      ['otp:send:site:2001:db8::/48', 300, HOUR, SOON],
      [`otp:send:pair-hour:${NETWORK}:${PHONE}`, 3, HOUR, SOON],
      [`otp:send:pair-day:${NETWORK}:${PHONE}`, 6, DAY, SOON],
      [`otp:send:hour:${PHONE}`, 5, HOUR, SOON],
      [`otp:send:day:${PHONE}`, 10, DAY, SOON],
      ['otp:send:all', 2000, DAY, SOON],
      [`otp:send:pause:${PHONE}`, 1, PAUSE, SOON],
      [`otp:fail:address:${NETWORK}`, 300, HOUR, UNABLE],
      ['otp:fail:site:2001:db8::/48', 900, HOUR, UNABLE],
      [`otp:fail:pair:${NETWORK}:${PHONE}`, 10, DAY, LOCKED],
      [`otp:fail:day:${PHONE}`, 40, DAY, LOCKED],
      [`otp:fail:row:${PHONE}`, 20, 365 * DAY, null],
    ],
  ],
  [
    'known device',
    OWNER,
    [
      ['otp:send:hour:device:d1', 5, HOUR, SOON],
      ['otp:send:day:device:d1', 10, DAY, SOON],
      ['otp:send:devices', 2000, DAY, SOON],
      ['otp:send:pause:device:d1', 1, PAUSE, SOON],
      ['otp:fail:device:d1', 20, DAY, LOCKED],
    ],
  ],
] as const;

test('failure alarm: is a tenth of the daily codes in an hour, at least 10', () => {
  const alarms = [1, 100, 110, 10_000].map((otpSendsPerDay) =>
    failureAlarm({ ...SETTINGS, otpSendsPerDay }),
  );
  expect(alarms.map(({ max }) => max)).toEqual([10, 10, 11, 1000]);
  expect(alarms[0]).toMatchObject({ key: 'otp:alarm', windowMs: HOUR_MS });
});

test('waitText: uses seconds up to 120, then minutes up to 120, then hours', () => {
  const texts = [1, 30, 120, 121, 3600, 7200, 7201, 86_400].map((seconds) =>
    waitText(seconds, ANSWER, 'en').replace(/^Try again in (.*)\.$/, '$1'),
  );
  expect(texts.join(', ')).toBe(
    '1 second, 30 seconds, 120 seconds, 3 minutes, 60 minutes, 120 minutes, 3 hours, 24 hours',
  );
});

const rejection = ({ code, message, retryAfterSeconds }: ApiError) =>
  [code, message, retryAfterSeconds] as const;
const isOfPhone = (key: string) => key.endsWith(`:${PHONE}`);

onEachDatabase((open) => {
  const { database, testApp } = useTestApp(open);

  const setCounter = (key: string, count: number, expiresAt: number) =>
    database.run(sql`INSERT INTO counters (key, count, expires_at)
      VALUES (${key}, ${count}, ${expiresAt})`);

  test.each(EXPECTED)('limits of a %s: each allows its most', async (_, client, expected) => {
    const limits = allLimitsOf(client);
    expect(limits).toHaveLength(expected.length);
    for (const [index, [key, max, windowMs, sentence]] of expected.entries()) {
      const one = limits.slice(index, index + 1);
      const check = (now: number) =>
        checkLimits(database, one, { now, settings: SETTINGS }).catch(rejection);
      const used = Math.max(0, max - 3);
      await setCounter(key, used, windowMs);
      expect(await check(0)).toEqual({ needsLongCode: false });
      const count = async () =>
        sentence === null
          ? database.batch([incrementStatement(one, 0)])
          : database.batch(countStatements(one, { now: 0, settings: SETTINGS }));
      const results = await Promise.all(
        Array.from({ length: 50 }, () => count().then(() => null, rejection)),
      );
      const text = (wait = '') =>
        sentence === SOON
          ? SOON.replace('30 seconds', wait) + (windowMs === PAUSE ? '' : ` ${WRITE}`)
          : `${sentence} Try again in ${wait}. ${WRITE}`;
      const rejected = ['too_many_requests', text(WAITS.get(windowMs)), windowMs / SECOND_MS];
      const expectedErrors = Array.from({ length: 50 - (max - used) }, () => rejected);
      expect([key, results.filter((result) => result !== null)]).toEqual([
        key,
        sentence === null ? [] : expectedErrors,
      ]);
      const last = ['too_many_requests', text('1 second'), 1];
      expect(await check(windowMs - 1)).toEqual(sentence === null ? { needsLongCode: true } : last);
      expect(await check(windowMs)).toEqual({ needsLongCode: false });
    }
  });

  test('reached limits: the longest wait of the first kind is said, rounded up', async () => {
    const [day, pair] = [`otp:fail:day:${PHONE}`, `otp:fail:pair:${NETWORK}:${PHONE}`];
    await setCounter(day, 40, 61_001);
    await setCounter(pair, 10, 60_000);
    await setCounter(`otp:send:day:${PHONE}`, 10, DAY_MS);
    const reached: string[] = [];
    const onReached = ({ key }: { key: string }) => void reached.push(key);
    const options = { now: 0, settings: SETTINGS, onReached };
    const both = [...limitsOf('fail', STRANGER, SETTINGS), ...limitsOf('send', STRANGER, SETTINGS)];
    const error = await checkLimits(database, both, options).catch(rejection);
    expect(error).toEqual(['too_many_requests', `${LOCKED} Try again in 62 seconds. ${WRITE}`, 62]);
    expect(reached).toEqual([pair, day]);
  });

  test('deleted counters of a phone: those of its own limits and of all its addresses', async () => {
    const elsewhere = { prefix64: '203.0.113.7', prefix48: null };
    const clients = [OWNER, STRANGER, { ...STRANGER, address: elsewhere }];
    const others = clients.map((client) => ({ ...client, phone: testPhone(1) }));
    const keysOf = (kind: 'send' | 'fail') => {
      const limits = [...clients, ...others].flatMap((client) => limitsOf(kind, client, SETTINGS));
      return [...new Set(limits.map(({ key }) => key))].toSorted();
    };
    const keys = KINDS.flatMap(keysOf).toSorted();
    for (const key of keys) await setCounter(key, 1, 1);
    for (const kind of KINDS) {
      const statements = deletePhoneCountersStatements(kind, PHONE);
      const deleted = (await database.batch<{ key: string }>(statements)).flat();
      expect(deleted.map(({ key }) => key).toSorted()).toEqual(keysOf(kind).filter(isOfPhone));
    }
    const left = keys.filter((key) => !isOfPhone(key));
    expect(Object.keys(await countersOf(database, '%')).toSorted()).toEqual(left);
  });

  const ELSEWHERE = '203.0.113.66';

  async function knownDevice(phone = PHONE, address = HOME_IP) {
    const { right } = await requestCode(testApp, { address, phone });
    const { statusCode, headers } = await verifyCode(testApp, right, { address });
    expect(statusCode).toBe(200);
    const [cookie = '', ...attributes] = String(headers['set-cookie']).split('; ');
    expect(cookie).toMatch(/^tessera_device=[\w-]{43}\.[0-9a-f]{64}$/);
    expect(attributes.join(' ')).toBe('Path=/api/otp Max-Age=31536000 HttpOnly SameSite=Lax');
    return { phone, address, cookie, id: cookie.replace(/^.*=|\..*$/g, '') };
  }

  const guess = (times: number, sent: Sent, address = HOME_IP) =>
    Promise.all(
      Array.from({ length: times }, () => statusOf(verifyCode(testApp, sent, { address }))),
    );

  const buildLimited = (sendsPerDay: string, event: string) => {
    const { log, events } = recordingLog('warn');
    const environment = { OTP_SENDS_PER_DAY: sendsPerDay, METRICS_TOKEN };
    const limited = buildTestApp(database, { environment, dependencies: { log } });
    return { limited, alarms: () => events(event) };
  };

  test('known device: signs in while strangers are at every limit of its phone and its address, which a right code ends', async () => {
    const owner = await knownDevice();
    testApp.clock.advance(MINUTE_MS);
    const now = testApp.clock.now();
    const sent = await requestCode(testApp, { address: ELSEWHERE });
    await database.run('DELETE FROM counters');
    const settings = { ...SETTINGS, otpSendsPerDay: 10_000 };
    for (const [address, isNeighbour] of [
      [ELSEWHERE, false],
      [HOME_IP, true],
    ] as const) {
      const stranger = { ...STRANGER, address: { prefix64: address, prefix48: null } };
      const reached = KINDS.flatMap((kind) => limitsOf(kind, stranger, settings));
      for (const { key, max, windowMs, scope } of reached)
        if ((scope === 'network') === isNeighbour) await setCounter(key, max, now + windowMs);
    }
    const refused = '429 after 86400 s';
    expect(await statusOf(sendCode(testApp, { address: ELSEWHERE }))).toBe(refused);
    expect(await guess(1, sent.right, ELSEWHERE)).toEqual([refused]);
    const own = await requestCode(testApp, owner);
    expect(own.right.code).toMatch(/^\d{8}$/);
    expect(await statusOf(sendCode(testApp, owner))).toBe('429 after 30 s');
    expect(await statusOf(verifyCode(testApp, own.wrong, owner))).toBe(403);
    expect(await countersOf(database, '%device%')).toEqual({
      [`otp:send:hour:device:${owner.id}`]: 1,
      [`otp:send:day:device:${owner.id}`]: 1,
      [`otp:send:pause:device:${owner.id}`]: 1,
      'otp:send:devices': 1,
      [`otp:fail:device:${owner.id}`]: 1,
    });
    expect(await statusOf(verifyCode(testApp, own.right, owner))).toBe(200);
    expect(await countersOf(database, 'otp:fail:%')).toEqual({
      [`otp:fail:address:${HOME_IP}`]: 300,
      [`otp:fail:pair:${ELSEWHERE}:${PHONE}`]: 10,
    });
  });

  test('wrong codes: of a hundred at once for a phone, from ten networks, forty are compared', async () => {
    const { clock, dependencies } = testApp;
    const { secret } = dependencies;
    const ids = Array.from({ length: 20 }, (_, n) => `${n}`.padStart(43, 'x'));
    for (const id of ids) {
      const options = { secret, code: '123456', now: clock.now() };
      await database.run(saveChallengeStatement({ id, phone: PHONE }, options));
    }
    const statuses = await Promise.all(
      ids.map((challenge, n) => guess(5, { challenge, code: '000000' }, `203.0.113.${n % 10}`)),
    );
    expect(
      statuses.flat().toSorted((one, other) => String(one).localeCompare(String(other))),
    ).toEqual([...Array<unknown>(40).fill(403), ...Array<unknown>(60).fill('429 after 86400 s')]);
    const found = await countersOf(database, 'otp:fail:%');
    expect(found).toMatchObject({ [`otp:fail:day:${PHONE}`]: 40, [`otp:fail:row:${PHONE}`]: 40 });
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
      await guess(5, { challenge, code: wrongCodeFor(code) }, `203.0.113.${round}`);
    }
    expect((await lengthOf(withTestNumber)).codeLength).toBe(6);
    testApp.clock.advance(2 * DAY_MS);
    const long = await lengthOf(testApp);
    expect([long.codeLength, long.code]).toEqual([8, expect.stringMatching(/^\d{8}$/)]);
    const half = { ...long, code: long.code.slice(0, 6) };
    expect(await guess(6, half)).toEqual(Array<number>(6).fill(403));
    expect(await guess(1, long)).toEqual([200]);
    expect((await lengthOf(testApp)).codeLength).toBe(6);
  });

  test('wrong codes: too many for all phones raise an alarm and reject no request', async () => {
    const { limited, alarms } = buildLimited('50', 'otp_failure_alarm');
    for (let n = 0; n < 4; n += 1) {
      const client = { address: `203.0.113.${n}`, phone: testPhone(n) };
      const { wrong } = await requestCode(limited, client);
      for (let count = 0; count < 4; count += 1)
        expect(await statusOf(verifyCode(limited, wrong, client))).toBe(403);
    }
    const { right } = await requestCode(limited, { phone: testPhone(9) });
    expect(await statusOf(verifyCode(limited, right))).toBe(200);
    expect(alarms()).toMatchObject([{ level: 40, failuresPerHourMax: 10 }]);
  });

  test('send code: when strangers have used up OTP_SENDS_PER_DAY, known devices have as many, and an alarm is raised', async () => {
    const { limited, alarms } = buildLimited('3', 'otp_send_cap');
    const owners = [];
    for (let n = 0; n < 4; n += 1) owners.push(await knownDevice(testPhone(n), `198.51.100.${n}`));
    limited.clock.advance(MINUTE_MS);
    // The first sign-ins of the owners have used up the cap.
    for (const n of [5, 6]) {
      const stranger = sendCode(limited, { address: ELSEWHERE, phone: testPhone(n) });
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

  test('right code: gives its send back to the network, and ends the wrong ones of phone and network', async () => {
    for (let n = 0; n < 5; n += 1) {
      const { right, wrong } = await requestCode(testApp);
      expect(await guess(4, wrong)).toEqual([403, 403, 403, 403]);
      if (n === 0)
        expect(await countersOf(database, 'otp:fail:%')).toEqual({
          [`otp:fail:address:${HOME_IP}`]: 4,
          [`otp:fail:day:${PHONE}`]: 4,
          [`otp:fail:pair:${HOME_IP}:${PHONE}`]: 4,
          [`otp:fail:row:${PHONE}`]: 4,
        });
      expect(await guess(1, right)).toEqual([200]);
      testApp.clock.advance(MINUTE_MS);
    }
    expect(await countersOf(database, 'otp:fail:%')).toEqual({
      [`otp:fail:address:${HOME_IP}`]: 20,
    });
    // The phone has used up its five codes.
    expect(await statusOf(sendCode(testApp))).toBe('429 after 3300 s');
    const { right } = await requestCode(testApp, { address: ELSEWHERE, phone: testPhone(1) });
    expect(await guess(1, right)).toEqual([200]);
    expect(await countersOf(database, 'otp:send:%day:%')).toEqual({
      [`otp:send:day:${PHONE}`]: 5,
      [`otp:send:pair-day:${HOME_IP}:${PHONE}`]: 0,
      [`otp:send:day:${testPhone(1)}`]: 1,
      [`otp:send:pair-day:${ELSEWHERE}:${testPhone(1)}`]: 1,
    });
  });
});
