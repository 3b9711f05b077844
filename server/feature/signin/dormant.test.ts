import { expect, test } from 'vitest';

import { DAY_MS, SECOND_MS } from '#domain/duration.ts';
import { removePhoneless } from '#server/adapter/remove-user.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { readSettings } from '#server/settings/settings.ts';
import {
  buildTestApp,
  saveByApi,
  signInByToken,
  useOwner,
  useTestApp,
} from '#tests/support/app.ts';
import type { Session, TestApp } from '#tests/support/app.ts';
import { runCommand } from '#tests/support/command.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { createAuthenticator, createBrowser } from '#tests/support/passkey.ts';

const PHONE = '+919876543210';
const NOBODY = { _id: '', sessionToken: '' };
const DORMANT = [403, 'account_dormant'];

/** A browser that signs in by code, and keeps its cookies. */
function browserOf(testApp: TestApp, onSent = async (_challenge: string) => {}) {
  const { jar, post, authenticate } = createBrowser(testApp, NOBODY);
  async function newToken(phone = PHONE) {
    testApp.clock.advance(60 * SECOND_MS);
    const { challenge } = (await post('otp/send', { appId: 'tessera', phone })).json<{
      challenge: string;
    }>();
    await onSent(challenge);
    const code = testApp.codes.get(phone) ?? '';
    return (await post('otp/verify', { challenge, code })).json<{ token: string }>().token;
  }
  return {
    jar,
    newToken,
    exchange: authenticate,
    signIn: async (phone?: string) => authenticate(await newToken(phone)),
    startNewCard: async (token: string) => post('user/startNewCard', { token }),
  };
}

type Response = Awaited<ReturnType<ReturnType<typeof browserOf>['signIn']>>;
const errorOf = (response: Response) => [
  response.statusCode,
  response.json<{ error?: string }>().error,
];

