import { createServer } from 'node:http';

import { SignJWT, importJWK } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { openProvider } from '#server/adapter/otp/providers.ts';
import { createHttpClient } from '#server/adapter/http-client.ts';
import { ADDRESS_LIMITS } from '#server/http/limit.ts';
import { readSettings } from '#server/settings/settings.ts';
import { startIssuer } from '#scripts/demo-issuer.mjs';
import { buildTestApp, useTestApp } from '#tests/support/app.ts';
import { newSigningKey, visitIssuer } from '#tests/support/company-login.ts';
import { cookieHeader, keepCookies } from '#tests/support/cookies.ts';
import type { Cookies } from '#tests/support/cookies.ts';
import { statusOf } from '#tests/support/codes.ts';
import { runCommand } from '#tests/support/command.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { FAILURES, sendFailure } from '#tests/support/fake-services.ts';
import { recordingLog } from '#tests/support/log.ts';
import { close, freePort, listen } from '#tests/support/port.ts';

const ORIGIN = 'http://cards.localhost';
const [PHONE, NEW_PHONE, RAVIS] = ['+919876543210', '+919876543211', '+919876543212'] as const;
const VOUCHED = { phone_number: PHONE, phone_number_verified: true };

type Claims = Record<string, unknown>;

const people = [
  { sub: 'asha', name: 'Asha' },
  { sub: 'ravi', name: 'Ravi' },
  { sub: 'other', name: 'Other' },
];
/** Sets the claims of a person, and nothing else. */
const setClaims = (sub: string, claims: Claims) =>
  void people.splice(
    people.findIndex((person) => person.sub === sub),
    1,
    { sub, name: sub, ...claims },
  );

let key = await newSigningKey('first');
const stranger = await newSigningKey('stranger');
let issuer: Awaited<ReturnType<typeof startIssuer>>;
let port = 0;
/** Changes the ID token that the issuer sends. */
let tamper: ((claims: Claims) => Promise<string> | string) | null = null;
/** What the issuer answers in place of tokens. */
let answer: { readonly status: number; readonly body: object } | null = null;

const sign = async (claims: Claims, by = key, kid = key.kid) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(await importJWK(by, 'RS256'));
const changed = (change: Claims) => (claims: Claims) => sign({ ...claims, ...change });
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

const start = async () => {
  issuer = await startIssuer({
    people,
    port,
    keys: [key],
    redirectUris: [ORIGIN, 'http://localhost'].map((origin) => `${origin}/login/oidc/callback`),
    use: async (context, next) => {
      await next();
      if (context.path === '/token' && answer) Object.assign(context, answer);
      const body = context.body as { id_token?: string } | undefined;
      if (context.path !== '/token' || !tamper || !body?.id_token) return;
      const claims = JSON.parse(
        Buffer.from(body.id_token.split('.')[1] ?? '', 'base64url').toString(),
      ) as Claims;
      body.id_token = await tamper(claims);
    },
  });
};

beforeAll(async () => {
  port = await freePort();
  await start();
});
afterAll(() => issuer.close());
beforeEach(() => {
  tamper = answer = null;
  setClaims('asha', VOUCHED);
  setClaims('ravi', { phone_number: RAVIS, phone_number_verified: true });
  setClaims('other', VOUCHED);
});

const setQuery = (name: string, value: string) => (url: URL) => url.searchParams.set(name, value);

interface Visit {
  readonly sub?: string;
  readonly from?: string;
  /** The cookies of the browser for the service and for the issuer. */
  readonly cookies?: Cookies;
  readonly atIssuer?: Cookies;
  /** The cookies of the browser to which the person returns. */
  readonly back?: Cookies;
  /** Changes the address to which the issuer has sent the browser. */
  readonly change?: (callback: URL) => void;
}

