import { beforeEach, expect, test, vi } from 'vitest';

import { MINUTE_MS } from '#domain/duration.ts';
import { ANSWER } from '#domain/language/en.ts';
import type { Statement } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import type { SendCode } from '#server/adapter/sms/delivery.ts';
import { buildTestApp, signInByToken, useTestApp, verifyPhone } from '#tests/support/app.ts';
import { countersOf, testPhone, requestCode, sendCode, verifyCode } from '#tests/support/codes.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { exampleEnvironment } from '#tests/support/gateway.ts';
import { toSql } from '#tests/support/statement.ts';
import { openTestProvider, useFakeServices } from '#tests/support/third-party.ts';

const INVITED = testPhone(1);
const STRANGER = testPhone(2);
const OWNER = testPhone(3);
const NOT_INVITED = [403, 'not_invited', "This number hasn't been invited."];
const services = useFakeServices();
const textsOf = (calls: readonly (readonly (Statement | string)[])[]) =>
  calls.map((statements) => statements.map((statement) => toSql(statement).text));

onEachDatabase((open) => {
  const gateway = vi.fn<SendCode>();
  const { database, testApp } = useTestApp(open, {
    environment: {
      SIGNUP: 'invited',
      OTP_TEST_NUMBERS: `${STRANGER}:123456`,
      OTP_TEST_NUMBERS_UNTIL: '2100-01-01',
    },
    dependencies: { sendCode: gateway },
  });
  beforeEach(async () => {
    gateway.mockReset().mockResolvedValue();
    await database.run(sql`INSERT INTO invitations (phone, name, created_at)
      VALUES (${INVITED}, 'Asha Rao', 1)`);
    await database.run(sql`INSERT INTO users (id, login_phone, created_at, updated_at)
      VALUES ('a1b2c3d4e5f6g7h8', ${OWNER}, 1, 1)`);
  });
  const invitations = () => database.all('SELECT phone FROM invitations');
  const authenticate = async (authorization: string, { app } = testApp) => {
    const url = '/api/user/authenticate/phone';
    const response = await app.inject({ url, headers: { authorization } });
    const { error, message } = response.json<Record<string, string>>();
    return [response.statusCode, error, message];
  };

  test('send code: a number without invitation gets the same answer and no code, and is counted but not on the daily cap', async () => {
    const answers = [];
    for (const phone of [INVITED, OWNER, STRANGER]) {
      const response = await sendCode(testApp, { phone, address: `198.51.100.${phone.slice(-1)}` });
      const { challenge, ...body } = response.json<Record<string, string>>();
      expect(challenge).toMatch(/^[\w-]{43}$/);
      answers.push(JSON.stringify([response.statusCode, body]).replaceAll(phone.slice(-5), ''));
      const wrong = await verifyCode(testApp, { challenge, code: '123456' });
      answers.push(`${wrong.statusCode} ${wrong.json<{ error: string }>().error}`);
    }
    // Only the text of the phone may differ.
    const same = answers.map((answer) => answer.replace(/"phoneText":"[^"]*"/, ''));
    expect(new Set(same).size).toBe(2);
    await expect.poll(() => gateway).toHaveBeenCalledTimes(2);
    expect(gateway.mock.calls.map(([phone]) => phone)).toEqual([INVITED, OWNER]);
    expect(await countersOf(database, `otp:send:%`)).toMatchObject({
      'otp:send:all': 2,
      [`otp:send:hour:${INVITED}`]: 1,
      [`otp:send:hour:${STRANGER}`]: 1,
      'otp:send:address:198.51.100.2': 1,
    });
  });

  test('send code: until the reply is sent a number with and one without invitation cause the same work', async () => {
    const order: string[] = [];
    testApp.app.addHook('onSend', async () => void order.push('reply'));
    gateway.mockImplementation(async () => void order.push('gateway'));
    const batch = vi.spyOn(database, 'batch');
    const all = vi.spyOn(database, 'all');
    const work = [];
    for (const phone of [INVITED, OWNER, STRANGER]) {
      expect((await sendCode(testApp, { phone })).statusCode).toBe(200);
      const batches = batch.mock.calls.map(([statements]) => statements);
      work.push([textsOf(batches), textsOf(all.mock.calls)]);
      batch.mockClear();
      all.mockClear();
    }
    expect(work[2]).toEqual(work[0]);
    expect(work[1]).toEqual(work[0]);
    expect(order).toEqual(['reply', 'gateway', 'reply', 'gateway', 'reply']);
  });

  test('send code: one that the gateway refuses is logged, and given back to a known device alone', async () => {
    const error = vi.spyOn(testApp.dependencies.log, 'error');
    const cause = new Error('refused');
    const { right } = await requestCode(testApp, { phone: INVITED });
    const { headers } = await verifyCode(testApp, { ...right, code: gateway.mock.lastCall?.[1] });
    const cookie = String(headers['set-cookie']).split(';', 1)[0];
    testApp.clock.advance(MINUTE_MS);
    gateway.mockRejectedValue(cause);
    for (const visitor of [{ cookie }, { cookie: '' }]) {
      error.mockClear();
      expect((await sendCode(testApp, { phone: INVITED, ...visitor })).statusCode).toBe(200);
      const logged = [{ err: cause }, 'a code was not sent'];
      await expect.poll(() => error.mock.calls).toEqual([logged]);
    }
    const ofDevice = Object.values(await countersOf(database, `otp:send:hour:device:%`));
    const counted = await countersOf(database, `otp:send:hour:${INVITED}`);
    expect([ofDevice, Object.values(counted)]).toEqual([[0], [2]]);
  });

  test('replaced code: is void at once with an invitation and without, also if the gateway fails', async () => {
    const environment = {
      ...exampleEnvironment('msg91', 'https://gateway.example.com'),
      ...exampleEnvironment('whatsapp', 'https://gateway.example.com'),
      SMS_GATEWAY: 'whatsapp,msg91',
      SIGNUP: 'invited',
    };
    const node = buildTestApp(database, { environment, dependencies: { sendCode: gateway } });
    const answers = [];
    for (const phone of [INVITED, STRANGER]) {
      const { challenge } = (await sendCode(node, { phone })).json<{ challenge: string }>();
      gateway.mockRejectedValueOnce(new Error('refused'));
      const next = await sendCode(node, { phone, replaces: challenge });
      const old = await verifyCode(node, { challenge, code: '000000' });
      answers.push([next.statusCode, old.statusCode, old.json<object>()]);
      gateway.mockReset().mockResolvedValue();
    }
    expect(answers[0]).toEqual([200, 403, { error: 'code_invalid', message: ANSWER.codeExpired }]);
    expect(answers[1]).toEqual(answers[0]);
  });

  test('sign-in: uses an invitation with its name, and one without is rejected with its token unused', async () => {
    const { _id } = await signInByToken(testApp, INVITED);
    const card = await testApp.app.inject(`/api/user/${_id}`);
    expect(card.json()).toMatchObject({ name: 'Asha Rao' });
    expect(await invitations()).toEqual([]);
    expect((await signInByToken(testApp, INVITED))._id).toBe(_id);
    expect((await signInByToken(testApp, OWNER))._id).toBe('a1b2c3d4e5f6g7h8');
    expect(await authenticate(await verifyPhone(testApp, STRANGER))).toEqual(NOT_INVITED);
    const environment = { ...services.environment.otpless, SIGNUP: 'invited' };
    const provider = openTestProvider(environment);
    const node = buildTestApp(database, { environment, dependencies: { provider } });
    const token = `good.919812345671.1`;
    expect(await authenticate(token, node)).toEqual(NOT_INVITED);
    await database.run(sql`INSERT INTO invitations (phone, name, created_at)
      VALUES ('+919812345671', '', 1)`);
    expect(await authenticate(token, node)).toEqual([200, undefined, undefined]);
  });

  test('change login phone: the new one needs an invitation, which is used', async () => {
    const { _id, sessionToken: authorization } = await signInByToken(testApp, OWNER);
    const sent = { method: 'POST', headers: { authorization } } as const;
    const post = (url: string, payload: object) =>
      testApp.app.inject({ ...sent, url: `${url}/${_id}`, payload });
    expect((await post('/api/otp/sendOwnerCode', { phone: STRANGER })).statusCode).toBe(200);
    testApp.clock.advance(MINUTE_MS);
    expect(gateway).not.toHaveBeenCalled();
    const token = await verifyPhone(testApp, OWNER);
    const change = async (phone: string) => {
      const newToken = await verifyPhone(testApp, phone);
      return (await post('/api/account/changePhone', { token, newToken })).statusCode;
    };
    expect([await change(STRANGER), await change(INVITED)]).toEqual([403, 200]);
    expect(await invitations()).toEqual([]);
  });

  test('login page: says whom to ask', async () => {
    const { body } = await testApp.app.inject('/login');
    expect(body).toContain('This service is by invitation. No code? Ask <a href="mailto:');
    const { app } = buildTestApp(database);
    expect((await app.inject('/login')).body).not.toContain('by invitation');
  });
});
