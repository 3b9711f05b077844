import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { AxeResults, RunOptions } from 'axe-core';

import { expect, test as base } from '#tests/support/browser-test.ts';
import { findOverlaps } from '#tests/support/overlap.ts';
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

/** Widths, and the font size that the user has chosen in the browser: 16 is the default. */
const LAYOUTS = [
  { width: 320, fontPx: 16 },
  { width: 390, fontPx: 32 },
  { width: 1280, fontPx: 32 },
  { width: 2560, fontPx: 16 },
] as const;
/** Tall, so that nothing sticks to the bottom edge in front of the text. */
const HEIGHT = 4000;

for (const { width, fontPx } of LAYOUTS) {
  test(`layout: no screen scrolls sideways or overlaps at ${width} pixels and a font of ${fontPx}`, async ({
    browser,
    seed,
  }) => {
    test.setTimeout(600_000);
    const wrong: string[] = [];
    for (const screen of SCREENS) {
      const context = await browser.newContext({ viewport: { width, height: HEIGHT } });
      const page = await context.newPage();
      await screen.open(page, seed);
      await page.evaluate((size) => {
        document.documentElement.style.fontSize = `${size}px`;
      }, fontPx);
      const [content, view] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ]);
      if ((content ?? 0) > (view ?? 0)) wrong.push(`${screen.name}: ${content} > ${view}`);
      wrong.push(...(await findOverlaps(page)).map((pair) => `${screen.name}: ${pair}`));
      await context.close();
    }
    expect(wrong).toEqual([]);
  });
}

test('layout: an overlap of two texts is found', async ({ page, seed }) => {
  await page.goto(`${seed.server.origin}/user/${seed.full._id}`);
  expect(await findOverlaps(page)).toEqual([]);
  await page.evaluate(() => {
    const name = document.querySelector<HTMLElement>('.card-name');
    if (name) name.style.transform = 'translateY(34px)';
  });
  expect(await findOverlaps(page)).toContain("'Asha Rao' and 'Principal Architect'");
});
