import { expect, ownerTest as test, test as base } from '#tests/support/browser-test.ts';
import { waitForContent } from '#tests/support/screens.ts';
import * as ui from '#tests/support/ui.ts';

test('owner’s pages: nothing moves while they load', async ({ page }) => {
  const readShift = await ui.measureShift(page);
  for (const path of ['/dashboard', '/dashboard/edit', '/dashboard/contacts']) {
    await page.goto(path);
    await page.waitForLoadState('networkidle');
    expect([path, await readShift()]).toEqual([path, expect.closeTo(0, 2)]);
  }
});

test('owner’s pages: a full load has an indicator, and starts at the top', async ({ page }) => {
  const scrollY = () => page.evaluate(() => window.scrollY);
  await page.setViewportSize({ width: 390, height: 600 });
  for (const path of ['/dashboard/edit', '/dashboard', '/dashboard/edit']) {
    await page.goto(path);
    await waitForContent(page);
    expect(await scrollY()).toBe(0);
    await page.mouse.move(200, 300);
    await expect(async () => {
      await page.mouse.wheel(0, 400);
      expect(await scrollY()).toBeGreaterThan(100);
    }).toPass();
  }
  await ui.button(page, 'Back').click();
  await expect(page.getByText('Welcome Asha')).toBeInViewport();
  await page.route('**/assets/index-*.js', () => undefined);
  for (const path of ['/dashboard', '/dashboard/edit', '/ftue']) {
    await page.goto(path, { waitUntil: 'commit' });
    await expect(page.getByRole('status').filter({ hasText: /loading/i }), path).toHaveCount(1);
  }
});

const vitalsTest = base.extend({
  server: async ({ serve, services }, use) =>
    use(await serve({ VITALS_URL: `${services.origin}/vitals` })),
});

vitalsTest('web vitals: are sent once, on unload, without query', async ({ page, services }) => {
  const reporter = page.waitForResponse(/\/assets\/vitals-/);
  await page.goto('/login?phone=%2B919876543210');
  const reporterUrl = (await reporter).url();
  // A module is evaluated once: this waits until the page has evaluated it.
  await page.evaluate((url) => import(url) as Promise<unknown>, reporterUrl);
  // The first input ends its measurement.
  await page.evaluate(
    (options) => new Promise((resolve) => new PerformanceObserver(resolve).observe(options)),
    { type: 'largest-contentful-paint', buffered: true },
  );
  await ui.textbox(page, 'Phone number').fill('98765');
  await page.goto('about:blank');
  const received = () => services.callsTo('/vitals');
  await expect.poll(() => received().length).toBe(1);
  const { lcp, cls, ...rest } = JSON.parse(received()[0]?.body ?? '') as Record<string, number>;
  expect(rest).toEqual({ inp: expect.any(Number), path: '/login' });
  expect(lcp).toBeGreaterThan(0);
  expect(cls).toBeLessThan(0.1);
});

test('owner’s pages: say what keeps them from loading', async ({ browser, server, page }) => {
  await page.route('**/*.js', (route) => route.abort());
  await page.goto('/dashboard', { waitUntil: 'commit' });
  await expect(page.getByText("This page hasn't loaded yet.")).toBeVisible({ timeout: 12_000 });
  await expect(ui.link(page, 'Try again')).toHaveAttribute('href', '');
  await page.unrouteAll();
  await ui.link(page, 'Try again').click();
  await ui.expectTexts(page, 'Welcome Asha');
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.origin });
  const plain = await context.newPage();
  await plain.goto('/dashboard');
  await expect(plain.locator('noscript p')).toHaveText(/^Your card needs JavaScript/);
  await context.close();
});

test('owner’s pages: one whose chunk hangs is the error screen after 120 s', async ({ page }) => {
  await page.clock.install();
  await page.route('**/assets/page-*.js', () => undefined);
  await page.goto('/dashboard/edit', { waitUntil: 'commit' });
  await page.waitForRequest('**/assets/page-*.js');
  // Real time passes too, also on a busy machine.
  await page.clock.runFor(80_000);
  await ui.expectTexts(page, 'The page is loading');
  await page.clock.runFor(41_000);
  await expect(ui.heading(page, 'Unexpected Application Error!')).toBeVisible();
});
