import type { Page } from '@playwright/test';

import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import { FULL_CARD, createOwner, storeSession } from '#tests/support/owner.ts';
import type { Owner } from '#tests/support/owner.ts';
import * as ui from '#tests/support/ui.ts';

// A session that ended elsewhere, for example by log out on another device.

const CARD = { ...FULL_CARD, socialMediaHandles: {} };
const KEPT = 'what you typed is kept';

test.use({ card: CARD });

const endSession = (page: Page, { sessionToken }: Owner) =>
  page.request.post('/api/user/logout', { headers: { authorization: sessionToken } });

test('Edit Profile: text survives a lost session', async ({ page, owner, server, phone, call }) => {
  ui.expectErrors(page, /answered 403/);
  const alerts = ui.collectAlerts(page);
  await page.goto('/dashboard/edit');
  await ui.textbox(page, 'Designation').fill('Partner');
  await ui.button(page, 'LinkedIn').click();
  await ui.addLink(page, 'linkedin.com/in/rao');
  await endSession(page, owner);
  await ui.updateChanges(page);
  await expect.poll(() => alerts).toEqual(['Session logged out']);
  await ui.waitForLoginPage(page);
  await ui.expectTexts(page, KEPT);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await ui.submitPhone(page, server, phone);
  await ui.expectTexts(page, 'Unsaved changes from before your session ended');
  await ui.link(page, 'Go on editing').click();
  await expect(ui.textbox(page, 'Designation')).toHaveValue('Partner');
  await expect(page.getByText('Unsaved changes').first()).toBeVisible();
  await ui.updateChanges(page);
  await expect.poll(() => alerts.at(-1)).toBe('Data updated successfully');
  await expect(page.getByText('Unsaved changes')).toHaveCount(0);
  expect(await call('/user/:id')).toMatchObject({
    designation: 'Partner',
    socialMediaHandles: { LinkedIn: 'https://linkedin.com/in/rao' },
  });
  const stored = await page.evaluate(() => Object.keys(sessionStorage));
  expect(stored).not.toContain(`edit-${owner._id}`);
});

test('Edit Profile: text survives log out elsewhere', async ({ page, owner, server, phone }) => {
  await page.goto('/dashboard/edit');
  await ui.textbox(page, 'Designation').fill('Partner');
  const tab = await page.context().newPage();
  await tab.goto('/privacy_policy');
  await tab.evaluate(() => localStorage.clear());
  await ui.waitForLoginPage(page);
  await storeSession(page, server, owner);
  await page.goto('/dashboard/edit');
  await expect(ui.textbox(page, 'Designation')).toHaveValue('Partner');
  await storeSession(tab, server, await createOwner(server, `96${phone.slice(2)}`, CARD));
  await expect(page).toHaveURL(/\/dashboard\/?$/);
  await page.goto('/dashboard/edit');
  await expect(ui.textbox(page, 'Designation')).toHaveValue(FULL_CARD.designation);
});

/**
 * Removes the cached copies of Edit Profile when the page goes back in the history, which is the worst
 * moment to load another page. Without a step back, removes them after a few frames.
 */
const delayCleanupUntilBack = (page: Page) =>
  page.addInitScript(() => {
    const FRAMES = 30;
    const goneBack = new Promise<void>((resolve) => {
      const back = history.back.bind(history);
      history.back = () => {
        back();
        resolve();
      };
    });
    const waitForFrames = async () => {
      for (let count = 0; count < FRAMES; count += 1) {
        await new Promise((resolve) => {
          requestAnimationFrame(resolve);
        });
      }
    };
    const remove = caches.delete.bind(caches);
    caches.delete = async (name) => {
      if (location.pathname === '/dashboard/edit') await Promise.race([goneBack, waitForFrames()]);
      return remove(name);
    };
  });

test('photo: a 403 ends the session as a save does', async ({ page, owner, server, phone }) => {
  ui.expectErrors(page, /answered with 403/);
  const alerts = ui.collectAlerts(page);
  await delayCleanupUntilBack(page);
  await page.goto('/dashboard/edit');
  await ui.textbox(page, 'Designation').fill('Partner');
  await ui.button(page, 'Edit photo').click();
  const popup = ui.dialog(page, 'Edit photo');
  await ui.choosePhoto(page);
  await endSession(page, owner);
  await ui.button(popup, 'Save').click();
  await expect.poll(() => alerts).toEqual(['Session logged out']);
  await ui.waitForLoginPage(page);
  await ui.expectTexts(page, KEPT);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  expect(await page.evaluate(() => Object.values(sessionStorage).join())).toContain('Partner');
  await storeSession(page, server, await createOwner(server, `97${phone.slice(2)}`, CARD));
  await page.goto('/dashboard/edit');
  await expect(ui.textbox(page, 'Designation')).toHaveValue(FULL_CARD.designation);
});

test('session: a 403 of a proxy ends no session', async ({ page, owner }) => {
  ui.expectErrors(page, /answered 403/);
  for (const calls of ['**/api/profile/getContacts/**', '**/api/account/getAccount/*']) {
    await page.route(calls, (route) => route.fulfill({ status: 403, body: 'Forbidden' }));
  }
  await page.goto('/dashboard');
  await ui.expectTexts(page, 'Your connections could not be loaded.');
  await page.goto('/dashboard/account');
  await ui.expectTexts(page, 'Your account could not be loaded.');
  expect((await ui.readSession(page)).sessionToken).toBe(owner.sessionToken);
});
