import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { devices, expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import sharp from 'sharp';

import { waitForContent } from '#tests/support/screens.ts';
import { freePort } from '#tests/support/port.ts';
import * as ui from '#tests/support/ui.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const LINE =
  /sign in at (\S+)\/login with \+91(\d+) and the code (\d+); visitors see \S+(\/user\/\w+)/;
const PHONE = { width: 390, height: 720 };
const DESKTOP = { width: 1100, height: 720 };

const waitForChart = (page: Page) => page.locator('.analytics-chart svg').waitFor();

async function savePicture(page: Page, name: string): Promise<void> {
  const picture = sharp(await page.screenshot({ animations: 'disabled' }));
  await picture.png({ palette: true }).toFile(join(ROOT, 'docs/pictures', `${name}.png`));
}

/** The full-screen code, which is white in dark mode too: a visitor opens the card, and connects. */
async function saveHandshake(page: Page, origin: string, visitor: Page): Promise<void> {
  await page.setViewportSize(PHONE);
  const [stream] = await Promise.all([
    page.waitForRequest(/\/live\?s=/),
    page.goto(`${origin}/dashboard?qr`),
  ]);
  await stream.response();
  await visitor.goto(`${origin}/user/${stream.url().replace(/.*user\/(\w+)\/live/, '$1')}`);
  await page.getByText('Opened').waitFor();
  await savePicture(page, 'opened');
  visitor.on('dialog', (alert) => void alert.accept());
  await ui.button(visitor, 'Connect').click();
  await ui.fill(visitor, { Name: 'Priya Menon', Mobile: '98201 55667', Company: 'Menon Exports' });
  await ui.button(ui.dialog(visitor, 'Connect'), 'Connect').click();
  await ui.dialog(page, 'QR code').getByText('Menon Exports').waitFor();
  await savePicture(page, 'connected');
}

/** Four phones at the demo's table, side by side: the code, the form, the list, and the code's owner again. */
async function saveTable(page: Page, origin: string, visitors: readonly Page[]): Promise<void> {
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto(`${origin}/dashboard/table`);
  await ui.button(page, 'Show QR code full screen').click();
  const link = page.getByRole('link', { name: 'Save all', includeHidden: true });
  const table = (await link.getAttribute('href'))?.replace('/all.vcf', '') ?? '';
  const pictures = [await page.screenshot()];
  for (const [index, visitor] of visitors.entries()) {
    await visitor.setViewportSize(PHONE);
    await visitor.goto(origin + table);
    const name = ['Kavya Shetty', 'Imran Sheikh'][index] ?? '';
    await ui.fill(visitor, { Name: name, Mobile: `98201 5566${index}`, Company: 'Mosaic Films' });
    if (index === 0) pictures.push(await visitor.screenshot());
    await ui.button(visitor, 'Join').click();
    await ui.link(visitor, 'Save all').waitFor();
  }
  for (const visitor of visitors) {
    await visitor
      .getByText(/Kavya|Imran/)
      .first()
      .waitFor();
    await visitor.evaluate(() => document.querySelector('.table-people')?.scrollIntoView());
  }
  pictures.push(await (visitors[0] ?? page).screenshot());
  await page.keyboard.press('Escape');
  await page.getByText('Imran Sheikh').scrollIntoViewIfNeeded();
  pictures.push(await page.screenshot());
  const gap = 24;
  const width = PHONE.width + gap;
  await sharp({
    create: { width: 4 * width - gap, height: PHONE.height, channels: 3, background: '#e6e2da' },
  })
    .composite(pictures.map((input, index) => ({ input, left: index * width, top: 0 })))
    .png({ palette: true })
    .toFile(join(ROOT, 'docs/pictures/table.png'));
}

/** The guide shows these screens of a phone, which README.md does not. */
const GUIDE_SCREENS = [
  ['edit', '/dashboard/edit'],
  ['appearance', '/dashboard/appearance'],
  ['account', '/dashboard/account'],
] as const;

async function saveGuide(page: Page, origin: string): Promise<void> {
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  for (const [name, path] of GUIDE_SCREENS) {
    await page.goto(origin + path);
    await waitForContent(page);
    await savePicture(page, name);
  }
  await page.goto(`${origin}/dashboard/contacts`);
  await waitForContent(page);
  const callable = { has: page.locator('a[href^="tel:"]') };
  await page.locator('.contact-list tr').filter(callable).first().locator('[data-contact]').click();
  await page.getByRole('textbox', { name: 'Private note' }).waitFor();
  await savePicture(page, 'contact');
}

test('pictures of README.md and docs/guide/: screens of the demo', async ({ page, browser }) => {
  const env = { PATH: process.env['PATH'], PORT: String(await freePort()) };
  const demo = spawn(process.execPath, ['scripts/demo-service.mjs'], { cwd: ROOT, env });
  page.on('close', () => demo.kill());
  let output = '';
  demo.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await expect.poll(() => output).toMatch(/listens on http/);
  const [, origin = '', phone = '', code = '', card = ''] = LINE.exec(output) ?? [];
  await page.setViewportSize(PHONE);
  await page.goto(`${origin}/login`);
  await waitForContent(page);
  await savePicture(page, 'login');
  await page.getByRole('textbox').fill(phone);
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Code' }).fill(code);
  await page.waitForURL('**/dashboard**');
  for (const [name, path, viewport, action] of [
    ['card', card, PHONE],
    ['dashboard', '/dashboard', { ...DESKTOP, height: 900 }],
    ['contacts', '/dashboard/contacts', DESKTOP],
    ['analytics', '/dashboard/analytics', DESKTOP, waitForChart],
  ] as const) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.goto(origin + path);
      await waitForContent(page);
      await action?.(page);
      await savePicture(page, `${name}-${colorScheme}`);
    }
  }
  await saveGuide(page, origin);
  const { userAgent } = devices['Pixel 7'];
  // Each phone has cookies of its own.
  await saveTable(page, origin, [await browser.newPage(), await browser.newPage()]);
  await saveHandshake(page, origin, await browser.newPage({ userAgent }));
});
