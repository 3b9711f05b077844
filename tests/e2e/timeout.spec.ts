import { collectAlerts, expect, leaveDetails, test } from '#tests/support/browser-test.ts';

// A server that accepts a call and never answers it. The test advances the page's clock.

const TIMEOUT_MS = 15_000;

test('timeout: a hanging save ends as a network failure', async ({
  ownerPage: page,
  expectErrors,
}) => {
  expectErrors(/updateUser.* did not get through/);
  await page.clock.install();
  await page.goto('/dashboard/edit');
  await page.getByRole('textbox', { name: 'Designation' }).fill('Partner');
  await page.route('**/updateUser/*', () => undefined);
  await page.getByRole('button', { name: 'Update Changes' }).first().click();
  await expect(page.getByRole('status').filter({ hasText: 'Saving' })).toHaveCount(1);
  await page.clock.runFor(TIMEOUT_MS);
  await expect(page.getByRole('status').filter({ hasText: 'Saving' })).toHaveCount(0);
  await expect(page.getByText('Unsaved changes').first()).toBeVisible();
});

test('timeout: a hanging Connect shows the alert and closes', async ({
  page,
  server,
  owner: { _id },
}) => {
  await page.clock.install();
  // The clock of the test does not advance the browser's own.
  await page.addInitScript(() => {
    AbortSignal.timeout = (timeMs) => {
      const abort = new AbortController();
      setTimeout(() => abort.abort(), timeMs);
      return abort.signal;
    };
  });
  const alerts = collectAlerts(page);
  await page.route('**/profile/addContact', () => undefined);
  await page.goto(`${server.origin}/user/${_id}`);
  await leaveDetails(page);
  const popup = page.getByRole('dialog', { name: 'Connect' });
  await expect(popup.getByRole('button', { name: 'Connecting' })).toBeVisible();
  await page.clock.runFor(TIMEOUT_MS);
  await expect.poll(() => alerts).toEqual(['Some error occured']);
  await expect(popup).toBeHidden();
});
