import type { Page } from '@playwright/test';

import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import { goToSocials } from '#tests/support/screens.ts';
import { FULL_CARD, storeSession } from '#tests/support/owner.ts';
import type { Owner } from '#tests/support/owner.ts';
import * as ui from '#tests/support/ui.ts';

const USER_CALL = '**/api/user/*';
const LOG_OUT_CALL = '**/api/user/logout';
const CARD = { ...FULL_CARD, socialMediaHandles: {} };

test.use({ card: CARD });

/** The session ends as by a log out on another device. */
const endSession = async (page: Page, { sessionToken: authorization }: Omit<Owner, '_id'>) =>
  (await page.request.post('/api/user/logout', { headers: { authorization } })).status();

test('login: ends the session before, if it can', async ({ page, owner, server, phone }) => {
  ui.expectErrors(page, /did not get through/);
  /** Shows the login page although there is a session, because the user cannot be fetched. */
  const openWithoutUser = async () => {
    await ui.failCalls(page, USER_CALL);
    await page.goto('/dashboard');
    await expect(page).toHaveURL('/');
    await expect(ui.textbox(page, 'Phone number')).toBeVisible();
    await page.unroute(USER_CALL);
  };
  await openWithoutUser();
  await page.goto('/');
  await expect(page).toHaveURL(/\/dashboard\/?$/);
  await ui.expectTexts(page, 'Welcome Asha');
  let before = owner.sessionToken;
  for (const status of [403, 200]) {
    if (status === 200) await ui.failCalls(page, LOG_OUT_CALL);
    await openWithoutUser();
    await ui.submitPhone(page, server, `9${status}${phone.slice(4)}`);
    await expect(ui.textbox(page, 'Name')).toBeVisible();
    expect(await endSession(page, { sessionToken: before })).toBe(status);
    before = (await ui.readSession(page)).sessionToken;
  }
  expect(await endSession(page, { sessionToken: before })).toBe(200);
});

test('login: what is left of a session is removed if its marker is stored', async ({ page }) => {
  const keysWithout = (name: string) =>
    page.evaluate((removed) => {
      localStorage.removeItem(removed);
      return Object.keys(localStorage).length;
    }, name);
  await page.goto('/privacy_policy');
  expect(await keysWithout('sessionToken')).toBe(2);
  await page.goto('/login');
  await expect(ui.textbox(page, 'Phone number')).toBeVisible();
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
});

test('onboarding: a session that ended elsewhere is over', async ({ page, owner }) => {
  ui.expectErrors(page, /answered 403/);
  const alerts = ui.collectAlerts(page);
  await page.goto('/ftue');
  await goToSocials(page);
  await endSession(page, owner);
  await ui.button(page, 'Next').click();
  await expect.poll(() => alerts).toEqual(['Session logged out']);
  await expect(page).toHaveURL('/');
  await ui.expectTexts(page, "You've been signed out.");
});

test('guard: is asked by Back and in every tab', async ({ page, owner, server, context }) => {
  ui.expectErrors(page, /logout did not get through/);
  await page.goto('/dashboard');
  await ui.expectTexts(page, 'Nobody has left their details yet.');
  // No event tells a page of its own changes of the storage. What is left of a session is removed.
  await page.evaluate(() => localStorage.removeItem('_id'));
  await ui.link(page, 'Edit Card').click();
  await ui.waitForLoginPage(page);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await storeSession(page, server, owner);
  await page.goto('/dashboard');
  await ui.link(page, 'Edit Card').click();
  await ui.textbox(page, 'Designation').waitFor();
  await ui.button(page, 'Back').click();
  await ui.link(page, 'Contacts').click();
  await ui.expectTexts(page, 'Comming Soon');
  const other = await context.newPage();
  await other.goto('/dashboard/edit');
  await ui.textbox(other, 'Designation').waitFor();
  await ui.failCalls(page, LOG_OUT_CALL);
  await ui.logOut(page);
  for (const each of [page, other]) await ui.waitForLoginPage(each);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await page.goBack();
  await expect(page).toHaveURL(/\/login$/);
  await ui.waitForLoginPage(page);
});

async function expectKeptText(page: Page, alerts: readonly string[]): Promise<void> {
  await expect.poll(() => alerts).toEqual(['Session logged out']);
  await ui.waitForLoginPage(page);
  await ui.expectTexts(page, 'your draft is saved');
  expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
  const [kept, ...others] = Object.entries(await ui.storedEntries(page));
  expect([kept?.[0], others]).toEqual([expect.stringMatching(/^draft-edit-/), []]);
  expect(kept?.[1]).toMatchObject({ profile: { designation: 'Partner' } });
}

test('Edit Profile: text survives a lost session', async ({ page, owner, server, phone, call }) => {
  ui.expectErrors(page, /answered 403/);
  const alerts = ui.collectAlerts(page);
  await page.goto('/dashboard/edit');
  await ui.textbox(page, 'Designation').fill('Partner');
  await ui.button(page, 'LinkedIn').click();
  await ui.addLink(page, 'linkedin.com/in/rao');
  await endSession(page, owner);
  await ui.updateChanges(page);
  await expectKeptText(page, alerts);
  await ui.submitPhone(page, server, phone);
  await ui.expectTexts(page, 'You have unsaved changes.');
  await ui.link(page, 'Continue editing').click();
  await expect(ui.textbox(page, 'Designation')).toHaveValue('Partner');
  await expect(page.getByText('Not saved yet').first()).toBeVisible();
  await ui.updateChanges(page);
  await expect.poll(() => alerts.at(-1)).toBe('Data updated successfully');
  await expect(page.getByText('Not saved yet')).toHaveCount(0);
  const socialMediaHandles = { LinkedIn: 'https://linkedin.com/in/rao' };
  expect(await call('/user/:id')).toMatchObject({ designation: 'Partner', socialMediaHandles });
  await expect.poll(() => ui.storedKeys(page)).toBe('queries');
});

test('photo: a 403 ends the session as a save does; a sign-in of another owner removes what was typed', async ({
  page,
  server,
  owner,
  phone,
}) => {
  ui.expectErrors(page, /answered 403/);
  const alerts = ui.collectAlerts(page);
  await page.goto('/dashboard/edit');
  await ui.textbox(page, 'Designation').fill('Partner');
  await ui.button(page, 'Edit photo').click();
  await ui.choosePhoto(page);
  await endSession(page, owner);
  await ui.button(ui.dialog(page, 'Edit photo'), 'Save').click();
  await expectKeptText(page, alerts);
  await ui.submitPhone(page, server, `96${phone.slice(2)}`);
  await expect(ui.textbox(page, 'Name')).toBeVisible();
  expect(await ui.storedKeys(page)).not.toContain('draft-edit-');
});
