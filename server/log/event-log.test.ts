import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { signInByApi, useTestApp } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import { recordingLog } from '#tests/support/log.ts';
import { METRICS_TOKEN } from '#tests/support/metrics.ts';

const READS_PER_MINUTE_MAX = 20;
const PHONE = '+919876543210';
const AUTHENTICATE = '/api/user/authenticate/phone';

interface EventLine {
  readonly event: string;
  readonly route: string;
  readonly address: string;
  readonly count: number;
  readonly level: number;
}

const { log, lines } = recordingLog('info');
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  lines.length = 0;
});
afterEach(() => void vi.useRealTimers());
const { testApp } = useTestApp(openTestSqlite, {
  environment: {
    METRICS_TOKEN,
    VIEWS: 'contacts',
    LIMIT_READS_PER_MINUTE: String(READS_PER_MINUTE_MAX),
  },
  dependencies: { log },
});

const events = () =>
  lines
    .map((line) => JSON.parse(line) as Partial<EventLine>)
    .filter(({ event }) => event !== undefined)
    .map(({ event, route, level, count }) => ({ event, route, level, count }));

const keyOf = () =>
  lines.map((line) => JSON.parse(line) as Partial<EventLine>).findLast(({ event }) => event)
    ?.address;

const authenticate = (authorization: string, remoteAddress = '203.0.113.7') =>
  testApp.app.inject({ url: AUTHENTICATE, headers: { authorization }, remoteAddress });

test('event log: has a sign-in, without phone and address', async () => {
  await signInByApi(testApp, PHONE);
  expect(events()).toEqual([{ event: 'sign_in', route: AUTHENTICATE, level: 30, count: 1 }]);
  expect(lines.find((line) => line.includes('sign_in'))).not.toMatch(/9876543210|127\.0\.0\.1/);
});

test('event log: has the end of other sessions, a download of the account, and an export', async () => {
  const { _id, sessionToken } = await signInByApi(testApp, PHONE);
  lines.length = 0;
  const headers = { authorization: sessionToken };
  const url = (name: string) => `/api/account/${name}/${_id}`;
  await testApp.app.inject({ method: 'POST', url: url('endOtherSessions'), headers, payload: {} });
  await testApp.app.inject({ url: url('downloadAccount'), headers });
  const exportUrl = `/api/contacts/exportCsv/${_id}`;
  await testApp.app.inject({ method: 'POST', url: exportUrl, headers, payload: {} });
  expect(events()).toEqual([
    { event: 'sessions_ended', route: '/api/account/endOtherSessions/:id', level: 30, count: 1 },
    { event: 'account_downloaded', route: '/api/account/downloadAccount/:id', level: 30, count: 1 },
    { event: 'contacts_exported', route: '/api/contacts/exportCsv/:id', level: 30, count: 1 },
  ]);
});

test('event log: has rejected sign-ins, wrong codes and rejected sessions', async () => {
  await authenticate('a wrong token');
  const payload = { challenge: 'c'.repeat(43), code: '123456' };
  await testApp.app.inject({ method: 'POST', url: '/api/otp/verify', payload });
  await testApp.app.inject({ url: '/api/profile/getContacts/1111111111111111' });
  // A 403 for a missing METRICS_TOKEN is not an event.
  expect((await testApp.app.inject({ url: '/metrics' })).statusCode).toBe(403);
  expect(events()).toEqual([
    { event: 'sign_in_rejected', route: AUTHENTICATE, level: 40, count: 1 },
    { event: 'sign_in_rejected', route: '/api/otp/verify', level: 40, count: 1 },
    { event: 'session_rejected', route: '/api/profile/getContacts/:id', level: 40, count: 1 },
  ]);
});

test('event log: has a change of the account without a code of the login phone', async () => {
  const owner = await signInByApi(testApp);
  const url = `/api/account/changePhone/${owner._id}`;
  const headers = { authorization: owner.sessionToken };
  const response = await testApp.app.inject({ method: 'POST', url, headers, payload: {} });
  expect(response.statusCode).toBe(403);
  expect(events().at(-1)).toEqual({
    event: 'verification_rejected',
    route: '/api/account/changePhone/:id',
    level: 40,
    count: 1,
  });
});

test('event log: an address has the same key in all lines of a day, and another one later', async () => {
  const keys = [];
  for (const address of ['203.0.113.7', '203.0.113.8', '203.0.113.7']) {
    await authenticate('a wrong token', address);
    vi.advanceTimersByTime(1000);
    keys.push(keyOf());
  }
  testApp.clock.advance(24 * 60 * 60 * 1000);
  await authenticate('a wrong token');
  expect(keys[0]).toMatch(/^[\w-]{16}$/);
  expect([keys[1] === keys[0], keys[2] === keys[0], keyOf() === keys[0]]).toEqual([
    false,
    true,
    false,
  ]);
});

test('event log: repeated events are one line a second with a count', async () => {
  const url = '/api/user/1111111111111111';
  for (let n = 0; n < READS_PER_MINUTE_MAX + 50; n += 1) await testApp.app.inject({ url });
  const limit = { event: 'limit_reached', route: '/api/user/:id', level: 40 };
  expect(events()).toEqual([{ ...limit, count: 1 }]);
  vi.advanceTimersByTime(1000);
  expect(events()).toEqual([
    { ...limit, count: 1 },
    { ...limit, count: 49 },
  ]);
  vi.advanceTimersByTime(5000);
  expect(events()).toHaveLength(2);
});
