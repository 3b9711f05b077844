import { join } from 'node:path';

import { test } from '@playwright/test';

import { SCREENS, setStage } from '#tests/support/screens.ts';
import { startServer } from '#tests/support/server.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'shots');
const WIDTHS = (process.env['SHOT_WIDTHS'] ?? '320,390,768,1280,2560').split(',').map(Number);
const ONLY = process.env['SHOT_SCREENS']?.split(',');
const PHONE_WIDTH_MAX = 500;

test('every screen, at every width, light and dark', async ({ browser }) => {
  test.setTimeout(30 * 60_000);
  const server = await startServer();
  const stage = await setStage(server, '70005');
  const screens = SCREENS.filter(({ name }) => ONLY === undefined || ONLY.includes(name));
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of WIDTHS) {
      const height = width <= PHONE_WIDTH_MAX ? 844 : 900;
      for (const screen of screens) {
        const context = await browser.newContext({ colorScheme, viewport: { width, height } });
        const page = await context.newPage();
        await screen.open(page, stage);
        await page.waitForLoadState('networkidle');
        await page.screenshot({ path: join(FOLDER, `${screen.name}-${width}-${colorScheme}.png`) });
        await context.close();
      }
    }
  }
  await server.dispose();
});
