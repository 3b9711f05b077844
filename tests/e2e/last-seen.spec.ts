import { once } from 'node:events';

import type { Page, Route } from '@playwright/test';

import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import * as ui from '#tests/support/ui.ts';

const CONTACTS_CALL = '**/api/profile/getContacts/*';
const DAY_MS = 86_400_000;

/** Holds the next request; returns the function that lets it go. */
async function hold(page: Page, calls: string): Promise<() => void> {
  const released = new EventTarget();
  const answer = async (route: Route) => {
    await once(released, 'release');
    await route.continue();
  };
  await page.route(calls, answer, { times: 1 });
  return () => released.dispatchEvent(new Event('release'));
}

const status = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });
const line = (page: Page) => page.locator('.progress-line');

test('connections: that they could not be loaded is said on each visit, with the time of the list', async ({
  page,
  server,
  addContact,
}) => {
  ui.expectErrors(page, /getContacts.* (answered|did not get through)/);
  await addContact({ name: 'Ravi', mobile: '98450 12345' });
  await page.goto('/dashboard');
  await ui.expectTexts(page, 'Ravi');
  await ui.waitForKept(page, '/profile/getContacts/:id');
  const note = page
    .getByRole('alert')
    .filter({ hasText: /What you see is as of \d+ \w+ \d{4}, \d/ });
  const failures = [{ status: 500, error: 'internal', message: 'No.' }, { status: 403 }, undefined];
  for (const reply of failures) {
    await ui.failCalls(page, CONTACTS_CALL, reply);
    await page.reload();
    await expect(note).toContainText("We couldn't load your connections.");
    await ui.expectTexts(page, 'Ravi');
    await page.unroute(CONTACTS_CALL);
    await ui.button(page, 'Try again').click();
    await expect(note).toBeHidden();
  }
  await test.step('without a network too', async () => {
    for (const calls of [CONTACTS_CALL, `${server.origin}/`]) await ui.failCalls(page, calls);
    await page.reload();
    await expect(note).toContainText("You're offline.");
    await ui.expectTexts(page, 'Ravi');
  });
});

test('dashboard: a call that is cut off while the network returns is made again', async ({
  page,
}) => {
  ui.expectErrors(page, /did not get through/);
  await page.goto('/dashboard');
  await ui.waitForKept(page, '/user/:id');
  let cuts = 0;
  const cut = (route: Route) => {
    cuts += 1;
    return route.abort();
  };
  await page.route('**/api/user/*', cut, { times: 1 });
  await page.reload();
  await ui.expectTexts(page, 'Welcome Asha');
  await expect(page.getByText(/^Offline$/)).toHaveCount(0);
  await expect(line(page)).toBeHidden();
  await expect(page).toHaveURL(/\/dashboard$/);
  expect(cuts).toBe(1);
});

test('last seen: it is said while the card is loaded anew, and while the appearance is saved', async ({
  page,
}) => {
  await page.goto('/dashboard');
  await ui.waitForKept(page, '/user/:id');
  for (const path of [
    '/dashboard',
    '/dashboard/edit',
    '/dashboard/appearance',
    '/dashboard/signature',
  ]) {
    const release = await hold(page, '**/api/user/*');
    await page.goto(path);
    await expect(status(page, 'Refreshing')).toHaveCount(1);
    await expect(line(page)).toHaveCount(1);
    release();
    await expect(status(page, 'Refreshing')).toHaveCount(0);
    await expect(line(page)).toHaveCount(0);
  }
  await page.goto('/dashboard/appearance', { waitUntil: 'networkidle' });
  const release = await hold(page, '**/api/user/*/appearance');
  await page.getByRole('radio', { name: 'Quiet' }).click();
  await expect(status(page, 'Saving')).toHaveCount(1);
  await expect(line(page)).toHaveCount(1);
  release();
  await ui.expectTexts(page, 'Saved');
  await expect(line(page)).toHaveCount(0);
});

test('last seen: the card is loaded anew, even if the clock was ahead when it was stored', async ({
  page,
  call,
}) => {
  await page.addInitScript(() => {
    const now = Date.now;
    Date.now = () => now() + Number(sessionStorage.getItem('test.aheadMs'));
  });
  const setAhead = (aheadMs: number) =>
    page.evaluate((text) => sessionStorage.setItem('test.aheadMs', text), String(aheadMs));
  const storedAt = async () => {
    const text = (await ui.storedEntries(page))['queries'] as string | undefined;
    return (JSON.parse(text ?? '{}') as { timestamp?: number }).timestamp ?? 0;
  };
  for (const [path, designation] of [
    ['/dashboard', 'Head of design'],
    ['/dashboard/edit', 'Director'],
  ] as const) {
    await setAhead(DAY_MS);
    await page.goto(path);
    await expect.poll(storedAt).toBeGreaterThan(Date.now() + DAY_MS / 2);
    await call('/user/updateUser/:id', { designation });
    await setAhead(0);
    await page.reload();
    if (path === '/dashboard') await ui.expectTexts(page.locator('.owner-card'), designation);
    else await expect(ui.textbox(page, 'Designation')).toHaveValue(designation);
  }
});

const tiles = (page: Page) => page.locator('.tiles .tile-name');

test('socials: their tiles are those of the card that the service has, after a reload too', async ({
  page,
  call,
}) => {
  const save = (socialMediaHandles: object) => call('/user/updateUser/:id', { socialMediaHandles });
  const none = { Web: null, Maps: null, Instagram: null, Pinterest: null, YouTube: null };
  const others = { Snapchat: null, Behance: null, Dribbble: null, Whatsapp: null };
  await save({ ...none, ...others, LinkedIn: null, X: null, Facebook: null });
  await page.goto('/ftue');
  await ui.button(page, 'Next').click();
  await expect(ui.heading(page, 'Where you work')).toBeVisible();
  await ui.button(page, 'Next').click();
  await expect(tiles(page)).toHaveText(['Whatsapp', 'LinkedIn', 'X', 'Facebook', 'Add more']);
  await ui.waitForKept(page, '/user/:id');
  await save({ Instagram: 'https://instagram.com/rao' });
  await page.reload();
  await expect(tiles(page)).toHaveText(['Instagram', 'Add more']);
  await ui.button(page, 'Instagram').click();
  await ui.button(ui.dialog(page, 'Connect your socials'), 'Remove').click();
  await expect(tiles(page)).toHaveText(['Instagram', 'Add more']);
  await page.goto('/dashboard/edit');
  await save({ Instagram: null, Dribbble: 'https://dribbble.com/rao' });
  await page.reload();
  await expect(tiles(page)).toHaveText(['Dribbble', 'Add more']);
});
