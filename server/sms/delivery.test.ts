import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { createHttpClient } from '#server/http/client.ts';
import { readSettings } from '#server/settings.ts';
import { buildTestApp, fixedClock } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { startFakeServices } from '#tests/support/fake-services.ts';
import type { FakeServices } from '#tests/support/fake-services.ts';

import { GATEWAYS } from './gateways.ts';
import type { Gateway } from './gateway.ts';

const TIMEOUT_MS = 1500;

let fresh: TestDatabase;
let services: FakeServices;
beforeEach(async () => {
  [fresh, services] = await Promise.all([openTestSqlite(), startFakeServices()]);
});
afterEach(async () => {
  await Promise.all([fresh.dispose(), services.close()]);
});

/** The app with a fake gateway, and all its log lines. */
function build(kind: 'webhook' | 'msg91Gateway' | 'twilio') {
  const environment = services.environment[kind];
  const settings = readSettings(environment);
  const gateway: Gateway = GATEWAYS[settings.smsGateway];
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const means = { httpClient: createHttpClient(TIMEOUT_MS), clock: fixedClock() };
  const sendText = gateway.open(settings.gateway, means);
  const { app } = buildTestApp(fresh.database, { environment, dependencies: { sendText, log } });
  const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload });
  const send = (phone: string) => post('/api/otp/send', { appId: 'tessera', phone });
  return { post, send, lines };
}

test('a code that the webhook was given signs in', async () => {
  const { post, send } = build('webhook');
  const { challenge } = (await send('9876543210')).json<{ challenge: string }>();
  const { code } = JSON.parse(services.callsTo('/webhook').at(-1)?.body ?? '') as { code: string };
  expect((await post('/api/otp/verify', { challenge, code })).statusCode).toBe(200);
});

test.each(['webhook', 'msg91Gateway', 'twilio'] as const)(
  '%s: a gateway that fails is 503, the person can try again at once, and the log tells nobody the code or the phone',
  async (kind) => {
    const { send, lines } = build(kind);
    // The last digit chooses the failure; each is tried more often than codes may be asked for.
    for (const phone of ['9876543211', '9876543211', '9876543214', '9876543215', '9876543211']) {
      const answer = await send(phone);
      expect(answer.statusCode).toBe(503);
      expect(answer.headers['retry-after']).toMatch(/^\d+$/);
      expect(answer.json()).toEqual({
        error: 'unavailable',
        message: 'The code could not be sent. Try again.',
      });
    }
    const codes = services.calls.flatMap(({ body }) => /(?<!\d)\d{6}(?!\d)/.exec(body) ?? []);
    expect(codes.length).toBeGreaterThan(0);
    const log = lines.join('');
    expect(log).toContain('level');
    expect(log).not.toMatch(/98765432/);
    for (const code of codes) expect(log).not.toMatch(new RegExp(`(?<!\\d)${code}(?!\\d)`));
    expect((await send('9876543210')).statusCode).toBe(200);
  },
);
