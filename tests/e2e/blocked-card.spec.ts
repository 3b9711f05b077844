import { runAdmin } from '#tests/support/admin.ts';
import { collectAlerts, expect, test } from '#tests/support/browser-test.ts';

test('blocked card: its owner sees the reason at the next save and at the next load, visitors see a notice', async ({
  ownerPage: page,
  server,
  expectErrors,
  owner: { _id },
}) => {
  expectErrors(/answered 410/);
  const alerts = collectAlerts(page);
  await page.goto('/dashboard/edit');
  await page.getByRole('textbox', { name: 'Designation' }).fill('Partner');
  const environment = { DATA_DIR: server.dataDir };
  expect((await runAdmin(environment, 'block', _id, '--reason', 'spam')).code).toBe(0);

  const sentence = 'Your card has been blocked by the operator of this service.';
  await page.getByRole('button', { name: 'Update Changes' }).first().click();
  await expect.poll(() => alerts).toEqual([`${sentence} Changes are not saved.`]);
  await expect(page.getByText('Unsaved changes').first()).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Designation' })).toHaveValue('Partner');

  await page.goto('/dashboard');
  await expect(page).toHaveURL(`${server.origin}/`);
  await expect(page.getByText(sentence)).toBeVisible();

  const card = await page.goto(`/user/${_id}`);
  expect(card?.status()).toBe(410);
  await expect(page.getByRole('heading', { name: 'This card is not available' })).toBeVisible();
  await expect(page.getByText('Create Your Tessera Card')).toBeVisible();
});
