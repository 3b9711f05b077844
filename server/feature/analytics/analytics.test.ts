import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { InjectOptions } from 'fastify';
import { expect, test } from 'vitest';

import type { getAnalytics } from '#contract/analytics.ts';
import type { Reply } from '#contract/endpoint.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/duration.ts';
import { VISIT_KINDS } from '#domain/visit.ts';
import { deleteExpiredRows } from '#server/adapter/database/cleanup.ts';
import { openPostgres } from '#server/adapter/database/postgres.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { removeUser } from '#server/adapter/remove-user.ts';
import { buildTestApp, signInByApi, useOwner, useTestApp } from '#tests/support/app.ts';
import type { TestApp } from '#tests/support/app.ts';
import { onEachDatabase, openTestSqlite } from '#tests/support/database.ts';
import { LONG_LIMITS } from '#tests/support/postgres.ts';
import { silentLog } from '#tests/support/log.ts';
import { FULL_CARD } from '#tests/support/owner.ts';
import { waitUntil } from '#tests/support/polling.ts';
import { words } from '#tests/support/words.ts';

import { readCounts } from './store.ts';

const TODAY = Date.parse('2026-01-15');
const ANALYTICS = { environment: { VIEWS: 'analytics' } };
const PHONE_USER_AGENT =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/131.0.0.0 Mobile Safari/537.36';
const LAPTOP_AGENT = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) Version/18.1 Safari/605.1.15';
const ROBOTS = words(`curl/8.5.0 WhatsApp/2.23.20.0 facebookexternalhit/1.1 Googlebot/2.1
  HeadlessChrome/131.0.0.0 LinkedInBot/1.0`);

async function count({ app }: TestApp, path: string, { headers, ...options }: InjectOptions = {}) {
  const target = { url: `/api/profile/countVisit/${path}`, remoteAddress: '203.0.113.7' };
  const sent = { 'user-agent': PHONE_USER_AGENT, ...headers };
  return (await app.inject({ method: 'POST', ...target, headers: sent, ...options })).statusCode;
}

