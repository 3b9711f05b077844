import { expect, test } from '#tests/support/browser-test.ts';

test('landing page: is complete HTML before any script', async ({ browser, server }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.origin });
  const page = await context.newPage();
  for (const path of ['/', '/login']) {
    await page.goto(path);
    await expect(page).toHaveTitle('Sign in - Tessera');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText('Meera Iyer')).toBeVisible();
    await expect(page.getByRole('img', { name: 'Meera Iyer' })).toBeVisible();
    await expect(page.getByText('A card costs nothing')).toBeVisible();
    await expect(page.getByText('creates your account')).toBeVisible();
    const terms = page.locator('.signin-terms').getByRole('link');
    await expect(terms.nth(0)).toHaveAttribute('href', '/terms_conditions');
    await expect(terms.nth(1)).toHaveAttribute('href', '/privacy_policy');
    const colour = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((node) => getComputedStyle(node).backgroundColor);
    // Only the panel has a vermilion button.
    expect(await colour('#application .signin-card .button-filled')).not.toBe('rgb(200, 64, 31)');
  }
  await context.close();
});

test('landing page: loads the provider’s script and less than 40 KB of scripts', async ({
  page,
}) => {
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname);
  });
  const bodies: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') bodies.push(response.body());
  });
  await page.goto('/login');
  await page.getByRole('textbox', { name: 'Phone number' }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(scripts).toContain('/otp/embedded.js');
  expect(Buffer.concat(await Promise.all(bodies)).length).toBeLessThan(40_000);
});

test('owner’s pages: the document has the prerendered HTML of its page before any script', async ({
  browser,
  server,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.origin });
  const page = await context.newPage();
  await page.goto('/dashboard');
  await expect(page.getByRole('button', { name: 'Menu' })).toBeVisible();
  await expect(page.locator('.home .skeleton').first()).toBeVisible();
  await page.goto('/dashboard/edit');
  await expect(page.getByRole('heading', { name: 'Edit Profile' })).toBeVisible();
  await page.goto('/ftue?phone=1');
  await expect(page.locator('.onboarding .skeleton').first()).toBeVisible();
  await context.close();
});

test('owner’s pages: the prerendered HTML stays until the page replaces it, and nothing moves', async ({
  ownerPage: page,
}) => {
  await page.addInitScript(() => {
    const seen = { shift: 0, isEmpty: false };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += (entry as LayoutShift).value;
    }).observe({ type: 'layout-shift', buffered: true });
    document.addEventListener('DOMContentLoaded', () => {
      const container = document.querySelector('#application');
      const check = () => (seen.isEmpty ||= container?.childElementCount === 0);
      if (container) new MutationObserver(check).observe(container, { childList: true });
    });
  });
  for (const path of ['/dashboard', '/dashboard/edit', '/dashboard/contacts']) {
    await page.goto(path);
    await page.waitForLoadState('networkidle');
    const seen = await page.evaluate(() => (window as unknown as { seen: object }).seen);
    expect([path, seen]).toEqual([path, { shift: expect.closeTo(0, 2), isEmpty: false }]);
  }
});

interface LayoutShift extends PerformanceEntry {
  readonly value: number;
}
