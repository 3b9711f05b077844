import type { Route } from '@playwright/test';

import { expect, test } from '#tests/support/browser-test.ts';
import { FULL_CARD, storeSession, createOwner } from '#tests/support/owner.ts';

const QUESTION = 'Leave without saving? What you changed will be lost.';

test.beforeEach(async ({ page, server, phone }) => {
  await storeSession(page, server, await createOwner(server, phone, FULL_CARD));
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Edit Card' }).click();
  await page.getByRole('textbox', { name: 'Designation' }).waitFor();
});

test('unsaved changes are asked about before they are lost, by the arrow and by the browser', async ({
  page,
}) => {
  const questions: string[] = [];
  let isLeaving = false;
  page.on('dialog', (dialog) => {
    questions.push(dialog.message());
    void (isLeaving ? dialog.accept() : dialog.dismiss());
  });
  await page.getByRole('textbox', { name: 'Designation' }).fill('Partner');
  await page.getByRole('button', { name: 'Back' }).click();
  await expect.poll(() => questions).toEqual([QUESTION]);
  await page.evaluate(() => history.back());
  await expect.poll(() => questions).toEqual([QUESTION, QUESTION]);
  await expect(page).toHaveURL(/\/dashboard\/edit$/);
  await expect(page.getByRole('textbox', { name: 'Designation' })).toHaveValue('Partner');
  isLeaving = true;
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByText('Welcome Asha')).toBeVisible();
});

test('nothing is asked where nothing would be lost', async ({ page }) => {
  const said: string[] = [];
  page.on('dialog', (dialog) => {
    said.push(dialog.message());
    void dialog.accept();
  });
  const designation = page.getByRole('textbox', { name: 'Designation' });
  await designation.fill('Partner');
  await designation.press('Enter');
  await expect.poll(() => said).toEqual(['Data updated successfully']);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByText('Welcome Asha')).toBeVisible();
  await page.goBack();
  await expect(designation).toHaveValue('Partner');
  expect(said).toHaveLength(1);
});

test('the browser goes back out of a pop-up first, and the page behind it stays', async ({
  page,
}) => {
  await page.getByRole('button', { name: 'Edit photo' }).click();
  const popup = page.getByRole('dialog', { name: 'Edit photo' });
  await expect(popup).toBeVisible();
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).overflow)).toBe(
    'hidden',
  );
  await page.goBack();
  await expect(popup).toBeHidden();
  await expect(page).toHaveURL(/\/dashboard\/edit$/);
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).overflow)).not.toBe(
    'hidden',
  );
});

test('two presses send one save, and the whole user goes with it', async ({ page }) => {
  page.on('dialog', (dialog) => void dialog.accept());
  const bodies: Record<string, unknown>[] = [];
  const held: Route[] = [];
  await page.route('**/updateUser/*', (route) => {
    bodies.push(route.request().postDataJSON() as Record<string, unknown>);
    held.push(route);
  });
  await page.getByRole('textbox', { name: 'Designation' }).fill('Partner');
  await page.getByRole('button', { name: 'Update Changes' }).first().click();
  await page.getByRole('button', { name: 'Update Changes' }).last().click({ force: true });
  await page.getByRole('textbox', { name: 'Company' }).press('Enter');
  const answered = page.waitForResponse('**/updateUser/*');
  await expect.poll(() => held.length).toBe(1);
  await held[0]?.continue();
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

test('an email that looks wrong gets a quiet word, and is saved as typed', async ({ page }) => {
  const said: string[] = [];
  page.on('dialog', (dialog) => {
    said.push(dialog.message());
    void dialog.accept();
  });
  const email = page.getByRole('textbox', { name: 'Email' });
  await email.fill('asha at rao');
  await email.blur();
  await expect(page.getByText('This does not look like an email address.')).toBeVisible();
  await page.getByRole('button', { name: 'Update Changes' }).first().click();
  await expect.poll(() => said).toEqual(['Data updated successfully']);
  await expect(email).toHaveValue('asha at rao');
});
