import type { Page } from '@playwright/test';

import {
  ASHA,
  collectAlerts,
  expect,
  onboard,
  signIn,
  readSession,
  submitPhone,
  test,
  waitForLoginPage,
} from '#tests/support/browser-test.ts';
import { goToSocials } from '#tests/support/open-screen.ts';
import { signInOwner, storeSession } from '#tests/support/owner.ts';
import type { RunningServer } from '#tests/support/server.ts';

test('dashboard and onboarding: redirect a browser without a session to the login page', async ({
  page,
}) => {
  for (const path of ['/dashboard', '/dashboard/', '/ftue', '/ftue/?phone=1']) {
    await page.goto(path);
    await waitForLoginPage(page);
  }
});

test('login: an owner with a name goes to the dashboard', async ({ page, server, phone }) => {
  await signIn(page, server, phone);
  await onboard(page);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await waitForLoginPage(page);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);

  await submitPhone(page, server, phone);
  await expect(page).toHaveURL(/\/dashboard\/$/);
});

test('login: a wrong code shows an alert, and the right one still works', async ({
  page,
  server,
  phone,
}) => {
  await page.goto('/');
  await page.getByRole('textbox', { name: 'Phone number' }).fill(`0${phone}`);
  await page.keyboard.press('Enter');
  const code = page.getByRole('textbox', { name: 'Code' });
  await expect(code).toBeFocused();
  const right = await server.codeFor(`+91${phone}`);
  await code.fill(right === '000000' ? '000001' : '000000');
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByRole('alert')).toHaveText(/.+/);
  await code.fill(right);
  await expect(page).toHaveURL(/\/ftue\?phone=/);
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('signedIn'))).toBe('true');
});

test('login page: redirects an owner with a session to the dashboard', async ({
  ownerPage: page,
}) => {
  for (const path of ['/', '/login']) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/dashboard\/?$/);
    await page.getByText('Start building connections!').waitFor();
    // A full load: the document of the login page has a policy that allows the provider's script.
    const documentUrl = await page.evaluate(
      () => performance.getEntriesByType('navigation')[0]?.name,
    );
    expect(documentUrl).toMatch(/\/dashboard\/?$/);
  }
  await page.evaluate(() => localStorage.removeItem('signedIn'));
  await page.goto('/login');
  await expect(page).toHaveURL(/\/dashboard\/?$/);
});

test('login page: clears an incomplete session and shows the widget', async ({
  ownerPage: page,
}) => {
  await page.evaluate(() => localStorage.removeItem('sessionToken'));
  await page.goto('/login');
  await expect(page.getByRole('textbox', { name: 'Phone number' })).toBeVisible();
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
});

test('login page: is shown after a failed user call without a redirect loop, and redirects on the next load', async ({
  ownerPage: page,
  server,
  expectErrors,
}) => {
  expectErrors(/did not get through/);
  await page.route('**/api/user/*', (route) => route.abort());
  await page.goto('/dashboard');
  await expect(page).toHaveURL(`${server.origin}/`);
  await expect(page.getByRole('textbox', { name: 'Phone number' })).toBeVisible();
  expect((await readSession(page))._id).not.toBe('');
  await page.unroute('**/api/user/*');
  await page.goto('/');
  await expect(page).toHaveURL(/\/dashboard\/?$/);
  await expect(page.getByText(`Welcome ${ASHA.name.split(' ')[0]}`)).toBeVisible();
});

/** Opens the login page in a browser that has a session, and signs in with another phone. */
async function signInAgain(page: Page, server: RunningServer, phone: string): Promise<void> {
  await page.route('**/api/user/*', (route) => route.abort());
  await page.goto('/dashboard');
  await page.getByRole('textbox', { name: 'Phone number' }).waitFor();
  await page.unroute('**/api/user/*');
  await submitPhone(page, server, phone);
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeVisible();
}

test('login: ends the session that the browser had before', async ({
  ownerPage: page,
  server,
  phone,
  expectErrors,
}) => {
  expectErrors(/did not get through/);
  const logOut = (authorization: string) =>
    page.request.post('/api/user/logout', { headers: { authorization } });
  const before = await readSession(page);
  await signInAgain(page, server, `97${phone.slice(2)}`);
  const after = await readSession(page);
  expect(after.sessionToken).not.toBe(before.sessionToken);
  expect((await logOut(before.sessionToken)).status()).toBe(403);
  expect((await logOut(after.sessionToken)).status()).toBe(200);
});

test('login: succeeds although the previous session cannot be ended', async ({
  ownerPage: page,
  server,
  phone,
  expectErrors,
}) => {
  expectErrors(/GET .* did not get through/, /user\/logout did not get through/);
  const before = await readSession(page);
  await page.route('**/api/user/logout', (route) => route.abort());
  await signInAgain(page, server, `96${phone.slice(2)}`);
  expect((await readSession(page))._id).not.toBe(before._id);
});

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
  await page.getByRole('button', { name: 'Next' }).click();
  await expect.poll(() => alerts).toEqual(['Session logged out']);
  await expect(page).toHaveURL(`${server.origin}/`);
  await expect(page.getByText('Your session is over.')).toBeVisible();
});

test('logout: works while the server is unreachable', async ({ ownerPage: page, expectErrors }) => {
  expectErrors(/did not get through/);
  await page.route('**/api/user/logout', (route) => route.abort());
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await waitForLoginPage(page);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
});

test('guard: is asked at a navigation, at the log out of another tab, and by Back', async ({
  ownerPage: page,
  owner,
  server,
  context,
}) => {
  await page.goto('/dashboard');
  await page.getByText('Nobody has left their details yet.').waitFor();
  // No event tells a page of its own changes of the storage.
  await page.evaluate(() => localStorage.clear());
  await page.getByRole('link', { name: 'Edit Card' }).click();
  await waitForLoginPage(page);

  await storeSession(page, server, owner);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Edit Card' }).click();
  await page.getByRole('textbox', { name: 'Designation' }).waitFor();
  await page.getByRole('button', { name: 'Back' }).click();
  const other = await context.newPage();
  await other.goto('/dashboard/edit');
  await other.getByRole('textbox', { name: 'Designation' }).waitFor();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await waitForLoginPage(page);
  await waitForLoginPage(other);
  await page.goBack();
  await expect(page).toHaveURL(/\/login$/);
  await waitForLoginPage(page);
});
