import { beforeEach, expect, test, vi } from 'vitest';

import { MINUTE_MS } from '#domain/duration.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { GatewayError } from '#server/adapter/sms/gateway.ts';
import type { SendCode } from '#server/adapter/sms/delivery.ts';
import { buildTestApp, signInByToken, useTestApp, verifyPhone } from '#tests/support/app.ts';
import type { TestApp } from '#tests/support/app.ts';
import { countersOf, requestCode, sendCode, testPhone, verifyCode } from '#tests/support/codes.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { exampleEnvironment } from '#tests/support/gateway.ts';
import { toSql } from '#tests/support/statement.ts';

const [ASHA, RAVI, INVITED, STRANGER] = [1, 2, 3, 4].map(testPhone) as [string, ...string[]] &
  Record<0 | 1 | 2 | 3, string>;
const URL = 'https://gateway.example.com';
const EMAIL = exampleEnvironment('email', URL);
const listOf = (names: string) => ({
  ...exampleEnvironment('msg91', URL),
  ...exampleEnvironment('whatsapp', URL),
  ...EMAIL,
  SMS_GATEWAY: names,
  OTP_COUNTRIES: 'IN,AE',
});

const replyOf = async (node: TestApp, phone: string, replaces?: string) => {
  const response = await sendCode(node, {
    phone,
    replaces,
    address: `198.51.100.${phone.at(-1)}`,
  });
  const { challenge, phone: _, phoneText: __, ...body } = response.json<Record<string, unknown>>();
  return { status: response.statusCode, body, challenge: String(challenge) };
};

