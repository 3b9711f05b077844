import { readFileSync } from 'node:fs';

import type { Browser, Page } from '@playwright/test';

import type { getAnalytics } from '#contract/analytics.ts';
import type { Reply } from '#contract/endpoint.ts';
import { collectAlerts, expect, leaveDetails, test } from '#tests/support/browser-test.ts';
import { sendRequest } from '#tests/support/owner.ts';
import type { Owner } from '#tests/support/owner.ts';
import type { RunningServer } from '#tests/support/server.ts';

test.use({ environment: { VIEWS: 'analytics' } });

/** Headless Chromium's own user agent is that of a robot. */
const PERSON =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36';

/** The kind in the address of a beacon. */
const KIND = /\/countVisit\/\w+\/(\w+)$/;

/** Adds the kind of a beacon to a list; ignores other requests. */
function record(list: string[], url: string): void {
  const [, kind] = KIND.exec(url) ?? [];
  if (kind !== undefined) list.push(kind);
}

/** Opens a page of a new visitor; records the kinds of its beacons, `counted` when they are answered. */
async function openVisitor(browser: Browser, userAgent = PERSON) {
  const context = await browser.newContext({ userAgent });
  const page = await context.newPage();
  const sent: string[] = [];
  const counted: string[] = [];
  page.on('request', (request) => record(sent, request.url()));
  page.on('response', (response) => record(counted, response.url()));
  return { page, sent, counted, close: () => context.close() };
}

async function connect(page: Page): Promise<void> {
  collectAlerts(page);
  await leaveDetails(page);
  await expect(page.getByRole('dialog', { name: 'Connect' })).toBeHidden();
}

const saveContact = (page: Page) =>
  Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Save' }).click()]);

const row = (page: Page, table: string, name: string) =>
  page
    .getByRole('table', { name: table })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name }) });

const cardOf = (server: RunningServer, { _id }: Owner) => `${server.origin}/user/${_id}`;

/** What the server has counted today. */
async function readCounts(server: RunningServer, { _id, sessionToken }: Owner) {
  const path = `/profile/getAnalytics/${_id}`;
  const reply = await sendRequest<Reply<typeof getAnalytics>>(server, path, {
    token: sessionToken,
  });
  return reply.days.at(-1)?.counts;
}

test('analytics: a new owner sees what to do, and without a network a note', async ({
  ownerPage: page,
  server,
  expectErrors,
}) => {
  expectErrors(/did not get through/);
  await page.goto(`${server.origin}/dashboard/analytics`);
  await expect(page.getByRole('heading', { name: 'Analytics' })).toBeVisible();
  await expect(page.getByText('Nobody has opened your card yet.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Share your card' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Show each day' })).toHaveCount(0);
  await page.getByRole('button', { name: '7 days' }).click();
  await expect(page.getByRole('button', { pressed: true })).toHaveText('7 days');
  const days = page.getByRole('table', { name: 'Opened each day' }).getByRole('row');
  await expect(days).toHaveText(['DayOpenedUnique visitors', /^Nobody has opened your card/]);
  await expect(page.getByRole('link', { name: 'Export CSV' })).toBeVisible();

  await page.route('**/api/profile/getAnalytics/*', (route) => route.abort());
  await page.reload();
  await expect(page.getByText('Your analytics could not be loaded.')).toBeVisible();
  await page.context().setOffline(true);
  await expect(page.getByText('Your analytics need a network.')).toBeVisible();
  await page.unrouteAll();
  await page.context().setOffline(false);
  await expect(page.getByText('Nobody has opened your card yet.')).toBeVisible();
});

test('analytics: a visit and each control that was used are counted once, and the view shows it', async ({
  ownerPage: page,
  server,
  browser,
  owner,
}) => {
  const { page: visitor, counted, close } = await openVisitor(browser);
  await visitor.goto(cardOf(server, owner));
  await expect.poll(() => counted).toEqual(['Open']);
  await visitor.reload();
  await connect(visitor);
  await expect.poll(() => counted).toEqual(['Open', 'Connect']);
  for (const attempt of ['first', 'second']) {
    await saveContact(visitor);
    await expect.poll(() => counted, attempt).toEqual(['Open', 'Connect', 'Save']);
  }
  await visitor.context().route('https://instagram.com/**', (route) => route.fulfill());
  const [tab] = await Promise.all([
    visitor.waitForEvent('popup'),
    visitor.getByRole('link', { name: 'Instagram' }).click(),
  ]);
  await tab.close();
  await expect.poll(() => counted).toEqual(['Open', 'Connect', 'Save', 'Instagram']);
  await visitor.getByRole('link', { name: 'Call' }).click();
  await expect.poll(() => counted.at(-1)).toBe('Call');
  await close();

  await expect.poll(() => readCounts(server, owner)).toMatchObject({ Open: 1, Call: 1 });
  await page.goto(`${server.origin}/dashboard/analytics`);
  await expect(row(page, 'From visit to contact', 'Opened')).toHaveText('Opened1100%');
  await expect(row(page, 'From visit to contact', 'Saved')).toHaveText('Saved1100%');
  await expect(row(page, 'From visit to contact', 'Connected')).toHaveText('Connected1100%');
  await expect(row(page, 'Links by taps', 'Call')).toHaveText('Call1');
  await expect(row(page, 'Links by taps', 'Instagram')).toHaveText('Instagram1');
  await expect(page.getByText('1 opened, 1 saved, 1 connected')).toBeVisible();
  await page.getByRole('button', { name: '7 days' }).press('Enter');
  await expect(page.getByRole('button', { pressed: true })).toHaveText('7 days');
  const days = page.getByRole('table', { name: 'Opened each day' }).getByRole('row');
  // In the accessibility tree before it is seen, and without the days that had no visit.
  await expect(days).toHaveCount(2);
  const shown = page.getByRole('region', { name: 'Days' });
  expect(await shown.evaluate((element) => element.clientHeight)).toBe(1);
  await page.getByRole('button', { name: 'Show each day' }).click();
  await expect.poll(() => shown.evaluate((element) => element.clientHeight)).toBeGreaterThan(50);
  await expect(days.nth(1).getByRole('cell')).toHaveText(['1', '1']);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('analytics-7-days.csv');
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(lines).toHaveLength(8);
  expect(lines[0]).toMatch(/^Day,Opened,Unique visitors,Save,Connect,Call,Email,Website,/);
  expect(lines[7]).toMatch(/^\d{4}-\d\d-\d\d,1,1,1,1,1,0,0,0,0,1,/);
});

test('analytics: a page is counted when it is first visible', async ({
  server,
  browser,
  owner,
}) => {
  const { page: visitor, sent, counted, close } = await openVisitor(browser);
  await visitor.addInitScript(() => {
    Object.defineProperty(document, 'hidden', { value: true, configurable: true });
  });
  await visitor.goto(cardOf(server, owner));
  expect(sent).toEqual([]);
  await visitor.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: false });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect.poll(() => counted).toEqual(['Open']);
  await expect.poll(() => readCounts(server, owner)).toMatchObject({ Open: 1 });
  await close();
});

