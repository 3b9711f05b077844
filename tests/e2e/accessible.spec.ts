import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { AxeResults, RunOptions } from 'axe-core';

import { expect, test as base } from '#tests/support/browser-test.ts';
import { SCREENS } from '#tests/support/screens.ts';
import { seedServer } from '#tests/support/seed.ts';
import type { Seed } from '#tests/support/seed.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  resultTypes: ['violations'],
};

const test = base.extend<object, { seed: Seed }>({
  seed: [
    async ({ server }, use, info) => use(await seedServer(server, `7000${info.parallelIndex}`)),
    { scope: 'worker', timeout: 60_000 },
  ],
});

declare const axe: { run: (options: RunOptions) => Promise<AxeResults> };

for (const colorScheme of ['light', 'dark'] as const) {
  for (const screen of SCREENS) {
    test(`axe: ${screen.name} in ${colorScheme} has no violations`, async ({
      page,
      seed,
      expectErrors,
    }) => {
      expectErrors(...(screen.errors ?? []));
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await screen.open(page, seed);
      await page.evaluate(AXE);
      const { violations } = await page.evaluate((rules) => axe.run(rules), RULES);
      expect(
        violations.map(({ id, nodes }) => [
          id,
          nodes.map((node) => [node.html, node.failureSummary]),
        ]),
      ).toEqual([]);
    });
  }
}

for (const width of [320, 2560]) {
  test(`layout: no screen scrolls sideways at ${width} pixels`, async ({ browser, seed }) => {
    test.setTimeout(400_000);
    const wide: string[] = [];
    for (const screen of SCREENS) {
      const context = await browser.newContext({ viewport: { width, height: 844 } });
      const page = await context.newPage();
      await screen.open(page, seed);
      const [content, view] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ]);
      if ((content ?? 0) > (view ?? 0)) wide.push(`${screen.name}: ${content} > ${view}`);
      await context.close();
    }
    expect(wide).toEqual([]);
  });
}
