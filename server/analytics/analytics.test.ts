import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { getAnalytics } from '#contract/analytics.ts';
import type { Reply } from '#contract/endpoint.ts';
import { DAY_MS } from '#domain/duration.ts';
import { VISIT_KINDS } from '#domain/visit.ts';
import { buildTestApp, signInByApi } from '#tests/support/app.ts';
import type { TestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';

const ANALYTICS = { environment: { VIEWS: 'analytics' } };
const PHONE_AGENT =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36';
const LAPTOP_AGENT =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15';
const FLUSH_MS = 5000;

interface Owner {
  readonly _id: string;
  readonly sessionToken: string;
}

interface Visitor {
  readonly address?: string;
  readonly headers?: Record<string, string>;
}

/** Sends a beacon; returns the status. */
async function count({ app }: TestApp, path: string, visitor: Visitor = {}) {
  const { address = '203.0.113.7', headers = {} } = visitor;
  const response = await app.inject({
    method: 'POST',
    url: `/api/profile/countVisit/${path}`,
    remoteAddress: address,
    headers: { 'user-agent': PHONE_AGENT, ...headers },
  });
  return response.statusCode;
}

async function readView({ app }: TestApp, { _id, sessionToken }: Owner) {
  const url = `/api/profile/getAnalytics/${_id}`;
  const response = await app.inject({ url, headers: { authorization: sessionToken } });
  return response.json<Reply<typeof getAnalytics>>();
}

onEachDatabase((open) => {
  let testDatabase: TestDatabase;
  let testApp: TestApp;
  let owner: Owner;

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    testDatabase = await open();
    testApp = buildTestApp(testDatabase.database, ANALYTICS);
    owner = await signInByApi(testApp);
  });

  afterEach(async () => {
    await testApp.app.close();
    await testDatabase.dispose();
    vi.useRealTimers();
  });

  /** Waits until the pending counts are stored. */
  const flush = async (app = testApp) => {
    const { database } = testDatabase;
    const statements = () => database.all<{ count: number }>('SELECT count FROM visit_counts');
    const before = JSON.stringify(await statements());
    vi.advanceTimersByTime(FLUSH_MS);
    await vi.waitUntil(async () => JSON.stringify(await statements()) !== before);
    return readView(app, owner);
  };

  test('analytics: counts each kind by day, and a visitor once a day', async () => {
    for (const kind of VISIT_KINDS) expect(await count(testApp, `${owner._id}/${kind}`)).toBe(200);
    await count(testApp, `${owner._id}/Open`);
    await count(testApp, `${owner._id}/Open`, { headers: { 'user-agent': LAPTOP_AGENT } });
    await count(testApp, `${owner._id}/Open`, { address: '203.0.113.8' });
    const once = Object.fromEntries(VISIT_KINDS.map((kind) => [kind, 1]));
    const first = { day: '2026-01-15', counts: { ...once, Open: 4, Unique: 3 } };
    expect(await flush()).toEqual({ today: '2026-01-15', days: [first] });

    testApp.clock.advance(DAY_MS);
    await count(testApp, `${owner._id}/Open`);
    const second = { day: '2026-01-16', counts: { Open: 1, Unique: 1 } };
    expect(await flush()).toEqual({ today: '2026-01-16', days: [first, second] });
  });
});
