import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { NoResponseError } from '#server/client/http-client.ts';
import { buildTestApp } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { REDIRECTED_PATH, sendFailure } from '#tests/support/fake-failures.ts';
import { startFakeServices } from '#tests/support/fake-services.ts';
import type { FakeServices } from '#tests/support/fake-services.ts';
import { exampleEnvironment, openTestGateway, sendError } from '#tests/support/gateway.ts';

import { GatewayError } from './gateway.ts';
import { GATEWAY_NAMES } from './gateways.ts';

const MESSAGE = { phone: '+919876543210', code: '481516' };
const REMOTE_GATEWAYS = GATEWAY_NAMES.filter((name) => name !== 'console');

let failure: string;
let testDatabase: TestDatabase;
let services: FakeServices;
beforeEach(async () => {
  failure = 'broken';
  [testDatabase, services] = await Promise.all([
    openTestSqlite(),
    startFakeServices({ '*': (_call, response) => void sendFailure(failure, response) }),
  ]);
});
afterEach(async () => {
  await Promise.all([testDatabase.dispose(), services.close()]);
});

test.each(REMOTE_GATEWAYS)(
  'gateway %s: an error status, no response, a huge one or a redirect is an error without phone and code',
  async (name) => {
    const environment = exampleEnvironment(name, `${services.origin}/service`);
    expect(await sendError(environment, MESSAGE)).toBeInstanceOf(GatewayError);
    for (failure of ['hang', 'huge', 'redirect']) {
      expect(await sendError(environment, MESSAGE)).toBeInstanceOf(NoResponseError);
    }
    expect(services.calls.length).toBe(4);
    expect(services.callsTo(REDIRECTED_PATH)).toEqual([]);
  },
);

test.each(REMOTE_GATEWAYS)(
  'gateway %s: a message that is not accepted is 503, can be repeated immediately, and is logged without phone and code',
  async (name) => {
    const environment = exampleEnvironment(name, `${services.origin}/service`);
    const lines: string[] = [];
    const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
    const sendCode = await openTestGateway(environment);
    const { app } = buildTestApp(testDatabase.database, {
      environment,
      dependencies: { sendCode, log },
    });
    // More requests than one phone may send in an hour.
    for (failure of ['broken', 'broken', 'hang', 'redirect', 'broken', 'broken', 'broken']) {
      const payload = { appId: 'tessera', phone: '9876543210' };
      const response = await app.inject({ method: 'POST', url: '/api/otp/send', payload });
      expect(response.statusCode).toBe(503);
      expect(response.headers['retry-after']).toMatch(/^\d+$/);
      expect(response.json()).toEqual({
        error: 'unavailable',
        message: 'The code could not be sent. Try again.',
      });
    }
    const codes = services.calls.flatMap(({ body }) => /(?<!\d)\d{6}(?!\d)/.exec(body) ?? []);
    expect(codes.length).toBeGreaterThan(0);
    const logged = lines.join('');
    expect(logged).toContain('level');
    expect(logged).not.toMatch(/98765432/);
    for (const code of codes) expect(logged).not.toMatch(new RegExp(`(?<!\\d)${code}(?!\\d)`));
  },
);
