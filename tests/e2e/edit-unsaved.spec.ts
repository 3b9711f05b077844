import type { Route } from '@playwright/test';

import { expect, test } from '#tests/support/browser-test.ts';
import { FULL_CARD } from '#tests/support/owner.ts';

const CONFIRMATION = 'Leave without saving? What you changed will be lost.';

test.beforeEach(async ({ ownerPage: page }) => {
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Edit Card' }).click();
  await page.getByRole('textbox', { name: 'Designation' }).waitFor();
});

test('unsaved changes: the back arrow and the browser’s Back ask for confirmation', async ({
  page,
}) => {
  const dialogs: string[] = [];
  let isConfirmed = false;
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void (isConfirmed ? dialog.accept() : dialog.dismiss());
  });
  await page.getByRole('textbox', { name: 'Designation' }).fill('Partner');
  await page.getByRole('button', { name: 'Back' }).click();
  await expect.poll(() => dialogs).toEqual([CONFIRMATION]);
  await page.evaluate(() => history.back());
  await expect.poll(() => dialogs).toEqual([CONFIRMATION, CONFIRMATION]);
  await expect(page).toHaveURL(/\/dashboard\/edit$/);
  await expect(page.getByRole('textbox', { name: 'Designation' })).toHaveValue('Partner');
  isConfirmed = true;
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByText('Welcome Asha')).toBeVisible();
});

test('unsaved changes: no confirmation after a save', async ({ page }) => {
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.accept();
  });
  const designation = page.getByRole('textbox', { name: 'Designation' });
  await designation.fill('Partner');
  await designation.press('Enter');
  await expect.poll(() => dialogs).toEqual(['Data updated successfully']);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByText('Welcome Asha')).toBeVisible();
  await page.goBack();
  await expect(designation).toHaveValue('Partner');
  expect(dialogs).toHaveLength(1);
});

test('Edit photo: the browser’s Back closes the pop-up and stays on the page', async ({ page }) => {
  await page.getByRole('button', { name: 'Edit photo' }).click();
  const popup = page.getByRole('dialog', { name: 'Edit photo' });
  await expect(popup).toBeVisible();
  await expect(page.locator('html')).toHaveCSS('overflow', 'hidden');
  await page.goBack();
  await expect(popup).toBeHidden();
  await expect(page).toHaveURL(/\/dashboard\/edit$/);
  await expect(page.locator('html')).not.toHaveCSS('overflow', 'hidden');
});

test('Update Changes: two presses send one save, with the whole user', async ({ page }) => {
  page.on('dialog', (dialog) => void dialog.accept());
  const bodies: Record<string, unknown>[] = [];
  const pending: Route[] = [];
  await page.route('**/updateUser/*', (route) => {
    bodies.push(route.request().postDataJSON() as Record<string, unknown>);
    pending.push(route);
  });
  await page.getByRole('textbox', { name: 'Designation' }).fill('Partner');
  await page.getByRole('button', { name: 'Update Changes' }).first().click();
  await page.getByRole('button', { name: 'Update Changes' }).last().click({ force: true });
  await page.getByRole('textbox', { name: 'Company' }).press('Enter');
  const answered = page.waitForResponse('**/updateUser/*');
  await expect.poll(() => pending.length).toBe(1);
  await pending[0]?.continue();
  await answered;
  expect(bodies).toEqual([
    {
      ...FULL_CARD,
      designation: 'Partner',
      _id: await page.evaluate(() => localStorage.getItem('_id')),
      profilePhoto: '',
    },
  ]);
});
