import { expect, test } from 'vitest';

import { buildTestApp, useTestApp, useTokenConcurrently } from '#tests/support/app.ts';
import { statusOf } from '#tests/support/codes.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { FAILURES } from '#tests/support/fake-services.ts';
import { recordingLog } from '#tests/support/log.ts';
import { openTestProvider, tokenOf, useFakeServices } from '#tests/support/third-party.ts';

const KINDS = ['otpless', 'msg91'] as const;
const services = useFakeServices();

let tokens = 0;
const newTokenForPhone = (end: number) => `good.9198123456${end}.${(tokens += 1)}`;

onEachDatabase((open) => {
  const { database } = useTestApp(open);

  /** Builds the app with a third-party provider. The lines of its log are in `lines`. */
  async function build(kind: (typeof KINDS)[number]) {
    const environment = services.environment[kind];
    const { log, lines } = recordingLog('info');
    const provider = openTestProvider(environment);
    const { app } = buildTestApp(database, { environment, dependencies: { provider, log } });
    const authenticate = async (authorization: string) => {
      const url = '/api/user/authenticate/phone';
      const response = app.inject({ url, headers: { authorization } });
      return [await statusOf(response), (await response).json<Record<string, string>>()] as const;
    };
    return { app, authenticate, lines };
  }

  async function rows() {
    const sessions = await database.all('SELECT user_id FROM sessions');
    const users = await database.all<{ login_phone: string }>('SELECT login_phone FROM users');
    return { sessions: sessions.length, phones: users.map(({ login_phone }) => login_phone) };
  }

  test.each(KINDS)(
    '%s token: forty simultaneous uses sign in its phone once, and a login follows',
    async (kind) => {
      const testApp = await build(kind);
      const calls = services.calls.length;
      const token = newTokenForPhone(71);
      expect(await useTokenConcurrently(testApp, token)).toEqual({ 200: 1, 403: 39 });
      expect(await testApp.authenticate(token)).toMatchObject([403, { error: 'token_invalid' }]);
      expect(services.calls).toHaveLength(calls + 1);
      expect(await rows()).toEqual({ sessions: 1, phones: ['+919812345671'] });
      expect((await testApp.authenticate(newTokenForPhone(71)))[0]).toBe(200);
    },
  );

  test.each(KINDS)(
    'change login phone: needs a token of each phone from the third party (%s)',
    async (kind) => {
      const { app, authenticate } = await build(kind);
      const [, { _id, sessionToken }] = await authenticate(newTokenForPhone(71));
      const change = async (payload: object) => {
        const url = `/api/account/changePhone/${_id}`;
        const headers = { authorization: sessionToken };
        const response = await app.inject({ method: 'POST', url, headers, payload });
        return [response.statusCode, response.json<{ error?: string }>().error];
      };
      const required = [403, 'verification_required'];
      const unknown = { token: tokenOf('unknown'), newToken: newTokenForPhone(72) };
      expect(await change(unknown)).toEqual(required);
      const both = { token: newTokenForPhone(71), newToken: newTokenForPhone(72) };
      const calls = services.calls.length;
      const results = await Promise.all([change(both), change(both), change(both)]);
      const sorted = results.toSorted(([one], [other]) => Number(one) - Number(other));
      expect(sorted).toEqual([[200, undefined], required, required]);
      expect(services.calls).toHaveLength(calls + 2);
      expect((await rows()).phones).toEqual(['+919812345672']);
    },
  );

  test('provider token: a rejected or failing one creates no rows, and the log has no token, phone or secret', async () => {
    const { authenticate, lines } = await build('otpless');
    const statuses = [];
    const rejected = [tokenOf('unknown'), 'expired-token-1.of.otpless'];
    for (const token of [...FAILURES.map(tokenOf), ...rejected])
      statuses.push((await authenticate(token))[0]);
    expect(statuses).toEqual([...FAILURES.map(() => '503 after 5 s'), 403, 403]);
    expect(await rows()).toEqual({ sessions: 0, phones: [] });
    await authenticate(newTokenForPhone(71));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('')).not.toMatch(/good\.|9812345671|expired-token-1|client-secret-1/);
  });

  test('embedded provider: its routes are 404 with a third-party provider', async () => {
    const { app } = await build('msg91');
    const payload = { appId: 'widget-1', phone: '9876543210' };
    for (const url of ['/api/otp/send', '/api/otp/verify'])
      expect(await statusOf(app.inject({ method: 'POST', url, payload }))).toBe(404);
    expect(await statusOf(app.inject('/otp/embedded.js'))).toBe(404);
  });
});
