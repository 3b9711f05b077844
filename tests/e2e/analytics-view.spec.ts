import { readFileSync } from 'node:fs';

import type { Page } from '@playwright/test';

import type { getAnalytics } from '#contract/analytics.ts';
import type { Reply } from '#contract/endpoint.ts';
import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import * as ui from '#tests/support/ui.ts';

test.use({ environment: { VIEWS: 'analytics' } });

const NOBODY = 'Nobody has opened your card yet.';
const daysOf = (page: Page) => page.getByRole('table', { name: 'Opened each day' });

test('analytics: a new owner sees what to do, without a network a note', async ({ page }) => {
  ui.expectErrors(page, /did not get through/);
  await page.goto('/dashboard/analytics');
  await expect(ui.heading(page, 'Analytics')).toBeVisible();
  await ui.expectTexts(page, NOBODY);
  await expect(ui.link(page, 'Share your card')).toBeVisible();
  await expect(ui.button(page, 'Show each day')).toHaveCount(0);
  await ui.button(page, '7 days').click();
  await expect(page.getByRole('button', { pressed: true })).toHaveText('7 days');
  const rows = daysOf(page).getByRole('row');
  await expect(rows).toHaveText(['DayOpenedUnique visitors', /^Nobody has opened your card/]);
  await expect(ui.link(page, 'Export CSV')).toBeVisible();
  await ui.failCalls(page, '**/api/profile/getAnalytics/*');
  await page.reload();
  await ui.expectTexts(page, "We couldn't load your analytics.");
  await page.context().setOffline(true);
  await ui.expectTexts(page, 'Your analytics need a network.');
  await page.unrouteAll();
  await page.context().setOffline(false);
  await ui.expectTexts(page, NOBODY);
});

test('analytics: a visit is counted once', async ({ page, server, browser, owner, call }) => {
  // Visits of the owner are not counted.
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await page.goto(`/user/${owner._id}`);
  await ui.download(page, ui.link(page, 'Save'));
  await page.reload();
  expect(requested.filter((url) => url.includes('countVisit'))).toEqual([]);
  const context = await browser.newContext({
    userAgent: ui.PHONE_USER_AGENT,
    baseURL: server.origin,
  });
  const visitor = await context.newPage();
  const counted: string[] = [];
  visitor.on('response', (response) => {
    const [, kind] = /\/countVisit\/\w+\/(\w+)$/.exec(response.url()) ?? [];
    if (kind !== undefined) counted.push(kind);
  });
  ui.collectAlerts(visitor);
  // It is first visible some time after it has loaded.
  await visitor.addInitScript(() => {
    const value = sessionStorage.getItem('test.seen') === null;
    Object.defineProperty(document, 'hidden', { value, configurable: true });
  });
  await visitor.goto(`/user/${owner._id}`);
  expect(counted).toEqual([]);
  await visitor.evaluate(() => {
    sessionStorage.setItem('test.seen', 'true');
    Object.defineProperty(document, 'hidden', { value: false });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect.poll(() => counted).toEqual(['Open']);
  await visitor.reload();
  await ui.leaveDetails(visitor);
  await expect(ui.dialog(visitor, 'Connect')).toBeHidden();
  await expect.poll(() => counted).toEqual(['Open', 'Connect']);
  for (const attempt of ['first', 'second']) {
    await ui.download(visitor, ui.link(visitor, 'Save'));
    await expect.poll(() => counted, attempt).toEqual(['Open', 'Connect', 'Save']);
  }
  await context.route('https://instagram.com/**', (route) => route.fulfill());
  const popup = visitor.waitForEvent('popup');
  await ui.link(visitor, 'Instagram').click();
  await (await popup).close();
  await expect.poll(() => counted).toEqual(['Open', 'Connect', 'Save', 'Instagram']);
  await ui.link(visitor, 'Call').click();
  await expect.poll(() => counted.at(-1)).toBe('Call');
  await context.close();
  const counts = async () =>
    (await call<Reply<typeof getAnalytics>>('/profile/getAnalytics/:id')).days.at(-1)?.counts;
  await expect.poll(counts).toMatchObject({ Open: 1, Call: 1 });
  await page.goto('/dashboard/analytics');
  const rowsOf = (name: string) =>
    page.getByRole('table', { name }).getByRole('row').filter({ hasText: '1' });
  const steps = ['Opened1100%', 'Saved1100%', 'Connected1100%'];
  await expect(rowsOf('From visit to contact')).toHaveText(steps);
  await expect(rowsOf('Links by taps')).toHaveText(['Call1', 'Instagram1']);
  await ui.expectTexts(page, '1 opened, 1 saved, 1 connected');
  await ui.button(page, '7 days').press('Enter');
  await expect(page.getByRole('button', { pressed: true })).toHaveText('7 days');
  const days = daysOf(page).getByRole('row');
  // In the accessibility tree before it is seen, and without the days that had no visit.
  await expect(days).toHaveCount(2);
  const shown = page.getByRole('region', { name: 'Days' });
  const height = () => shown.evaluate((element) => element.clientHeight);
  expect(await height()).toBe(1);
  await ui.button(page, 'Show each day').click();
  await expect.poll(height).toBeGreaterThan(50);
  await expect(days.nth(1).getByRole('cell')).toHaveText(['1', '1']);
  const file = await ui.download(page, ui.link(page, 'Export CSV'));
  expect(file.suggestedFilename()).toBe('analytics-7-days.csv');
  const csv = readFileSync(await file.path(), 'utf8');
  expect(csv).toMatch(/^Day,Opened,Unique visitors,Save,Connect,Call,Email,Website,/);
  expect(csv).toMatch(/(\r\n\d{4}-\d\d-\d\d,.+){6}\r\n[\d-]{10},1,1,1,1,1,0,0,0,0,1,.+\r\n$/);
});

test('analytics: a page that stays open follows a new day', async ({ page }) => {
  let today = '2026-01-15';
  await page.route('**/api/profile/getAnalytics/*', (route) => {
    const days = [today, '2026-01-14'].map((day) => ({
      day,
      timeZone: 'UTC',
      counts: { Open: 3 },
    }));
    return route.fulfill({ json: { today, days, timeZone: 'UTC' } });
  });
  await page.clock.install({ time: '2026-01-15T23:55:00Z' });
  await page.goto('/dashboard/analytics');
  await ui.button(page, '7 days').click();
  await ui.button(page, 'Show each day').click();
  await expect(daysOf(page).getByText('Thu 15 Jan')).toBeVisible();
  today = '2026-01-16';
  await page.clock.fastForward('11:00');
  await expect(daysOf(page).getByText('Fri 16 Jan')).toBeVisible();
});
