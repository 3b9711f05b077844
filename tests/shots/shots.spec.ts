import { join } from 'node:path';

import { test } from '@playwright/test';

import { SCREENS } from '#tests/support/screens.ts';
import { seedServer } from '#tests/support/seed.ts';
import { startServer } from '#tests/support/server.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'shots');
const WIDTHS = (process.env['SHOT_WIDTHS'] ?? '320,390,768,1280,2560').split(',').map(Number);
const ONLY = process.env['SHOT_SCREENS']?.split(',');
/** The root font size in pixels, with its mark in the file names. */
const FONT_PX = process.env['SHOT_FONT_PX'];
const FONT_MARK = FONT_PX === undefined ? '' : `-font${FONT_PX}`;
const PHONE_WIDTH_MAX = 500;
/** Time to load the rest; a screen with pending calls never reaches `networkidle`. */
const SETTLE_MS = 250;

test.describe.configure({ mode: 'parallel' });

for (const width of WIDTHS) {
  test(`screenshots: every screen at ${width} px, light and dark`, async ({ browser }, info) => {
    test.setTimeout(30 * 60_000);
    const server = await startServer();
    const seed = await seedServer(server, `7000${info.parallelIndex}`);
    const height = width <= PHONE_WIDTH_MAX ? 844 : 900;
    for (const { name, open } of SCREENS) {
      if (ONLY !== undefined && !ONLY.includes(name)) continue;
      // Headless Chromium blocks notifications unless it is told otherwise.
      const options = { viewport: { width, height }, permissions: ['notifications'] };
      const context = await browser.newContext(options);
      const page = await context.newPage();
      await open(page, seed);
      await page.evaluate((size) => {
        if (size !== undefined) document.documentElement.style.fontSize = `${size}px`;
      }, FONT_PX);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.waitForTimeout(SETTLE_MS);
        const path = join(FOLDER, `${name}-${width}${FONT_MARK}-${colorScheme}.png`);
        await page.screenshot({ path, fullPage: process.env['SHOT_WHOLE_PAGE'] === '1' });
      }
      await context.close();
    }
    await seed.dispose();
    await server.dispose();
  });
}