onEachDatabase((open) => {
  const { database, testApp } = useTestApp(open, { environment: { DORMANT_DAYS: '90' } });
  const owner = useOwner(testApp);

  async function signInOwner() {
    const known = browserOf(testApp);
    const session = (await known.signIn()).json<Session>();
    Object.assign(owner, session);
    return known;
  }
  const sleep = (days = 90) => testApp.clock.advance(days * DAY_MS);
  const run = (...args: string[]) => runCommand(testApp, {}, ...args);

  test('dormant account: is opened by a known device, and by no other browser with a right code', async () => {
    const known = await signInOwner();
    await saveByApi(testApp, owner, { name: 'Asha', phone: '1' });
    sleep(89);
    const early = browserOf(testApp);
    expect((await early.signIn()).statusCode).toBe(200);
    sleep();
    const stranger = browserOf(testApp);
    const token = await stranger.newToken();
    const rejected = await stranger.exchange(token);
    expect(rejected.json()).toEqual({
      error: 'account_dormant',
      message: "This number belongs to an account that hasn't been used for a while.",
    });
    // The token stays unused, the browser does not become known, and another code changes nothing.
    expect(errorOf(await stranger.exchange(token))).toEqual(DORMANT);
    expect(stranger.jar.size).toBe(0);
    expect(errorOf(await stranger.signIn())).toEqual(DORMANT);
    expect((await owner.page()).statusCode).toBe(200);
    const woken = await known.signIn();
    expect(woken.json<Session>()._id).toBe(owner._id);
    expect((await stranger.exchange(token)).statusCode).toBe(200);
  });

  test('new card: has the number and nothing of the old one, whose page, session and passkey stay', async () => {
    const known = await signInOwner();
    await saveByApi(testApp, owner, { name: 'Asha', phone: '1' });
    const passkey = createAuthenticator(owner._id);
    const passkeys = createBrowser(testApp, owner, known.jar);
    expect((await passkeys.add(passkey)).json()).toEqual({});
    sleep();
    const session = { ...owner };
    await database.run(sql`UPDATE sessions SET expires_at = ${testApp.clock.now() + DAY_MS}`);
    const next = browserOf(testApp);
    const token = await next.newToken();
    expect(errorOf(await next.exchange(token))).toEqual(DORMANT);
    const started = (await next.startNewCard(token)).json<Session>();
    expect(started._id).not.toBe(owner._id);
    const card = await testApp.app.inject(`/api/user/${started._id}`);
    expect(card.json()).toMatchObject({ name: '', phone: PHONE });
    expect(errorOf(await next.startNewCard(token))).toEqual([403, 'token_invalid']);
    expect((await next.signIn()).json<Session>()._id).toBe(started._id);
    // The old card.
    expect((await owner.page()).statusCode).toBe(200);
    expect((await owner.get('account/getAccount', { as: session })).json()).toMatchObject({
      phoneEnd: '',
    });
    expect(await run('show', owner._id)).toMatchObject({ loginPhone: '', passkeys: 1 });
    expect(errorOf(await owner.post('otp/sendOwnerCode', {}, { as: session }))).toEqual([
      400,
      'phone_refused',
    ]);
    const byPasskey = await createBrowser(testApp, session).signIn(passkey);
    expect(byPasskey.json<Session>()._id).toBe(owner._id);
    // Its devices are not known to the new account.
    sleep();
    expect(errorOf(await known.signIn())).toEqual(DORMANT);
    expect((await next.signIn()).json<Session>()._id).toBe(started._id);
  });

  test('passkey: opens a dormant account, which then keeps its number', async () => {
    const known = await signInOwner();
    const passkey = createAuthenticator(owner._id);
    await createBrowser(testApp, owner, known.jar).add(passkey);
    sleep();
    const session = await createBrowser(testApp, owner).signIn(passkey);
    expect(session.json<Session>()._id).toBe(owner._id);
    const next = browserOf(testApp);
    const token = await next.newToken();
    expect(errorOf(await next.startNewCard(token))).toEqual([403, 'token_invalid']);
    expect((await next.exchange(token)).json<Session>()._id).toBe(owner._id);
  });

  test('use: any call with a session counts, once a day, and changes no version of the card', async () => {
    await signInOwner();
    const read = async () => [
      (await database.one<{ used_at: number }>('SELECT used_at FROM users'))?.used_at,
      (await owner.card()).headers['etag'],
    ];
    const [day, etag] = await read();
    sleep(20);
    expect((await owner.get('account/getAccount')).statusCode).toBe(200);
    expect(await read()).toEqual([Number(day) + 20 * DAY_MS, etag]);
    sleep(89);
    expect((await browserOf(testApp).signIn()).statusCode).toBe(200);
  });

  test('by email: a code proves a mailbox, so it opens a dormant account', async () => {
    const settings = {
      SMS_GATEWAY: 'email,console',
      SMTP_URL: 'smtp://localhost',
      SMTP_FROM: 'a@b.c',
    };
    const node = buildTestApp(database, {
      environment: { ...settings, DORMANT_DAYS: '90' },
      dependencies: {
        sendCode: async (phone, code, { email } = {}) => {
          testApp.codes.set(phone, code);
          return email === null ? 'console' : 'email';
        },
      },
    });
    Object.assign(node, { codes: testApp.codes });
    await signInOwner();
    await run('login-email', owner._id, 'asha@example.com');
    node.clock.advance(90 * DAY_MS);
    // The code is sent after the reply, and marked after that.
    const browser = browserOf(node, async (challenge) => {
      const mark = sql`SELECT by_email FROM challenges WHERE id = ${challenge}`;
      await expect.poll(() => database.one(mark)).toEqual({ by_email: 1 });
    });
    expect((await browser.signIn()).statusCode).toBe(200);
    node.clock.advance(90 * DAY_MS);
    await run('login-email', owner._id, '--remove');
    expect(errorOf(await browserOf(node).signIn())).toEqual(DORMANT);
  });

  test('invitations: a next holder without one starts no card, and the account keeps its number', async () => {
    const node = buildTestApp(database, {
      environment: { DORMANT_DAYS: '90', SIGNUP: 'invited' },
    });
    await signInOwner();
    node.clock.advance(90 * DAY_MS);
    const next = browserOf(node);
    const token = await next.newToken();
    expect(errorOf(await next.exchange(token))).toEqual(DORMANT);
    expect(errorOf(await next.startNewCard(token))).toEqual([403, 'not_invited']);
    const user = await database.one(sql`SELECT id FROM users WHERE login_phone = ${PHONE}`);
    expect(user).toEqual({ id: owner._id });
    await database.run(
      sql`INSERT INTO invitations (phone, name, created_at) VALUES (${PHONE}, 'Ravi', 1)`,
    );
    const started = (await next.startNewCard(token)).json<Session>();
    const card = await node.app.inject(`/api/user/${started._id}`);
    expect(card.json()).toMatchObject({ name: 'Ravi' });
  });

  test('imported account: counts from its import until somebody uses it', async () => {
    await signInOwner();
    await database.run('UPDATE users SET used_at = NULL');
    sleep(91);
    expect(errorOf(await browserOf(testApp).signIn())).toEqual(DORMANT);
  });

  test('wake: gives an account its number or another free one, and it is used again', async () => {
    await signInOwner();
    const why = ['--reason', 'identity checked'];
    sleep();
    await run('wake', owner._id, PHONE, ...why);
    expect((await browserOf(testApp).signIn()).json<Session>()._id).toBe(owner._id);
    sleep();
    const next = browserOf(testApp);
    const token = await next.newToken();
    const started = (await next.startNewCard(token)).json<Session>();
    await expect(run('wake', owner._id, PHONE, ...why)).rejects.toThrow('already has an account');
    await expect(run('wake', started._id, '+919876543219', ...why)).rejects.toThrow('change-phone');
    await expect(run('wake', 'AbCdEfGhJkMnPqRs', PHONE, ...why)).rejects.toThrow('no user');
    await run('wake', owner._id, '98765 43219', ...why);
    const woken = await browserOf(testApp).signIn('+919876543219');
    expect(woken.json<Session>()._id).toBe(owner._id);
    expect(await run('audit')).toMatchObject([{ action: 'wake', reason: 'identity checked' }, {}]);
  });

  test('accounts without a number: are deleted after DORMANT_DELETE_DAYS, unless they get one again', async () => {
    await signInOwner();
    sleep();
    const next = browserOf(testApp);
    const started = (await next.startNewCard(await next.newToken())).json<Session>();
    const context = { dependencies: testApp.dependencies, responses: testApp.responses };
    const ids = async () =>
      (await database.all<{ id: string }>('SELECT id FROM users')).map(({ id }) => id).toSorted();
    const both = [owner._id, started._id].toSorted();
    sleep(29);
    await removePhoneless(context, 30);
    expect(await ids()).toEqual(both);
    await run('wake', owner._id, '+919876543219', '--reason', 'x');
    sleep(1);
    await removePhoneless(context, 30);
    expect(await ids()).toEqual(both);
    await database.run(sql`UPDATE users SET login_phone = id, phone_lost_at = 1
      WHERE id = ${owner._id}`);
    await removePhoneless(context, 30);
    expect(await ids()).toEqual([started._id]);
  });

  test('DORMANT_DAYS=0: no account ever becomes dormant, and it needs the embedded provider', async () => {
    const node = buildTestApp(database);
    await signInOwner();
    node.clock.advance(10_000 * DAY_MS);
    const browser = browserOf(node);
    expect((await browser.signIn()).json<Session>()._id).toBe(owner._id);
    expect((await browser.startNewCard(await browser.newToken())).statusCode).toBe(404);
    const otpless = {
      OTP_PROVIDER: 'otpless',
      OTP_APP_ID: 'x',
      OTPLESS_CLIENT_ID: 'x',
      OTPLESS_CLIENT_SECRET: 'x',
      DORMANT_DAYS: '90',
    };
    expect(() => readSettings(otpless)).toThrow('DORMANT_DAYS must be 0');
    expect(await signInByToken(testApp)).toMatchObject({ _id: owner._id });
  });
});
