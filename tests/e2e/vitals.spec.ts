import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, test } from '#tests/support/browser-test.ts';
import { startServer } from '#tests/support/server.ts';
import * as ui from '#tests/support/ui.ts';

test('web vitals: are sent once on page unload, without the query', async ({ page }) => {
  const received: unknown[] = [];
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push(JSON.parse(Buffer.concat(chunks).toString()));
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const server = await startServer({ VITALS_URL: `http://127.0.0.1:${port}/vitals` });

  const reporter = page.waitForResponse(/\/assets\/vitals-/);
  await page.goto(`${server.origin}/login?phone=%2B919876543210`);
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

  await expect.poll(() => received.length).toBe(1);
  const [{ lcp, cls, ...rest }] = received as [{ lcp: number; cls: number }];
  expect(rest).toEqual({ inp: expect.any(Number), path: '/login' });
  expect(lcp).toBeGreaterThan(0);
  expect(cls).toBeLessThan(0.1);
  await server.dispose();
  receiver.close();
});
