import { expect, test } from 'vitest';

import { openProvider } from '#server/otp/providers.ts';
import { readSettings } from '#server/settings/settings.ts';
import {
  buildTestApp,
  fixedClock,
  CLOCK_START,
  useTestApp,
  useTokenAtOnce,
} from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { FAILURES } from '#tests/support/fake-failures.ts';
import { recordingLog } from '#tests/support/log.ts';
import { impatientClient, tokenOf, useFakeServices } from '#tests/support/third-party.ts';

const PATHS = [
  ['otpless', '/otpless/auth/v1/validate/token'],
  ['msg91', '/msg91/api/v5/widget/verifyAccessToken'],
] as const;

const services = useFakeServices();

let tokens = 0;
/** A new token for a phone that ends with these digits. */
const newTokenOf = (end: number) => `good.9198123456${end}.${(tokens += 1)}`;

onEachDatabase((open) => {
  const { database } = useTestApp(open);

  /** Builds the app with a third-party provider; `lines` are its log. */
  async function build(kind: 'otpless' | 'msg91' | 'firebase') {
    const environment = services.environment[kind];
    const { log, lines } = recordingLog('info');
    const clock = fixedClock(CLOCK_START);
    const provider = await openProvider(readSettings(environment), {
      httpClient: impatientClient,
      clock,
      database,
    });
    const { app } = buildTestApp(database, {
      environment,
      dependencies: { provider, clock, log },
    });
    const authenticate = async (authorization: string) => {
      const url = '/api/user/authenticate/phone';
      const response = await app.inject({ url, headers: { authorization } });
      return {
        status: response.statusCode,
        retryAfter: response.headers['retry-after'] ?? null,
        body: response.json<Record<string, string>>(),
      };
    };
    return { app, authenticate, lines };
  }

  async function rows() {
    const sessions = await database.all('SELECT user_id FROM sessions');
    const users = await database.all<{ login_phone: string }>(
      'SELECT login_phone FROM users ORDER BY login_phone',
    );
    return { sessions: sessions.length, phones: users.map(({ login_phone }) => login_phone) };
  }

  test('third-party provider: a token signs in its phone number only once', async () => {
    const firebase = services.authority.sign({ now: CLOCK_START, phone: '+919812345673' });
    for (const [kind, token] of [
      ['otpless', newTokenOf(71)],
      ['msg91', newTokenOf(72)],
      ['firebase', await firebase],
    ] as const) {
      const { authenticate } = await build(kind);
      const first = await authenticate(token);
      expect(first).toMatchObject({ status: 200, body: { _id: expect.any(String) } });
      const again = await authenticate(token);
      expect(again).toMatchObject({ status: 403, body: { error: 'token_invalid' } });
    }
    const phones = ['+919812345671', '+919812345672', '+919812345673'];
    expect(await rows()).toEqual({ sessions: 3, phones });
  });

  test.each(PATHS)(
    'third-party token: a hundred simultaneous uses create one session, and a login follows (%s)',
    async (kind, path) => {
      const testApp = await build(kind);
      const calls = services.callsTo(path).length;
      const token = newTokenOf(71);
      expect(await useTokenAtOnce(testApp, token)).toEqual({ 200: 1, 403: 99 });
      expect((await testApp.authenticate(token)).status).toBe(403);
      expect(services.callsTo(path)).toHaveLength(calls + 1);
      expect((await rows()).sessions).toBe(1);
      expect((await testApp.authenticate(newTokenOf(71))).status).toBe(200);
    },
  );

  test.each(PATHS)(
    'change login phone: needs a token of each phone from the third party (%s)',
    async (kind, path) => {
      const { app, authenticate } = await build(kind);
      const { _id = '', sessionToken = '' } = (await authenticate(newTokenOf(71))).body;
      const change = async (payload: object) => {
        const url = `/api/account/changePhone/${_id}`;
        const headers = { authorization: sessionToken };
        const response = await app.inject({ method: 'POST', url, headers, payload });
        return [response.statusCode, response.json<{ error?: string }>().error];
      };
      const required = [403, 'verification_required'];
      const used = newTokenOf(71);
      await authenticate(used);
      for (const payload of [
        { token: newTokenOf(72) },
        { newToken: newTokenOf(72) },
        { token: used, newToken: newTokenOf(72) },
        { token: newTokenOf(72), newToken: newTokenOf(71) },
        { token: tokenOf('unknown'), newToken: newTokenOf(72) },
      ])
        expect([payload, await change(payload)]).toEqual([payload, required]);
      const both = { token: newTokenOf(71), newToken: newTokenOf(72) };
      const calls = services.callsTo(path).length;
      const results = await Promise.all([change(both), change(both), change(both)]);
      expect(results.toSorted(([one], [other]) => Number(one) - Number(other))).toEqual([
        [200, undefined],
        required,
        required,
      ]);
      expect(services.callsTo(path)).toHaveLength(calls + 2);
      expect((await rows()).phones).toEqual(['+919812345672']);
    },
  );

  test.each([
    ['otpless', ['unknown', 'broken']],
    ['msg91', ['unknown', 'hang']],
  ] as const)(
    'third-party token: a rejected or failing one creates no rows (%s)',
    async (kind, names) => {
      const { authenticate } = await build(kind);
      const [rejected, failed] = [
        await authenticate(tokenOf(names[0])),
        await authenticate(tokenOf(names[1])),
      ];
      expect(rejected).toMatchObject({
        status: 403,
        retryAfter: null,
        body: { error: 'token_invalid' },
      });
      expect(failed).toMatchObject({
        status: 503,
        retryAfter: '5',
        body: { error: 'unavailable' },
      });
      expect(await rows()).toEqual({ sessions: 0, phones: [] });
    },
  );

  test('log: contains no token, no phone, no secret', async () => {
    const { authenticate, lines } = await build('otpless');
    const sent = [newTokenOf(71), ...FAILURES.map(tokenOf), 'expired-token-1.of.otpless'];
    for (const token of sent) await authenticate(token);
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
