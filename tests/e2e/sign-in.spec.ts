import type { Page } from '@playwright/test';

import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import { goToSocials } from '#tests/support/open-screen.ts';
import { storeSession } from '#tests/support/owner.ts';
import * as ui from '#tests/support/ui.ts';

const USER_CALL = '**/api/user/*';
const LOG_OUT_CALL = '**/api/user/logout';

test('session: decides between the login page and the dashboard', async ({ page }) => {
  for (const path of ['/', '/login']) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/dashboard\/?$/);
    await ui.expectTexts(page, 'Start building connections!');
    // A full load: the document of the login page has a policy that allows the provider's script.
    const url = await page.evaluate(() => performance.getEntriesByType('navigation')[0]?.name);
    expect(url).toMatch(/\/dashboard\/?$/);
  }
  await page.evaluate(() => localStorage.removeItem('signedIn'));
  await page.goto('/login');
  await expect(page).toHaveURL(/\/dashboard\/?$/);
  await ui.expectTexts(page, 'Start building connections!');
  await page.evaluate(() => localStorage.setItem('signedIn', 'true'));
  await page.evaluate(() => localStorage.removeItem('sessionToken'));
  await page.goto('/login');
  await ui.waitForLoginPage(page);
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  for (const path of ['/dashboard', '/dashboard/', '/ftue', '/ftue/?phone=1']) {
    await page.goto(path);
    await ui.waitForLoginPage(page);
  }
});

/** Shows the login page to an owner with a session, because the user cannot be fetched. */
async function openWithoutUser(page: Page): Promise<void> {
  await ui.failCalls(page, USER_CALL);
  await page.goto('/dashboard');
  await expect(page).toHaveURL('/');
  await expect(ui.textbox(page, 'Phone number')).toBeVisible();
  await page.unroute(USER_CALL);
}

test('login page: a failed user call leads there, once', async ({ page }) => {
  ui.expectErrors(page, /did not get through/);
  await openWithoutUser(page);
  expect((await ui.readSession(page))._id).not.toBe('');
  await page.goto('/');
  await expect(page).toHaveURL(/\/dashboard\/?$/);
  await ui.expectTexts(page, 'Welcome Asha');
});

for (const [name, isReachable] of [
  ['ends the session before', true],
  ['needs no end of the session before', false],
] as const) {
  test(`login: ${name}`, async ({ page, owner, server, phone }) => {
    ui.expectErrors(page, /did not get through/);
    const logOutBy = async (authorization: string) =>
      (await page.request.post('/api/user/logout', { headers: { authorization } })).status();
    if (!isReachable) await ui.failCalls(page, LOG_OUT_CALL);
    await openWithoutUser(page);
    await ui.submitPhone(page, server, `9${isReachable ? 6 : 7}${phone.slice(2)}`);
    await expect(ui.textbox(page, 'Name')).toBeVisible();
    const after = await ui.readSession(page);
    expect(after._id).not.toBe(owner._id);
    expect(await logOutBy(owner.sessionToken)).toBe(isReachable ? 403 : 200);
    expect(await logOutBy(after.sessionToken)).toBe(200);
  });
}

test('onboarding: a session that ended elsewhere is over', async ({ page, owner }) => {
  ui.expectErrors(page, /answered 403/);
  const alerts = ui.collectAlerts(page);
  await page.goto('/ftue');
  await goToSocials(page);
  const headers = { authorization: owner.sessionToken };
  await page.request.post('/api/user/logout', { headers });
  await ui.button(page, 'Next').click();
  await expect.poll(() => alerts).toEqual(['Session logged out']);
  await expect(page).toHaveURL('/');
  await ui.expectTexts(page, 'Your session is over.');
});

test('guard: is asked by Back and in every tab', async ({ page, owner, server, context }) => {
  ui.expectErrors(page, /logout did not get through/);
  await page.goto('/dashboard');
  await ui.expectTexts(page, 'Nobody has left their details yet.');
  // No event tells a page of its own changes of the storage.
  await page.evaluate(() => localStorage.clear());
  await ui.link(page, 'Edit Card').click();
  await ui.waitForLoginPage(page);
  await storeSession(page, server, owner);
  await page.goto('/dashboard');
  await ui.link(page, 'Edit Card').click();
  await ui.textbox(page, 'Designation').waitFor();
  await ui.button(page, 'Back').click();
  const other = await context.newPage();
  await other.goto('/dashboard/edit');
  await ui.textbox(other, 'Designation').waitFor();
  await ui.failCalls(page, LOG_OUT_CALL);
  await ui.logOut(page);
  await ui.waitForLoginPage(page);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await ui.waitForLoginPage(other);
  await page.goBack();
  await expect(page).toHaveURL(/\/login$/);
  await ui.waitForLoginPage(page);
});
