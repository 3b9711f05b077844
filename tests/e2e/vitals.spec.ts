import { expect, test as base } from '#tests/support/browser-test.ts';
import * as ui from '#tests/support/ui.ts';

const test = base.extend({
  server: async ({ serve, services }, use) =>
    use(await serve({ VITALS_URL: `${services.origin}/vitals` })),
});

test('web vitals: are sent once on page unload, without the query', async ({ page, services }) => {
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