test('analytics: the owner, and a robot that runs the script, are not counted', async ({
  ownerPage: page,
  server,
  browser,
  owner,
}) => {
  const card = cardOf(server, owner);
  const sent: string[] = [];
  page.on('request', (request) => record(sent, request.url()));
  await page.goto(card);
  await saveContact(page);
  await page.reload();
  expect(sent).toEqual([]);
  const robot = await openVisitor(browser, 'Mozilla/5.0 (compatible; Googlebot/2.1)');
  const [response] = await Promise.all([
    robot.page.waitForResponse(/countVisit/),
    robot.page.goto(card),
  ]);
  expect(response.status()).toBe(200);
  await robot.close();
  // Counts are written in their order.
  const visitor = await openVisitor(browser);
  await visitor.page.goto(card);
  await expect.poll(() => readCounts(server, owner)).toMatchObject({ Open: 1 });
  await visitor.close();
});

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  for (const isFull of [false, true]) {
    test(`analytics: the chart is ${isFull ? 'shown without space for it' : 'stored when it is first shown, not before'}`, async ({
      ownerPage: page,
      context,
      server,
      owner,
    }) => {
      const storedFiles = () =>
        page.evaluate(async () => {
          const requests = await (await caches.open('pages')).keys();
          return requests.map(({ url }) => new URL(url).pathname);
        });
      const charts = async () => (await storedFiles()).filter((path) => /chart/.test(path));
      const visit = { method: 'POST', headers: { 'user-agent': PERSON } };
      await fetch(`${server.origin}/api/profile/countVisit/${owner._id}/Open`, visit);
      await page.goto(`${server.origin}/dashboard`);
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      expect(await storedFiles()).toContain('/dashboard/analytics');
      expect(await charts()).toEqual([]);
      if (isFull) {
        await context.serviceWorkers()[0]?.evaluate(() => {
          Cache.prototype.put = () => Promise.reject(new DOMException('', 'QuotaExceededError'));
        });
      }
      await expect(async () => {
        await page.goto(`${server.origin}/dashboard/analytics`);
        await expect(page.locator('.analytics-chart canvas')).toBeVisible({ timeout: 2_000 });
      }).toPass({ timeout: 15_000 });
      await expect.poll(charts).toHaveLength(isFull ? 0 : 1);
    });
  }
});
