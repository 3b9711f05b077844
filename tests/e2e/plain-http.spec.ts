import { collectAlerts, expect, test } from '#tests/support/browser-test.ts';
import { storeSession } from '#tests/support/owner.ts';

// A self-hosted service without TLS: the browser has neither the clipboard API nor a share sheet.

test('Copy Link: copies over plain HTTP on a network address', async ({
  page,
  server,
  context,
  expectErrors,
  owner,
}) => {
  expectErrors(/Cross-Origin-Opener-Policy header has been ignored/);
  const alerts = collectAlerts(page);
  const { port } = new URL(server.origin);
  const origin = `http://plain.test:${port}`;
  await storeSession(page, { ...server, origin }, owner);
  await page.goto(`${origin}/dashboard`);
  expect(await page.evaluate(() => [isSecureContext, typeof navigator.clipboard])).toEqual([
    false,
    'undefined',
  ]);
  await expect(page.getByRole('heading', { name: 'Recent Connections' })).toBeVisible();
  await expect(page.getByRole('switch')).toHaveCount(0);
  const copy = page.getByRole('button', { name: 'Copy Link' });
  await copy.click();
  const link = `${origin}/user/${owner._id}`;
  await expect.poll(() => alerts).toEqual([`Copied: ${link}`]);
  await expect(copy).toBeFocused();
  await expect(page.locator('textarea')).toHaveCount(0);
  const paste = await context.newPage();
  await paste.bringToFront();
  await paste.setContent('<textarea></textarea>');
  await paste.locator('textarea').focus();
  await paste.keyboard.press('Control+V');
  await expect(paste.locator('textarea')).toHaveValue(link);
});

test('Share: without a share sheet nothing happens, and Copy Link is the main action', async ({
  ownerPage: page,
}) => {
  const alerts = collectAlerts(page);
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'share', { configurable: true, value: undefined });
  });
  await page.goto('/dashboard');
  const main = page.locator('.my-card .ui-button-main');
  await expect(main).toHaveText('Copy Link');
  await page.getByRole('button', { name: 'Share' }).click();
  await expect(page.getByText('Welcome Asha')).toBeVisible();
  expect(alerts).toEqual([]);

  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'share', { configurable: true, value: async () => undefined });
  });
  await page.reload();
  await expect(main).toHaveText('Share');
});
