import { expect, test } from 'vitest';

import { BROWSER_STORAGE } from '#domain/browser-storage.ts';
import { DAY_MS, MINUTE_MS } from '#domain/duration.ts';
import { sql } from '#server/adapter/database/sql.ts';
import {
  buildTestApp,
  signInByToken,
  useOwner,
  useTestApp,
  verifyPhone,
} from '#tests/support/app.ts';
import type { Session } from '#tests/support/app.ts';
import { runCommand } from '#tests/support/command.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { cookieHeader } from '#tests/support/cookies.ts';
import { createAuthenticator, createBrowser } from '#tests/support/passkey.ts';
import type { Authenticator } from '#tests/support/passkey.ts';

const REJECTED = "That passkey doesn't work here. Use your phone number.";
const EXCHANGE = '/api/user/authenticate/phone';

type Response = Awaited<ReturnType<ReturnType<typeof createBrowser>['post']>>;

const errorOf = (response: Response) => [
  response.statusCode,
  response.json<{ error?: string }>().error,
];
const REJECTION = [403, 'passkey_rejected'];

onEachDatabase((open) => {
  const { database, testApp } = useTestApp(open);
  const owner = useOwner(testApp);
  const browserOf = (on = testApp, session = owner) => createBrowser(on, { ...session });

  /** Adds a passkey after a fresh verification by code. */
  async function add(authenticator = createAuthenticator(owner._id), browser = browserOf()) {
    const answer = await browser.add(authenticator, await verifyPhone(testApp));
    expect(answer.json()).toEqual({});
    return authenticator;
  }
  const list = async () =>
    (await owner.get('user/:id/passkeys')).json<{
      passkeys: { id: string; name: string; addedDay: string; usedDay: string | null }[];
    }>().passkeys;

  test('passkey: signs in, is listed with its two days, and only what it needs is stored', async () => {
    const authenticator = createAuthenticator(owner._id);
    const browser = browserOf();
    const agent =
      'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36';
    const challenge = await browser.newOwnChallenge();
    const credential = authenticator.create({ challenge });
    const { sessionToken: authorization } = owner;
    // Another subdomain has set a cookie of the same name.
    const cookie = `${BROWSER_STORAGE.cookies.challenge}=x; ${cookieHeader(browser.jar)}`;
    const headers = {
      authorization,
      cookie,
      'user-agent': agent,
      host: 'localhost',
    };
    const token = await verifyPhone(testApp);
    const path = 'user/:id/addPasskey';
    expect((await browser.post(path, { token, credential }, { headers })).json()).toEqual({});
    testApp.clock.advance(DAY_MS);
    const signedIn = await browserOf().signIn(authenticator);
    const session = signedIn.json<Session>();
    expect(session).toEqual({ _id: owner._id, sessionToken: expect.any(String) as string });
    expect((await owner.get('user/:id/passkeys', { as: session })).statusCode).toBe(200);
    const listed = { id: authenticator.id, name: 'Chrome on Android', addedDay: '2026-01-15' };
    expect(await list()).toEqual([{ ...listed, usedDay: '2026-01-16' }]);
    const [row] = await database.all<object>('SELECT * FROM passkeys');
    const columns = ['added_day', 'counter', 'id', 'name', 'public_key', 'used_day', 'user_id'];
    expect(Object.keys(row ?? {}).toSorted()).toEqual(columns);
    // This sign-in was not by code, so it is no fresh verification.
    expect(signedIn.headers['set-cookie']).toBeUndefined();
  });

  test('passkey: everything but the right answer in the right browser is rejected', async () => {
    const authenticator = await add();
    const browser = browserOf();
    const signIn = (ceremony: object) => browser.signIn(authenticator, ceremony);
    for (const ceremony of [
      { origin: 'https://localhost' },
      { origin: 'http://evil.example' },
      { rpId: 'evil.example' },
      { isVerified: false },
      { counter: 1 },
      { challenge: await browser.newOwnChallenge() },
    ]) {
      const rejected = await signIn(ceremony);
      expect([ceremony, rejected.statusCode, rejected.json()]).toEqual([
        ceremony,
        403,
        { error: 'passkey_rejected', message: REJECTED },
      ]);
      expect(rejected.headers['x-passkey-unknown']).toBeUndefined();
    }
    const forged = createAuthenticator(owner._id);
    const challenge = await browser.newChallenge();
    const { response } = forged.get({ challenge, counter: 100 });
    const forgery = { ...authenticator.get({ challenge }), response };
    expect(errorOf(await browser.post('passkey/verify', forgery))).toEqual(REJECTION);
    // Of another account.
    const other = { ...createAuthenticator('somebody'), id: authenticator.id };
    const claim = { ...authenticator.get({ challenge }).response, userHandle: 'c29tZWJvZHk' };
    const handled = { ...authenticator.get({ challenge }), response: claim };
    expect([other.id, errorOf(await browser.post('passkey/verify', handled))]).toEqual([
      authenticator.id,
      REJECTION,
    ]);
    const unknown = await browser.signIn(forged);
    expect([errorOf(unknown), unknown.headers['x-passkey-unknown']]).toEqual([REJECTION, 'true']);
    expect((await browser.post('passkey/verify', { id: 'x' })).statusCode).toBe(400);
    const german = await browser.post('passkey/verify?lang=xx', forged.get({ challenge }));
    expect(errorOf(german)).toEqual(REJECTION);
    // Control.
    expect((await browser.signIn(authenticator, { counter: 100 })).statusCode).toBe(200);
    expect(errorOf(await browser.signIn(authenticator, { counter: 99 }))).toEqual(REJECTION);
  });

  test('challenge: works once, for five minutes, in the browser that asked for it, on any node', async () => {
    const authenticator = await add();
    const browser = browserOf();
    const node = buildTestApp(database);
    const answer = async () => authenticator.get({ challenge: await browser.newChallenge() });
    const onNode = { ...browser, post: createBrowser(node, owner, browser.jar).post };
    const first = await answer();
    const twice = await Promise.all([
      browser.post('passkey/verify', first),
      onNode.post('passkey/verify', first),
    ]);
    expect(twice.map(({ statusCode }) => `${statusCode}`).toSorted()).toEqual(['200', '403']);
    expect(errorOf(await onNode.post('passkey/verify', first))).toEqual(REJECTION);
    expect((await onNode.post('passkey/verify', await answer())).statusCode).toBe(200);
    const taken = await answer();
    expect(errorOf(await browserOf().post('passkey/verify', taken))).toEqual(REJECTION);
    // A challenge for a new passkey neither signs in nor belongs to another owner.
    const ownChallenge = await browser.newOwnChallenge();
    expect(errorOf(await browser.signIn(authenticator, { challenge: ownChallenge }))).toEqual(
      REJECTION,
    );
    const other = await signInByToken(testApp, '+919876543211');
    const borrowed = createBrowser(testApp, other, browser.jar);
    const credential = createAuthenticator(other._id).create({
      challenge: await browser.newOwnChallenge(),
    });
    const token = await verifyPhone(testApp, '+919876543211');
    const added = await borrowed.post('user/:id/addPasskey', { token, credential });
    expect(errorOf(added)).toEqual(REJECTION);
    for (const [ms, status] of [
      [5 * MINUTE_MS - 1, 200],
      [5 * MINUTE_MS, 403],
    ] as const) {
      const late = await answer();
      testApp.clock.advance(ms);
      expect((await browser.post('passkey/verify', late)).statusCode).toBe(status);
    }
    // Only used challenges are stored, as hashes.
    const tokens = await database.all<{ token_hash: string }>('SELECT * FROM used_tokens');
    expect(JSON.stringify(tokens)).not.toContain(taken.response.clientDataJSON);
    const cookie = (await browser.post('passkey/options')).headers['set-cookie'];
    expect(cookie).toMatch(
      /^tessera_challenge=\S+; Path=\/api; Max-Age=300; HttpOnly; SameSite=Lax$/,
    );
  });

  test('adding: needs a fresh verification, or a sign-in by code within ten minutes in this browser', async () => {
    const freshBrowser = async () => {
      const { jar, authenticate } = createBrowser(testApp, owner);
      const session = (await authenticate(await verifyPhone(testApp))).json<Session>();
      return { session, jar, browser: createBrowser(testApp, session, jar) };
    };
    const addTo = (browser: ReturnType<typeof createBrowser>, token?: string) =>
      browser.add(createAuthenticator(owner._id), token);
    const required = [403, 'verification_required'];
    const fresh = await freshBrowser();
    const options = await fresh.browser.post('user/:id/passkeyOptions');
    expect(options.json()).toMatchObject({ needsVerification: false, rp: { id: 'localhost' } });
    expect((await addTo(fresh.browser)).json()).toEqual({});
    // Another session cannot use the cookie.
    const borrowed = createBrowser(testApp, owner, new Map(fresh.jar));
    expect((await borrowed.post('user/:id/passkeyOptions')).json()).toMatchObject({
      needsVerification: true,
    });
    expect(errorOf(await addTo(borrowed))).toEqual(required);
    expect(errorOf(await addTo(borrowed, await verifyPhone(testApp, '+919876543211')))).toEqual(
      required,
    );
    expect((await addTo(borrowed, await verifyPhone(testApp))).statusCode).toBe(200);
    testApp.clock.advance(10 * MINUTE_MS);
    expect(errorOf(await addTo(fresh.browser))).toEqual(required);
    // The owner logs out everywhere else meanwhile.
    const ended = await freshBrowser();
    const challenge = await ended.browser.newOwnChallenge();
    await owner.post('account/endOtherSessions/:id');
    const credential = createAuthenticator(owner._id).create({ challenge });
    const late = await ended.browser.post('user/:id/addPasskey', { credential });
    expect(errorOf(late)).toEqual([403, 'session_invalid']);
  });

  test('ten passkeys: the eleventh is rejected, and removing one needs a fresh verification', async () => {
    const browser = browserOf();
    await database.run(sql`INSERT INTO push_subscriptions
      (session_hash, user_id, endpoint, p256dh, auth, created_at)
      SELECT token_hash, user_id, 'https://push.example/', '', '', 1 FROM sessions`);
    const first = await add();
    const spare = createAuthenticator(owner._id);
    const challenge = await browser.newOwnChallenge();
    for (let count = 1; count < 10; count += 1) await add();
    const credential = spare.create({ challenge });
    const token = await verifyPhone(testApp);
    const eleventh = await browser.post('user/:id/addPasskey', { token, credential });
    expect(errorOf(eleventh)).toEqual([400, 'invalid_input']);
    expect((await browser.post('user/:id/passkeyOptions')).statusCode).toBe(400);
    expect(await list()).toHaveLength(10);
    const remove = (body: object, as?: { _id: string; sessionToken: string }) =>
      owner.post('user/:id/removePasskey', { passkey: first.id, ...body }, { ...(as && { as }) });
    expect(errorOf(await remove({}))).toEqual([403, 'verification_required']);
    const other = await signInByToken(testApp, '+919876543211');
    const otherToken = await verifyPhone(testApp, '+919876543211');
    expect(errorOf(await remove({ token: otherToken }, other))).toEqual([404, 'not_found']);
    expect((await remove({ token: await verifyPhone(testApp) })).json()).toEqual({});
    expect(await list()).toHaveLength(9);
    const notices = await database.all<{ contact_id: string }>(
      'SELECT contact_id FROM push_messages',
    );
    const told = notices.map(({ contact_id: notice }) => notice.replace(/-\d+$/, ''));
    expect(told.toSorted()).toEqual([
      ...Array<string>(10).fill('passkey-added'),
      'passkey-removed',
    ]);
    const unknown = await browser.signIn(first);
    expect([errorOf(unknown), unknown.headers['x-passkey-unknown']]).toEqual([REJECTION, 'true']);
    // The credential of somebody else cannot be added again.
    const [second] = await list();
    await database.run(sql`UPDATE passkeys SET id = ${spare.id} WHERE id = ${second?.id ?? ''}`);
    expect(errorOf(await browser.add(spare, await verifyPhone(testApp)))).toEqual(REJECTION);
  });

  async function tokenOf(authenticator: Authenticator, browser = browserOf()) {
    return (await browser.verify(authenticator)).json<{ token: string }>().token;
  }

  test('fresh verification: a passkey counts wherever one is needed, once, in its session, and never for a new phone', async () => {
    const authenticator = await add();
    const newToken = await verifyPhone(testApp, '+919876543212');
    const change = (body: object) => owner.post('account/changePhone/:id', body);
    const token = await tokenOf(authenticator);
    const both = { token: await verifyPhone(testApp), newToken: token };
    expect(errorOf(await change(both))).toEqual([403, 'verification_required']);
    const elsewhere = await signInByToken(testApp);
    const moved = { token, passkey: authenticator.id };
    const asElsewhere = { as: elsewhere };
    expect(errorOf(await owner.post('user/:id/removePasskey', moved, asElsewhere))).toEqual([
      403,
      'verification_required',
    ]);
    const exchanged = await testApp.app.inject({
      url: EXCHANGE,
      headers: { authorization: token },
    });
    expect(exchanged.statusCode).toBe(403);
    expect((await change({ token, newToken })).json()).toEqual({});
    const used = await change({ token, newToken: await verifyPhone(testApp, '+919876543213') });
    expect(errorOf(used)).toEqual([403, 'verification_required']);
    const late = await tokenOf(authenticator);
    testApp.clock.advance(5 * MINUTE_MS);
    expect(errorOf(await owner.post('account/deleteAccount/:id', { token: late }))).toEqual([
      403,
      'verification_required',
    ]);
    const other = await signInByToken(testApp, '+919876543211');
    const otherBrowser = createBrowser(testApp, other);
    expect(errorOf(await otherBrowser.verify(authenticator))).toEqual(REJECTION);
    const deletion = { token: await tokenOf(authenticator) };
    expect((await owner.post('account/deleteAccount/:id', deletion)).json()).toEqual({});
    expect(await database.all('SELECT * FROM passkeys')).toEqual([]);
  });

  test('the operator: ends passkeys with the sessions, with a new phone and with a leave, and counts them', async () => {
    const other = await signInByToken(testApp, '+919876543211');
    const run = (...args: string[]) => runCommand(testApp, {}, ...args);
    const why = ['--reason', 'lost phone'];
    for (const args of [
      ['sessions', owner._id, '--end', ...why],
      ['sessions', 'all', '--end', '--yes', ...why],
      ['change-phone', owner._id, '+919876543210', ...why],
      ['leave', owner._id, '--to', other._id, ...why],
    ]) {
      Object.assign(owner, await signInByToken(testApp));
      const authenticator = await add();
      expect(await run('show', owner._id)).toMatchObject({ passkeys: 1 });
      if (args[0] === 'change-phone') await run('change-phone', owner._id, '+919876543219', ...why);
      else await run(...args);
      expect([args[0], errorOf(await browserOf().signIn(authenticator))]).toEqual([
        args[0],
        REJECTION,
      ]);
      if (args[0] === 'change-phone') await run(...args);
    }
  });

  test('sign-in by passkey: passes the checks of one by code', async () => {
    const authenticator = await add();
    const invited = buildTestApp(database, { environment: { SIGNUP: 'invited' } });
    expect((await browserOf(invited).signIn(authenticator)).statusCode).toBe(200);
    for (let count = 0; count < 25; count += 1)
      expect((await browserOf().signIn(authenticator)).statusCode).toBe(200);
    const sessions = await database.all(sql`SELECT * FROM sessions WHERE user_id = ${owner._id}`);
    expect(sessions).toHaveLength(20);
    await runCommand(testApp, {}, 'block', owner._id, '--reason', 'x');
    expect(errorOf(await browserOf().signIn(authenticator))).toEqual([410, 'card_blocked']);
  });

  test('relying party: is the host of PUBLIC_URL, and none without https', async () => {
    for (const [PUBLIC_URL, host, rpId] of [
      ['https://cards.example', 'cards.example', 'cards.example'],
      ['https://cards.example', 'localhost', 'cards.example'],
      ['http://cards.example', 'cards.example', undefined],
      ['https://192.0.2.1', '192.0.2.1', undefined],
      ['', 'cards.example', undefined],
      ['', 'localhost:3000', 'localhost'],
    ] as const) {
      const node = buildTestApp(database, { environment: { ...(PUBLIC_URL && { PUBLIC_URL }) } });
      const request = { method: 'POST', url: '/api/passkey/options', headers: { host } } as const;
      const answer = await node.app.inject(request);
      const { rpId: found } = answer.json<{ rpId?: string }>();
      expect([PUBLIC_URL, host, found]).toEqual([PUBLIC_URL, host, rpId]);
      expect(String(answer.headers['set-cookie']).endsWith('; Secure')).toBe(
        PUBLIC_URL.startsWith('https') && rpId !== undefined,
      );
    }
  });
});
