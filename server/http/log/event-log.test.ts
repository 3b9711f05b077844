import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { useOwner, useTestApp } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import { recordingLog } from '#tests/support/log.ts';
import { METRICS_TOKEN } from '#tests/support/metrics.ts';

const READS_PER_MINUTE_MAX = 20;
const AUTHENTICATE = '/api/user/authenticate/phone';

const { log, lines, events } = recordingLog('info');
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
const owner = useOwner(testApp);

test('event log: has sign-ins, what an owner ends or takes along, and what was rejected', async () => {
  await owner.post('account/endOtherSessions');
  await owner.get('account/downloadAccount');
  await owner.post('contacts/exportCsv');
  // The request lacks a code of the login phone.
  await owner.post('account/changePhone');
  await testApp.app.inject({ url: AUTHENTICATE, headers: { authorization: 'wrong' } });
  const payload = { challenge: 'c'.repeat(43), code: '123456' };
  await testApp.app.inject({ method: 'POST', url: '/api/otp/verify', payload });
  await testApp.app.inject({ url: '/api/profile/getContacts/1111111111111111' });
  // A 403 for a missing METRICS_TOKEN is not an event.
  expect((await testApp.app.inject({ url: '/metrics' })).statusCode).toBe(403);
  const found = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const texts = found.map(({ event, route, level, count }) =>
    [event, route, level, count].join(' '),
  );
  expect(texts).toEqual([
    `sign_in ${AUTHENTICATE} 30 1`,
    'sessions_ended /api/account/endOtherSessions/:id 30 1',
    'account_downloaded /api/account/downloadAccount/:id 30 1',
    'contacts_exported /api/contacts/exportCsv/:id 30 1',
    'verification_rejected /api/account/changePhone/:id 40 1',
    `sign_in_rejected ${AUTHENTICATE} 40 1`,
    'sign_in_rejected /api/otp/verify 40 1',
    'session_rejected /api/profile/getContacts/:id 40 1',
  ]);
  const keys = new Set(found.map((line) => line['address']));
  expect([...keys]).toEqual([expect.stringMatching(/^[\w-]{16}$/)]);
  expect(JSON.stringify(found)).not.toMatch(/9876543210|127\.0\.0\.1/);
});

test('event log: repeated events are one line a second with a count', async () => {
  const url = '/api/user/1111111111111111';
  for (let n = 0; n < READS_PER_MINUTE_MAX + 50; n += 1) await testApp.app.inject({ url });
  const first = { event: 'limit_reached', route: '/api/user/:id', level: 40, count: 1 };
  expect(events('limit_reached')).toMatchObject([first]);
  vi.advanceTimersByTime(1000);
  expect(events('limit_reached')).toMatchObject([first, { ...first, count: 49 }]);
  vi.advanceTimersByTime(5000);
  expect(events('limit_reached')).toHaveLength(2);
});
