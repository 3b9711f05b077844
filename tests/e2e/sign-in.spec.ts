import type { Page } from '@playwright/test';

import {
  button,
  collectAlerts,
  expect,
  expectTexts,
  failCalls,
  link,
  logOut,
  readSession,
  submitPhone,
  test,
  textbox,
  waitForLoginPage,
} from '#tests/support/browser-test.ts';
import { goToSocials } from '#tests/support/open-screen.ts';
import { signInOwner, storeSession } from '#tests/support/owner.ts';

const USER_CALL = '**/api/user/*';
const LOG_OUT_CALL = '**/api/user/logout';

test('dashboard and onboarding: redirect a browser without a session to the login page', async ({
  page,
}) => {
  for (const path of ['/dashboard', '/dashboard/', '/ftue', '/ftue/?phone=1']) {
    await page.goto(path);
    await waitForLoginPage(page);
  }
});

test('login: a wrong code shows an alert, and the right one still works', async ({
  page,
  server,
  phone,
}) => {
  await page.goto('/');
  await textbox(page, 'Phone number').fill(`0${phone}`);
  await page.keyboard.press('Enter');
  const code = textbox(page, 'Code');
  await expect(code).toBeFocused();
  const right = await server.codeFor(`+91${phone}`);
  await code.fill(right === '000000' ? '000001' : '000000');
  await button(page, 'Verify').click();
  await expect(page.getByRole('alert')).toHaveText(/.+/);
  await code.fill(right);
  await expect(page).toHaveURL(/\/ftue\?phone=/);
  await expect(textbox(page, 'Name')).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('signedIn'))).toBe('true');
});

test('login page: redirects an owner with a session to the dashboard, and clears an incomplete one', async ({
  ownerPage: page,
}) => {
  for (const path of ['/', '/login']) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/dashboard\/?$/);
    await expectTexts(page, 'Start building connections!');
    // A full load: the document of the login page has a policy that allows the provider's script.
    const url = await page.evaluate(() => performance.getEntriesByType('navigation')[0]?.name);
    expect(url).toMatch(/\/dashboard\/?$/);
  }
  await page.evaluate(() => localStorage.removeItem('signedIn'));
  await page.goto('/login');
  await expect(page).toHaveURL(/\/dashboard\/?$/);
  await expectTexts(page, 'Start building connections!');
  await page.evaluate(() => localStorage.setItem('signedIn', 'true'));
  await page.evaluate(() => localStorage.removeItem('sessionToken'));
  await page.goto('/login');
  await waitForLoginPage(page);
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
});

/** Shows the login page to an owner with a session, because the user cannot be fetched. */
async function openWithoutUser(page: Page): Promise<void> {
  await failCalls(page, USER_CALL);
  await page.goto('/dashboard');
  await expect(page).toHaveURL('/');
  await expect(textbox(page, 'Phone number')).toBeVisible();
  await page.unroute(USER_CALL);
}

test('login page: is shown after a failed user call without a redirect loop, and redirects on the next load', async ({
  ownerPage: page,
  expectErrors,
}) => {
  expectErrors(/did not get through/);
  await openWithoutUser(page);
  expect((await readSession(page))._id).not.toBe('');
  await page.goto('/');
  await expect(page).toHaveURL(/\/dashboard\/?$/);
  await expectTexts(page, 'Welcome Asha');
});

for (const isReachable of [true, false]) {
  test(`login: ${isReachable ? 'ends the session that the browser had before' : 'succeeds although that session cannot be ended'}`, async ({
    ownerPage: page,
    owner,
    server,
    phone,
    expectErrors,
  }) => {
    expectErrors(/did not get through/);
    const logOutBy = async (authorization: string) =>
      (await page.request.post('/api/user/logout', { headers: { authorization } })).status();
    if (!isReachable) await failCalls(page, LOG_OUT_CALL);
    await openWithoutUser(page);
    await submitPhone(page, server, `9${isReachable ? 6 : 7}${phone.slice(2)}`);
    await expect(textbox(page, 'Name')).toBeVisible();
    const after = await readSession(page);
    expect(after._id).not.toBe(owner._id);
    expect(await logOutBy(owner.sessionToken)).toBe(isReachable ? 403 : 200);
    expect(await logOutBy(after.sessionToken)).toBe(200);
  });
}

test('onboarding: a session that ended elsewhere shows the alert and opens the start page', async ({
  page,
  server,
  phone,
  expectErrors,
}) => {
  expectErrors(/answered 403/);
  const alerts = collectAlerts(page);
  const { sessionToken } = await signInOwner({ page, server, phone }, {});
  await page.goto('/ftue');
  await goToSocials(page);
  await page.request.post('/api/user/logout', { headers: { authorization: sessionToken } });
  await button(page, 'Next').click();
  await expect.poll(() => alerts).toEqual(['Session logged out']);
  await expect(page).toHaveURL('/');
  await expectTexts(page, 'Your session is over.');
});

test('guard: is asked at a navigation, at the log out of another tab, and by Back; log out works without the server', async ({
  ownerPage: page,
  owner,
  server,
  context,
  expectErrors,
}) => {
  expectErrors(/logout did not get through/);
  await page.goto('/dashboard');
  await expectTexts(page, 'Nobody has left their details yet.');
  // No event tells a page of its own changes of the storage.
  await page.evaluate(() => localStorage.clear());
  await link(page, 'Edit Card').click();
  await waitForLoginPage(page);

  await storeSession(page, server, owner);
  await page.goto('/dashboard');
  await link(page, 'Edit Card').click();
  await textbox(page, 'Designation').waitFor();
  await button(page, 'Back').click();
  const other = await context.newPage();
  await other.goto('/dashboard/edit');
  await textbox(other, 'Designation').waitFor();
  await failCalls(page, LOG_OUT_CALL);
  await logOut(page);
  await waitForLoginPage(page);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await waitForLoginPage(other);
  await page.goBack();
  await expect(page).toHaveURL(/\/login$/);
  await waitForLoginPage(page);
});
