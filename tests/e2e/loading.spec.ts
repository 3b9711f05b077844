import { expect, test } from '#tests/support/browser-test.ts';
import { waitForContent } from '#tests/support/open-screen.ts';

test('loading: a full load shows an indicator until its script arrives', async ({
  ownerPage: page,
}) => {
  await page.route('**/assets/main-*.js', () => undefined);
  for (const path of ['/dashboard', '/dashboard/edit', '/ftue']) {
    await page.goto(path, { waitUntil: 'commit' });
    await expect(page.getByRole('status').filter({ hasText: /loading/i }), path).toHaveCount(1);
  }
});

test('scroll: a full load of another page starts at its top', async ({ ownerPage: page }) => {
  await page.setViewportSize({ width: 390, height: 600 });
  for (const path of ['/dashboard/edit', '/dashboard', '/dashboard/edit']) {
    await page.goto(path);
    await waitForContent(page);
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await page.mouse.move(200, 300);
    await expect(async () => {
      await page.mouse.wheel(0, 400);
      expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(100);
    }).toPass();
  }
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByText('Welcome Asha')).toBeInViewport();
});