onEachDatabase((open) => {
  const { database, testDatabase, testApp } = useTestApp(open, ANALYTICS);
  const owner = useOwner(testApp);

  const readView = async (on = testApp) =>
    (await owner.get('profile/getAnalytics', { on })).json<Reply<typeof getAnalytics>>();
  const countOpen = (visitor?: InjectOptions) => count(testApp, `${owner._id}/Open`, visitor);
  const insertCount = (day: number, number: number) =>
    database.run(sql`INSERT INTO visit_counts (id, user_id, day, kind, count)
      VALUES (${`${owner._id}:${day}:Open`}, ${owner._id}, ${day}, 'Open', ${number})`);
  const listVisitorDays = async () => {
    const days = 'SELECT day FROM visitor_hashes UNION ALL SELECT day FROM visitor_salts';
    return (await database.all<{ day: number }>(days)).map(({ day }) => day);
  };

  test('analytics: counts each kind by day, and a visitor once a day', async () => {
    for (const kind of VISIT_KINDS) expect(await count(testApp, `${owner._id}/${kind}`)).toBe(200);
    await countOpen();
    await countOpen({ headers: { 'user-agent': LAPTOP_AGENT } });
    // The last two addresses belong to one subscriber, whose network is a /64.
    for (const remoteAddress of ['203.0.113.8', '2001:db8::1', '2001:db8::2'])
      await countOpen({ remoteAddress });
    const once = Object.fromEntries(VISIT_KINDS.map((kind) => [kind, 1]));
    const first = { day: '2026-01-15', timeZone: '', counts: { ...once, Open: 6, Unique: 4 } };
    const timeZone = 'Asia/Kolkata';
    expect(await readView()).toEqual({ today: first.day, timeZone, days: [first] });

    testApp.clock.advance(DAY_MS);
    await countOpen();
    const second = { day: '2026-01-16', timeZone: '', counts: { Open: 1, Unique: 1 } };
    expect(await readView()).toEqual({ today: second.day, timeZone, days: [first, second] });
    // The hashes of the first day are deleted.
    expect(await listVisitorDays()).toEqual(Array(2).fill(TODAY + DAY_MS));
  });

  test('analytics: a day and its salt end at midnight of the time zone, and days of UTC are marked', async () => {
    for (const day of [TODAY - DAY_MS, TODAY]) await insertCount(day, 2);
    // The clock goes from 14:30 to a minute before midnight.
    testApp.clock.advance(9.5 * HOUR_MS - MINUTE_MS);
    await countOpen();
    await readView();
    testApp.clock.advance(MINUTE_MS);
    await countOpen();
    expect((await readView()).days).toEqual([
      { day: '2026-01-14', timeZone: 'UTC', counts: { Open: 2 } },
      { day: '2026-01-15', timeZone: 'UTC', counts: { Open: 3, Unique: 1 } },
      { day: '2026-01-16', timeZone: '', counts: { Open: 1, Unique: 1 } },
    ]);
    expect(new Set(await listVisitorDays())).toEqual(new Set([TODAY + DAY_MS]));
  });

  test('analytics: robots, prefetches and unknown cards count nothing, and junk is never a 5xx', async () => {
    const ignored: Record<string, string>[] = [
      ...['', ...ROBOTS].map((agent) => ({ 'user-agent': agent })),
      ...['purpose', 'x-moz'].map((name) => ({ [name]: 'prefetch' })),
      { 'x-purpose': 'preview' },
      { 'sec-purpose': 'prefetch;prerender' },
    ];
    for (const headers of ignored) expect(await countOpen({ headers })).toBe(200);
    const remoteAddress = '203.0.113.9';
    expect(await count(testApp, 'abcdefghijkmnopq/Open', { remoteAddress })).toBe(200);
    const junk = words('Nope Unique __proto__ Open%00 %F0%9F%92%A9').concat('x'.repeat(10_000));
    for (const kind of junk) expect(await count(testApp, `${owner._id}/${kind}`), kind).toBe(400);
    expect(await count(testApp, 'nobody/Open')).toBe(400);
    for (const [type, status] of Object.entries({ 'application/json': 400, 'text/plain': 415 }))
      expect(await countOpen({ headers: { 'content-type': type }, payload: '{' })).toBe(status);
    await countOpen();
    expect((await readView()).days).toMatchObject([{ counts: { Open: 1, Unique: 1 } }]);
    expect(await database.all('SELECT hash FROM visitor_hashes')).toHaveLength(1);
  });

  test('analytics: no address, agent or cookie is in the tables or the files, and a beacon is not in the log', async () => {
    let requestLog = '';
    const dependencies = { writeRequestLine: (line: string) => void (requestLog += line) };
    const node = buildTestApp(database, { ...ANALYTICS, dependencies });
    const headers = { 'user-agent': `${PHONE_USER_AGENT} canary`, cookie: 'tessera_device=canary' };
    for (const remoteAddress of ['203.0.113.77', '2001:db8:77::1'])
      await count(node, `${owner._id}/Open`, { remoteAddress, headers });
    expect((await readView(node)).days).toMatchObject([{ counts: { Open: 2, Unique: 2 } }]);
    const { folder } = testDatabase;
    const tables = ['visit_counts', 'visitor_hashes', 'visitor_salts'];
    const rows = await Promise.all(tables.map((name) => database.all(`SELECT * FROM ${name}`)));
    const read = (name: string) => readFileSync(join(folder ?? '', name), 'latin1');
    const files = folder === undefined ? [] : readdirSync(folder).map(read);
    const stored = JSON.stringify(rows) + files.join('');
    expect(stored).not.toMatch(/203\.0\.113\.77|2001:db8:77|canary/);
    await waitUntil(() => requestLog.includes('getAnalytics'));
    expect(requestLog).not.toContain('countVisit');
  });

  test('analytics: counts are shown and kept for 90 days', async () => {
    await countOpen();
    await readView();
    const userIds = () => database.all('SELECT DISTINCT user_id FROM visit_counts');
    // The day ends last in the time zone that is furthest west.
    const lastDay = TODAY + 90.5 * DAY_MS;
    await deleteExpiredRows(database, lastDay - 1);
    expect(await userIds()).toHaveLength(1);
    await deleteExpiredRows(database, lastDay);
    expect([await userIds(), await listVisitorDays()]).toEqual([[], []]);
    // The view shows today and the 89 days before it.
    for (const daysAgo of [90, 89]) await insertCount(TODAY - daysAgo * DAY_MS, 1);
    const shown = await readCounts(database, owner._id, { today: TODAY, timeZone: 'UTC' });
    expect(shown).toEqual([{ day: '2025-10-18', timeZone: '', counts: { Open: 1 } }]);
  });

  test('analytics: two nodes add up and count a visitor once, also while a user is removed', async () => {
    const pool =
      testDatabase.url === undefined
        ? null
        : openPostgres(testDatabase.url, silentLog, LONG_LIMITS);
    const second = buildTestApp(pool ?? database, ANALYTICS);
    const removed = await signInByApi(testApp, '+919876543211');
    const paths = VISIT_KINDS.flatMap((kind) => [`${owner._id}/${kind}`, `${removed._id}/${kind}`]);
    const send = async (app: TestApp) => {
      for (const path of paths) await count(app, path);
    };
    await Promise.all([send(testApp), send(second)]);
    const [result] = await Promise.all([
      removeUser(testApp, { userId: removed._id }),
      testApp.app.close(),
      second.app.close(),
    ]);
    await pool?.close();
    const twice = Object.fromEntries(VISIT_KINDS.map((kind) => [kind, 2]));
    expect(result).toBe(true);
    const { days } = await readView(buildTestApp(database, ANALYTICS));
    expect(days[0]?.counts).toEqual({ ...twice, Unique: 1 });
    expect(await database.all('SELECT DISTINCT user_id FROM visit_counts')).toHaveLength(1);
  });

  // The other tests do not depend on the database.
  if (open !== openTestSqlite) return;

  test('analytics: an address above its limit is rejected', async () => {
    const environment = { VIEWS: 'analytics', LIMIT_READS_PER_MINUTE: '2' };
    const limited = buildTestApp(database, { environment });
    for (const status of [200, 200, 429])
      expect(await count(limited, 'abcdefghijkmnopq/Open')).toBe(status);
  });

  test('analytics: each link of a card is a kind; without the setting nothing is counted', async () => {
    await owner.post('user/updateUser', FULL_CARD);
    const render = async (environment: Record<string, string>) => {
      const on = buildTestApp(database, { environment });
      const { statusCode } = await owner.get('profile/getAnalytics', { on });
      const calls = [await count(on, `${owner._id}/Open`), statusCode];
      return { html: (await owner.page('', { on })).body, calls };
    };
    const off = await render({});
    expect(off.calls).toEqual([404, 404]);
    expect(off.html).not.toMatch(/countVisit/);
    expect(await database.all('SELECT * FROM visitor_salts')).toEqual([]);

    const on = await render({ VIEWS: 'analytics' });
    expect(on.calls).toEqual([200, 200]);
    expect(on.html).toContain(`data-count="/api/profile/countVisit/${owner._id}/"`);
    const [article = ''] = /<article.*<\/article>/s.exec(on.html) ?? [];
    const links = article.match(/<a .*?<\/a>/gs)?.map((link) => link.replace(/<[^>]+>/g, ''));
    const kinds = VISIT_KINDS.filter((kind) => kind !== 'Open' && kind !== 'Connect');
    expect(links?.toSorted()).toEqual(kinds.toSorted());
  });
});