onEachDatabase((open) => {
  const { database } = useTestApp(open);

  function build(more: Record<string, string> = {}) {
    const environment = { PUBLIC_URL: ORIGIN, OIDC_NAME: 'Kaveri', ...issuer.environment, ...more };
    const { log, lines, events } = recordingLog('info');
    const provider = openProvider(readSettings(environment), createHttpClient());
    const dependencies = { provider, log };
    const node = buildTestApp(database, { environment, dependencies });
    // The issuer has the time of this machine.
    node.clock.advance(Date.now() - node.clock.now());

    const get = async (url: string, cookies: Cookies, authorization?: string) => {
      const headers = { cookie: cookieHeader(cookies), ...(authorization && { authorization }) };
      const response = await node.app.inject({ url, headers });
      keepCookies(cookies, response.headers['set-cookie']);
      return response;
    };
    /** Returns the status of the callback, and the token in the address that it leads to. */
    async function visit({ sub = 'asha', from, cookies = new Map(), ...rest }: Visit = {}) {
      const leaving = await get(`/login/oidc${from ? `?from=${from}` : ''}`, cookies);
      const { location = '' } = leaving.headers;
      if (location === '') return { status: leaving.statusCode, location, token: '', cookies };
      const callback = await visitIssuer(new URL(location), sub, rest.atIssuer);
      rest.change?.(callback);
      const back = await get(callback.pathname + callback.search, rest.back ?? cookies);
      const to = back.headers.location ?? '';
      return {
        status: back.statusCode,
        location: to,
        token: to.split('#token=')[1] ?? '',
        cookies,
      };
    }
    const signIn = async (options: Visit = {}) => {
      const { token, cookies } = await visit(options);
      const response = await get('/api/user/authenticate/phone', cookies, token);
      type Body = Readonly<Record<'_id' | 'sessionToken' | 'error', string>>;
      return { status: response.statusCode, ...response.json<Body>(), token, cookies };
    };
    /** Calls as an owner. */
    const post = async (
      path: string,
      payload: object,
      { sessionToken = '', cookies = new Map() as Cookies },
    ) => {
      const headers = { authorization: sessionToken, cookie: cookieHeader(cookies) };
      const response = await node.app.inject({
        method: 'POST',
        url: `/api/${path}`,
        headers,
        payload,
      });
      return [response.statusCode, response.json<{ error?: string; message?: string }>()] as const;
    };
    const run = (...args: string[]) => runCommand(node, { settings: node.settings }, ...args);
    return { ...node, get, visit, signIn, post, run, lines, events };
  }
  const phones = async () => {
    const rows = await database.all<{ login_phone: string }>(
      'SELECT login_phone FROM users ORDER BY 1',
    );
    return rows.map(({ login_phone }) => login_phone);
  };

  test('company login: the first visit makes an account and binds the subject, which decides from then on', async () => {
    const { signIn, visit, run } = build();
    const first = await signIn();
    expect(first).toMatchObject({ status: 200, _id: expect.any(String) });
    setClaims('asha', { ...VOUCHED, phone_number: NEW_PHONE });
    expect(await signIn()).toMatchObject({ status: 200, _id: first._id });
    // Even if the new number has an account of its own.
    setClaims('ravi', { ...VOUCHED, phone_number: NEW_PHONE });
    const second = await signIn({ sub: 'ravi' });
    expect(second).toMatchObject({ status: 200 });
    expect(second._id).not.toBe(first._id);
    expect(await signIn()).toMatchObject({ status: 200, _id: first._id });
    expect(await signIn({ sub: 'other' })).toMatchObject({ status: 403, error: 'not_vouched' });
    expect(await phones()).toEqual([PHONE, NEW_PHONE]);

    await run('change-phone', first._id, RAVIS, '--reason', 'asked');
    expect(await signIn()).toMatchObject({ status: 200, _id: first._id });
    await run('unbind', first._id, '--reason', 'a new account there');
    setClaims('other', { ...VOUCHED, phone_number: RAVIS });
    expect(await signIn({ sub: 'other' })).toMatchObject({ status: 200, _id: first._id });
    expect(await run('show', first._id)).toMatchObject({ oidcSubject: `${issuer.issuer}/ other` });
    const { status, location } = await visit({ sub: '' });
    expect([status, location]).toEqual([302, '/login#token=']);
  });

  test.each<
    [name: string, claims: Claims, expected: { status?: number; settings?: Record<string, string> }]
  >([
    ['missing', { phone_number_verified: true }, {}],
    ['without the flag', { phone_number: PHONE }, {}],
    ['not verified', { ...VOUCHED, phone_number_verified: false }, {}],
    ["verified by the text 'true'", { ...VOUCHED, phone_number_verified: 'true' }, {}],
    ['without a country code', { ...VOUCHED, phone_number: '9876543210' }, {}],
    ['not a number', { ...VOUCHED, phone_number: '+91 call me' }, {}],
    ['two numbers', { ...VOUCHED, phone_number: [PHONE, RAVIS] }, {}],
    ['with spaces', { ...VOUCHED, phone_number: '+91 (98765) 432-10' }, { status: 200 }],
    ['trusted', { phone_number: PHONE }, { status: 200, settings: { OIDC_TRUST_PHONE: 'yes' } }],
    [
      'in another claim',
      { ...VOUCHED, phone_number: RAVIS },
      { settings: { OIDC_PHONE_CLAIM: 'mobile' } },
    ],
  ])('company login: a phone %s', async (_, claims, { status = 403, settings = {} }) => {
    const { signIn } = build(settings);
    setClaims('asha', { email: 'ravi@example.com', email_verified: true, ...claims });
    const result = await signIn();
    expect(result.status).toBe(status);
    if (status === 403) expect(result.error).toBe('not_vouched');
    expect(await phones()).toEqual(status === 200 ? [PHONE] : []);
  });

  test('company login: takes claims from the ID token too, and never binds by an email', async () => {
    const { signIn } = build();
    await database.run(sql`INSERT INTO users (id, login_phone, login_email, email, created_at, updated_at)
      VALUES ('a1b2c3d4e5f6g7h8', ${RAVIS}, 'asha@example.com', 'asha@example.com', 1, 1)`);
    tamper = changed({ ...VOUCHED, email: 'asha@example.com', email_verified: true });
    setClaims('asha', {});
    expect(await signIn()).toMatchObject({ status: 200 });
    expect(await phones()).toEqual([PHONE, RAVIS]);
  });

  const hour = 3600;
  const now = Math.floor(Date.now() / SECOND_MS);
  test.each<[string, typeof tamper]>([
    ['another nonce', changed({ nonce: 'another' })],
    ['no nonce', changed({ nonce: undefined })],
    ['another audience', changed({ aud: 'another' })],
    ['another issuer', changed({ iss: 'http://127.0.0.1:1' })],
    ['another subject than userinfo', changed({ sub: 'ravi' })],
    ['a past expiry', changed({ iat: now - 2 * hour, exp: now - hour })],
    ['a foreign signature', (claims) => sign(claims, stranger)],
    ['an unknown key', (claims) => sign(claims, stranger, stranger.kid)],
    ['no signature', (claims) => `${base64({ alg: 'none' })}.${base64(claims)}.`],
  ])('company login: an ID token with %s is rejected', async (_, change) => {
    const { visit, events, lines } = build();
    tamper = change;
    expect(await visit()).toMatchObject({ status: 403, token: '' });
    expect(events('oidc_rejected')).toHaveLength(1);
    expect(lines.join('')).not.toMatch(/9876543210|id_token|Bearer/);
    expect(await phones()).toEqual([]);
  });

  test('company login: a return of another browser, issuer, visit or time is rejected', async () => {
    const { visit, signIn, clock, app } = build();
    const later = () => void clock.advance(16 * MINUTE_MS);
    const changes = [
      setQuery('state', 'x'),
      setQuery('iss', 'http://127.0.0.1:1'),
      setQuery('code', 'x'),
      later,
    ];
    for (const change of changes) expect(await visit({ change })).toMatchObject({ status: 403 });
    expect(await visit({ back: new Map() })).toMatchObject({ status: 403 });
    let used = '';
    const { cookies, token } = await visit({ change: (url) => void (used = url.href) });
    const { pathname, search } = new URL(used);
    const again = { url: pathname + search, headers: { cookie: cookieHeader(cookies) } };
    expect((await app.inject(again)).statusCode).toBe(403);
    expect((await app.inject(pathname + search)).statusCode).toBe(403);
    // The token works only in the browser that has the cookie, once, and for five minutes.
    const use = (cookie: string) =>
      app.inject({
        url: '/api/user/authenticate/phone',
        headers: { authorization: token, cookie },
      });
    expect((await use('')).statusCode).toBe(403);
    expect((await use(cookieHeader((await visit()).cookies))).statusCode).toBe(403);
    expect((await use(cookieHeader(cookies))).statusCode).toBe(200);
    expect((await use(cookieHeader(cookies))).statusCode).toBe(403);
    expect(await signIn({ change: () => undefined })).toMatchObject({ status: 200 });
  });

  test('company login: uses new keys at once. While the issuer is away, at the start or later, it answers 503 and ends no session', async () => {
    const node = build();
    const { _id, sessionToken } = await node.signIn();
    key = await newSigningKey('second');
    await issuer.close();
    const started = build();
    for (const each of [node, started]) {
      expect(await each.visit()).toMatchObject({ status: 503 });
      const headers = { authorization: sessionToken };
      const account = await each.app.inject({ url: `/api/account/getAccount/${_id}`, headers });
      expect(account.json()).toMatchObject({ verification: 'redirect' });
      expect((await each.app.inject('/login')).statusCode).toBe(200);
    }
    // The issuer goes away while a person is there.
    await start();
    const cookies: Cookies = new Map();
    const { location = '' } = (await started.get('/login/oidc', cookies)).headers;
    const { pathname, search } = await visitIssuer(new URL(location), 'asha');
    await issuer.close();
    expect((await started.get(pathname + search, cookies)).statusCode).toBe(503);
    await start();
    for (const each of [node, started])
      expect(await each.signIn()).toMatchObject({ status: 200, _id });
  });

  test('company login: an answer that is not of an issuer is 503, and a wrong secret too', async () => {
    let asked = 0;
    const server = createServer((request, response) => {
      asked += 1;
      const name = request.url?.split('/')[1] ?? '';
      if (!sendFailure(name, response)) response.writeHead(404).end();
    });
    const origin = await listen(server);
    for (const name of FAILURES) {
      const { get } = build({ OIDC_ISSUER: `${origin}/${name}` });
      expect([name, await statusOf(get('/login/oidc', new Map()))]).toEqual([
        name,
        '503 after 5 s',
      ]);
    }
    // Only sixteen people wait for an issuer that hangs.
    const hanging = build({ OIDC_ISSUER: `${origin}/hang` });
    asked = 0;
    const visits = Array.from({ length: 20 }, () => hanging.get('/login/oidc', new Map()));
    const statuses = (await Promise.all(visits)).map(({ statusCode }) => statusCode);
    expect([asked, statuses]).toEqual([16, Array<number>(20).fill(503)]);
    await close(server);
    const { visit: again } = build({ OIDC_ISSUER: origin });
    const [max] = ADDRESS_LIMITS["visits to the company's login"];
    await Promise.all(Array.from({ length: max }, () => again()));
    expect(await again()).toMatchObject({ status: 429 });
    const { visit, lines, run } = build({ OIDC_CLIENT_SECRET: 'wrong' });
    expect(await visit()).toMatchObject({ status: 503 });
    expect(lines.join('')).toMatch(/invalid_client: check OIDC_CLIENT_ID, OIDC_CLIENT_SECRET/);
    const reports = { gateways: [{ gateway: 'oidc', outcome: 'refused' }] };
    expect(await run('send-test-code', PHONE)).toMatchObject(reports);
    answer = { status: 429, body: { error: 'too_many_requests' } };
    expect(await build().visit()).toMatchObject({ status: 503 });
    answer = null;
    const other = build({ OIDC_ISSUER: issuer.issuer.replace('127.0.0.1', 'localhost') });
    expect(await other.visit()).toMatchObject({ status: 503 });
    expect(await build().run('send-test-code', PHONE)).toMatchObject({
      gateways: [{ gateway: 'oidc', outcome: 'accepted' }],
    });
  });

  test('company login: without PUBLIC_URL, a Host that is not valid is a 400', async () => {
    const { app } = build({ PUBLIC_URL: '' });
    const response = await app.inject({ url: '/login/oidc', headers: { host: 'a b' } });
    expect(response.statusCode).toBe(400);
  });

  test('company login: a change needs a sign-in of the same person that began after the change', async () => {
    const { visit, signIn, post } = build();
    const [cookies, atIssuer] = [new Map() as Cookies, new Map() as Cookies];
    const signedIn = await signIn({ cookies, atIssuer });
    const own = { sessionToken: signedIn.sessionToken, cookies };
    const remove = (token: string, as = own) =>
      post(`account/deleteAccount/${signedIn._id}`, { token }, as);
    const required = [403, { error: 'verification_required' }];
    expect(await post(`account/changePhone/${signedIn._id}`, {}, own)).toEqual([
      403,
      { error: 'field_locked', message: 'Your company sets this.' },
    ]);
    const visitFrom = (options: Visit = {}) =>
      visit({ from: 'account', cookies, atIssuer, ...options });
    // A token of a sign-in, of another person, and of an earlier or unknown time.
    expect(await remove((await visit({ cookies, atIssuer })).token)).toMatchObject(required);
    await signIn({ sub: 'ravi' });
    expect(
      await remove((await visitFrom({ sub: 'ravi', atIssuer: new Map() })).token),
    ).toMatchObject(required);
    for (const auth_time of [now - hour, undefined]) {
      tamper = changed({ auth_time });
      expect(await remove((await visitFrom()).token)).toMatchObject(required);
    }
    tamper = null;
    const { status, location, token } = await visitFrom();
    expect([status, location]).toEqual([302, `/dashboard/account#token=${token}`]);
    expect(await remove(token, { ...own, cookies: new Map() })).toMatchObject(required);
    expect(await remove(token)).toMatchObject([200, {}]);
    expect(await phones()).toEqual([RAVIS]);
  });

  test('company login: only the sign-in that binds the subject lets its browser add a passkey for ten minutes', async () => {
    const { signIn, post, run, clock } = build({ PUBLIC_URL: 'http://localhost' });
    tamper = changed({ auth_time: undefined });
    const needsVerification = async ({ _id, ...as }: Awaited<ReturnType<typeof signIn>>) => {
      const [, body] = await post(`user/${_id}/passkeyOptions`, {}, as);
      return (body as { needsVerification?: boolean }).needsVerification;
    };
    const first = await signIn();
    expect(await needsVerification(first)).toBe(false);
    expect(await needsVerification({ ...first, cookies: new Map() })).toBe(true);
    expect(await needsVerification(await signIn())).toBe(true);
    await run('unbind', first._id, '--reason', 'asked');
    const again = await signIn();
    expect(await needsVerification(again)).toBe(false);
    clock.advance(10 * MINUTE_MS);
    expect(await needsVerification(again)).toBe(true);
  });

  test('company login: who leaves keeps no subject, and a blocked or uninvited person gets no session', async () => {
    const { signIn, run } = build({ SIGNUP: 'invited' });
    expect(await signIn()).toMatchObject({ status: 403, error: 'not_invited' });
    await run('invite', PHONE);
    await run('invite', RAVIS);
    const [asha, ravi] = [await signIn(), await signIn({ sub: 'ravi' })];
    await run('block', asha._id, '--reason', 'abuse');
    expect(await signIn()).toMatchObject({ status: 410, error: 'card_blocked' });
    await run('unblock', asha._id);
    await run('leave', asha._id, '--to', ravi._id, '--reason', 'left');
    expect(await run('show', asha._id)).toMatchObject({ oidcSubject: null });
    expect(await signIn()).toMatchObject({ status: 403, error: 'not_invited' });
  });
});
