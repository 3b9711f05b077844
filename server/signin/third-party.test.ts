import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { createHttpClient } from '#server/client/http-client.ts';
import { openProvider } from '#server/otp/providers.ts';
import { readSettings } from '#server/settings/settings.ts';
import { buildTestApp, fixedClock, CLOCK_START, useTokenAtOnce } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { FAILURES } from '#tests/support/fake-failures.ts';
import { startFakeServices } from '#tests/support/fake-services.ts';
import type { FakeServices } from '#tests/support/fake-services.ts';
import { tokenOf } from '#tests/support/third-party.ts';

/** Shorter than the hanging response of a fake service. */
const TIMEOUT_MS = 4000;

onEachDatabase((open) => {
  let testDatabase: TestDatabase;
  let services: FakeServices;
  beforeEach(async () => {
    [testDatabase, services] = await Promise.all([open(), startFakeServices()]);
  });
  afterEach(async () => {
    await Promise.all([testDatabase.dispose(), services.close()]);
  });

  /** Builds the app with a third-party provider; `lines` are its log. */
  async function build(
    kind: 'otpless' | 'msg91' | 'firebase',
    overrides: Record<string, string> = {},
  ) {
    const environment = { ...services.environment[kind], ...overrides };
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    const clock = fixedClock(CLOCK_START);
    const providerDependencies = {
      httpClient: createHttpClient(TIMEOUT_MS),
      clock,
      database: testDatabase.database,
    };
    const provider = await openProvider(readSettings(environment), providerDependencies);
    const { app } = buildTestApp(testDatabase.database, {
      environment,
      dependencies: { provider, clock, log },
    });
    const authenticate = async (token: string) => {
      const response = await app.inject({
        url: '/api/user/authenticate/phone',
        headers: { authorization: token },
      });
      return {
        status: response.statusCode,
        retryAfter: response.headers['retry-after'] ?? null,
        body: response.json<Record<string, string>>(),
      };
    };
    return { app, authenticate, lines, clock };
  }

  async function rows() {
    const sessions = await testDatabase.database.all('SELECT user_id FROM sessions');
    const users = await testDatabase.database.all('SELECT login_phone FROM users');
    return { sessions: sessions.length, users };
  }

  test('third-party provider: a token signs in its phone number only once', async () => {
    const tokens = {
      otpless: 'good.919812345671.1',
      msg91: 'good.919812345672.1',
      firebase: await services.authority.sign({ now: CLOCK_START, phone: '+919812345673' }),
    };
    for (const kind of ['otpless', 'msg91', 'firebase'] as const) {
      const { authenticate } = await build(kind);
      const first = await authenticate(tokens[kind]);
      expect(first).toMatchObject({ status: 200, body: { _id: expect.any(String) } });
      const again = await authenticate(tokens[kind]);
      expect(again).toMatchObject({ status: 403, body: { error: 'token_invalid' } });
    }
    expect(await rows()).toMatchObject({
      sessions: 3,
      users: expect.arrayContaining([
        { login_phone: '+919812345671' },
        { login_phone: '+919812345672' },
        { login_phone: '+919812345673' },
      ]),
    });
  });

  test.each([
    ['otpless', '/otpless/auth/v1/validate/token'],
    ['msg91', '/msg91/api/v5/widget/verifyAccessToken'],
  ] as const)(
    'third-party token: a hundred simultaneous uses create one session, and a login follows (%s)',
    async (kind, path) => {
      const testApp = await build(kind);
      const token = 'good.919812345671.2';
      expect(await useTokenAtOnce(testApp, token)).toEqual({ 200: 1, 403: 99 });
      expect((await testApp.authenticate(token)).status).toBe(403);
      expect(services.callsTo(path)).toHaveLength(1);
      expect((await rows()).sessions).toBe(1);
      expect((await testApp.authenticate('good.919812345671.3')).status).toBe(200);
    },
  );

  test.each([
    ['otpless', '/otpless/auth/v1/validate/token'],
    ['msg91', '/msg91/api/v5/widget/verifyAccessToken'],
  ] as const)(
    'change login phone: needs a token of each phone from the third party (%s)',
    async (kind, path) => {
      const { app, authenticate } = await build(kind);
      const { _id = '', sessionToken = '' } = (await authenticate('good.919812345671.1')).body;
      const change = async (body: Record<string, string>) => {
        const response = await app.inject({
          method: 'POST',
          url: `/api/account/changePhone/${_id}`,
          headers: { authorization: sessionToken },
          payload: body,
        });
        return [response.statusCode, response.json<{ error?: string }>().error];
      };
      const REQUIRED = [403, 'verification_required'];
      expect([
        await change({ token: 'good.919812345672.2' }),
        await change({ newToken: 'good.919812345672.3' }),
        await change({ token: 'good.919812345671.1', newToken: 'good.919812345672.4' }),
        await change({ token: 'good.919812345672.5', newToken: 'good.919812345671.2' }),
        await change({ token: tokenOf('unknown'), newToken: 'good.919812345672.6' }),
      ]).toEqual([REQUIRED, REQUIRED, REQUIRED, REQUIRED, REQUIRED]);
      const tokens = { token: 'good.919812345671.3', newToken: 'good.919812345672.7' };
      const calls = services.callsTo(path).length;
      const results = await Promise.all([change(tokens), change(tokens), change(tokens)]);
      expect(results.filter(([status]) => status === 200)).toHaveLength(1);
      expect(results.filter(([, error]) => error === REQUIRED[1])).toHaveLength(2);
      expect(services.callsTo(path)).toHaveLength(calls + 2);
      expect((await rows()).users).toEqual([{ login_phone: '+919812345672' }]);
    },
  );

  test.each([
    ['otpless', 'unknown', 403],
    ['otpless', 'broken', 503],
    ['msg91', 'unknown', 403],
    ['msg91', 'hang', 503],
  ] as const)('third-party token: %s answers %s with %i and creates no rows', async (...row) => {
    const [kind, name, status] = row;
    expect(await (await build(kind)).authenticate(tokenOf(name))).toMatchObject({
      status,
      retryAfter: status === 503 ? '5' : null,
      body: { error: status === 503 ? 'unavailable' : 'token_invalid' },
    });
    expect(await rows()).toEqual({ sessions: 0, users: [] });
  });

  test('log: contains no token, no phone, no secret', async () => {
    const { authenticate, lines } = await build('otpless');
    const tokens = ['good.919812345671.4', ...FAILURES.map(tokenOf), 'expired-token-1.of.otpless'];
    await Promise.all(tokens.map(authenticate));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('')).not.toMatch(/good\.|9812345671|expired-token-1|client-secret-1/);
  });

  test('embedded provider: its routes are 404 with a third-party provider', async () => {
    const { app } = await build('msg91');
    const payload = { appId: 'widget-1', phone: '9876543210' };
    const sent = await app.inject({ method: 'POST', url: '/api/otp/send', payload });
    const verified = await app.inject({ method: 'POST', url: '/api/otp/verify', payload });
    const script = await app.inject({ url: '/otp/embedded.js' });
    expect([sent.statusCode, verified.statusCode, script.statusCode]).toEqual([404, 404, 404]);
  });
});