onEachDatabase((open) => {
  const gateway = vi.fn<SendCode>();
  const { database, testApp } = useTestApp(open, {
    environment: EMAIL,
    dependencies: { sendCode: gateway },
  });
  beforeEach(async () => {
    gateway.mockReset().mockResolvedValue();
    await database.run(sql`INSERT INTO users (id, login_phone, login_email, email, created_at, updated_at)
      VALUES ('a1b2c3d4e5f6g7h8', ${ASHA}, 'asha@work.example', 'card@example.com', 1, 1),
        ('b1b2c3d4e5f6g7h8', ${RAVI}, NULL, 'ravi@example.com', 1, 1)`);
    await database.run(sql`INSERT INTO invitations (phone, name, login_email, created_at)
      VALUES (${INVITED}, 'Meera', 'meera@work.example', 1)`);
  });
  const build = (environment: Record<string, string>) =>
    buildTestApp(database, { environment, dependencies: { sendCode: gateway } });
  const sent = () => gateway.mock.calls.map(([phone, , options]) => [phone, options?.email]);

  test('codes by email: go to the sign-in email alone; every number has the same answer and work', async () => {
    const order: string[] = [];
    testApp.app.addHook('onSend', async () => void order.push('reply'));
    gateway.mockImplementation(async () => void order.push('gateway'));
    const [batch, all] = [vi.spyOn(database, 'batch'), vi.spyOn(database, 'all')];
    const answers = [];
    for (const phone of [ASHA, INVITED, RAVI, STRANGER]) {
      const { status, body } = await replyOf(testApp, phone);
      const work = [...batch.mock.calls.map(([list]) => list), ...all.mock.calls].map((list) =>
        list.map((statement) => toSql(statement).text),
      );
      answers.push(JSON.stringify([status, body, work]));
      batch.mockClear();
      all.mockClear();
    }
    expect(new Set(answers).size).toBe(1);
    expect(JSON.parse(answers[0] ?? '')).toMatchObject([
      200,
      { sentBy: 'email', codeLength: 6 },
      expect.anything(),
    ]);
    await expect.poll(() => gateway).toHaveBeenCalledTimes(2);
    expect(order).toEqual(['reply', 'gateway', 'reply', 'gateway', 'reply', 'reply']);
    expect(sent()).toEqual([
      [ASHA, 'asha@work.example'],
      [INVITED, 'meera@work.example'],
    ]);
    // The limits of a phone and an IP address count every request, the daily cap those with a message.
    expect(await countersOf(database, 'otp:send:%')).toMatchObject({
      'otp:send:all': 2,
      [`otp:send:hour:${ASHA}`]: 1,
      [`otp:send:hour:${STRANGER}`]: 1,
      'otp:send:address:198.51.100.4': 1,
    });
    for (const phone of [ASHA, STRANGER]) expect((await replyOf(testApp, phone)).status).toBe(429);
  });

  test('codes by email: a code signs in, and an invitation’s email becomes the account’s', async () => {
    const { right } = await requestCode(testApp, { phone: INVITED });
    const code = gateway.mock.lastCall?.[1] ?? '';
    expect((await verifyCode(testApp, { ...right, code })).statusCode).toBe(200);
    const { _id } = await signInByToken(testApp, INVITED);
    const emails = await database.all(sql`SELECT login_email, name FROM users WHERE id = ${_id}`);
    expect(emails).toEqual([{ login_email: 'meera@work.example', name: 'Meera' }]);
    expect(await database.all('SELECT * FROM invitations')).toEqual([]);
    // An existing account keeps its own, and what its owner types never becomes one.
    const ravi = await signInByToken(testApp, RAVI);
    await testApp.app.inject({
      method: 'POST',
      url: `/api/user/updateUser/${ravi._id}`,
      headers: { authorization: ravi.sessionToken },
      payload: { email: 'eve@example.com', loginEmail: 'eve@example.com' },
    });
    expect(
      await database.all(sql`SELECT login_email, email FROM users WHERE id = ${ravi._id}`),
    ).toEqual([{ login_email: null, email: 'eve@example.com' }]);
  });

  test('codes by email: a failed one is logged without the email, and its reply is the same', async () => {
    const { log } = testApp.dependencies;
    const error = vi.spyOn(log, 'error');
    gateway.mockRejectedValue(new GatewayError('no', { status: 550, content: {} }));
    const failed = await replyOf(testApp, ASHA);
    await expect.poll(() => error).toHaveBeenCalledTimes(1);
    expect(failed).toEqual({ ...(await replyOf(testApp, STRANGER)), challenge: failed.challenge });
  });

  test.each([
    ['email,msg91', { sentBy: 'email-sms', nextAfterSeconds: 20 }, {}],
    ['whatsapp,email', { sentBy: 'whatsapp-email', nextAfterSeconds: 20 }, { sentBy: 'email' }],
    ['msg91,email', { sentBy: 'sms-email' }, null],
  ])('list %s: names its ways for every number', async (names, ways, nextWays) => {
    const node = build(listOf(names));
    const rest = { resendAfterSeconds: 30, lifeSeconds: 300, codeLength: 6 };
    for (const phone of [ASHA, STRANGER]) {
      const { body, challenge } = await replyOf(node, phone);
      expect(body).toEqual({ ...rest, ...ways });
      if (nextWays === null) continue;
      const next = await replyOf(node, phone, challenge);
      expect(next.body).toEqual({ ...rest, ...nextWays });
    }
  });

  test('list email,msg91: a number without sign-in email gets the code from the next gateway', async () => {
    const node = build(listOf('email,msg91'));
    await replyOf(node, STRANGER);
    await replyOf(node, ASHA);
    await expect.poll(() => gateway).toHaveBeenCalledTimes(2);
    expect(sent()).toEqual([
      [STRANGER, null],
      [ASHA, 'asha@work.example'],
    ]);
  });

  test('change login phone: a new number gets a code by email only if it is invited', async () => {
    const owner = await signInByToken(testApp, RAVI);
    const headers = { authorization: owner.sessionToken };
    const post = (url: string, payload: object, { app } = testApp) =>
      app.inject({ method: 'POST', url: `/api/${url}/${owner._id}`, headers, payload });
    const ask = 'Ask support@example.com to change your number.';
    // The number of another account gets the answer of an unknown one.
    for (const phone of [ASHA, STRANGER]) {
      const refused = await post('otp/sendOwnerCode', { phone });
      expect([refused.statusCode, refused.json()]).toEqual([
        400,
        { error: 'phone_refused', message: ask },
      ]);
    }
    expect(gateway).not.toHaveBeenCalled();
    expect((await post('otp/sendOwnerCode', { phone: INVITED })).statusCode).toBe(200);
    await expect.poll(() => sent()).toEqual([[INVITED, 'meera@work.example']]);
    const token = await verifyPhone(testApp, RAVI);
    const newToken = await verifyPhone(testApp, INVITED);
    expect((await post('account/changePhone', { token, newToken })).statusCode).toBe(200);
    expect(await database.all(sql`SELECT login_email FROM users WHERE id = ${owner._id}`)).toEqual([
      { login_email: 'meera@work.example' },
    ]);
    // Another gateway of the list still sends a code to any number.
    testApp.clock.advance(MINUTE_MS);
    const other = build(listOf('email,msg91'));
    other.clock.advance(MINUTE_MS);
    expect((await post('otp/sendOwnerCode', { phone: testPhone(9) }, other)).statusCode).toBe(200);
  });
});
