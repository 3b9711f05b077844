import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import sharp from 'sharp';

import { press, waitForContent } from '#tests/support/screens.ts';
import { freePort } from '#tests/support/port.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const LINE =
  /sign in at (\S+)\/login with \+91(\d+) and the code (\d+); visitors see \S+(\/user\/\w+)/;
const PHONE = { width: 390, height: 720 };
const DESKTOP = { width: 1100, height: 720 };

const waitForChart = (page: Page) => page.locator('.analytics-chart canvas').first().waitFor();

test('pictures of README.md: five screens of the demo, light and dark', async ({ page }) => {
  const env = { PATH: process.env['PATH'], PORT: String(await freePort()) };
  const demo = spawn(process.execPath, ['scripts/demo-service.mjs'], { cwd: ROOT, env });
  page.on('close', () => demo.kill());
  let output = '';
  demo.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await expect.poll(() => output).toMatch(/listens on http/);
  const [, origin = '', phone = '', code = '', card = ''] = LINE.exec(output) ?? [];
  await page.goto(`${origin}/login`);
  await page.getByRole('textbox').fill(phone);
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Code' }).fill(code);
  await page.waitForURL('**/dashboard**');
  for (const [name, path, viewport, action] of [
    ['card', card, PHONE],
    ['qr-code', '/dashboard', PHONE, press('Show QR code full screen')],
    ['dashboard', '/dashboard', DESKTOP],
    ['contacts', '/dashboard/contacts', DESKTOP],
    ['analytics', '/dashboard/analytics', DESKTOP, waitForChart],
  ] as const) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.goto(origin + path);
      await waitForContent(page);
      await action?.(page);
      const picture = sharp(await page.screenshot({ animations: 'disabled' }));
      const file = join(ROOT, 'docs/pictures', `${name}-${colorScheme}.png`);
      await picture.png({ palette: true }).toFile(file);
    }
  }
});
