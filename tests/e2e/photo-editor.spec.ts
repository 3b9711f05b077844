import { randomBytes } from 'node:crypto';

import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';

import { collectAlerts, deferred, expect, test } from '#tests/support/browser-test.ts';
import { jpegFile } from '#tests/support/picture.ts';

/** The next form that a page sends; the test runner cannot read the files in it. */
async function sentForm(page: Page) {
  const form = await page.evaluateHandle(
    () =>
      new Promise<{ form: FormData }>((resolve) => {
        window.XMLHttpRequest = class extends XMLHttpRequest {
          override send(sent: FormData) {
            resolve({ form: sent });
            super.send(sent);
          }
        };
      }),
  );
  return form.evaluate(async ({ form: sent }) => {
    const image = sent.get('image') as File;
    const bytes = [...new Uint8Array(await image.arrayBuffer())];
    return { _id: sent.get('_id'), type: image.type, bytes };
  });
}

const choose = async (popup: Locator, size: { width: number; height: number }) =>
  popup.locator('input[type=file]').setInputFiles(await jpegFile(size));

test.beforeEach(async ({ ownerPage: page }) => {
  await page.goto('/dashboard/edit');
  await page.getByRole('button', { name: 'Edit photo' }).click();
});

test('photo upload: sends a square JPEG of at least 100 pixels and the owner’s _id', async ({
  page,
}) => {
  const popup = page.getByRole('dialog', { name: 'Edit photo' });
  await choose(popup, { width: 400, height: 120 });
  await popup.getByRole('img', { name: 'The file that you chose' }).waitFor();
  // The smallest crop that the keyboard allows.
  const handle = popup.getByRole('button', { name: /bottom right/ });
  await handle.focus();
  for (let press = 0; press < 30; press += 1) await handle.press('Shift+ArrowLeft');
  const sent = sentForm(page);
  await popup.getByRole('button', { name: 'Save' }).click();
  const { _id, type, bytes } = await sent;
  const { format, width, height } = await sharp(Buffer.from(bytes)).metadata();
  expect({ _id, type, format, width, height }).toEqual({
    _id: await page.evaluate(() => localStorage.getItem('_id')),
    type: 'image/jpeg',
    format: 'jpeg',
    width: 100,
    height: 100,
  });
  await expect(popup).toBeHidden();
});

/** In the middle of `box`, with the fingers `gap` pixels apart. */
async function touch(box: Locator, type: string, gap: number | null) {
  await box.evaluate(
    (target, { name, px }) => {
      const { left, top, width, height } = target.getBoundingClientRect();
      const points = px === null ? [] : [-px / 2, px / 2];
      const touches = points.map((x, identifier) => {
        const clientX = left + width / 2 + x;
        return new Touch({ identifier, target, clientX, clientY: top + height / 2 });
      });
      target.dispatchEvent(new TouchEvent(name, { touches, bubbles: true }));
    },
    { name: type, px: gap },
  );
}

test('photo crop: the slider and two fingers change its size', async ({ page }) => {
  const popup = page.getByRole('dialog', { name: 'Edit photo' });
  await choose(popup, { width: 600, height: 600 });
  const crop = popup.locator('.ReactCrop__crop-selection');
  const width = async () => (await crop.boundingBox())?.width ?? 0;
  const zoom = popup.getByRole('slider', { name: 'Zoom' });
  await expect(zoom).toBeVisible();
  const first = await width();
  await touch(crop, 'touchstart', 100);
  await touch(crop, 'touchmove', 50);
  await touch(crop, 'touchend', null);
  await expect.poll(width).toBeCloseTo(first / 2, 0);
  const handle = await popup.getByRole('button', { name: /bottom right/ }).boundingBox();
  expect(handle).toMatchObject({ width: 44, height: 44 });
  await zoom.press('End');
  const sent = sentForm(page);
  await popup.getByRole('button', { name: 'Save' }).click();
  const { width: side } = await sharp(Buffer.from((await sent).bytes)).metadata();
  expect(side).toBe(100);
});

/** Noise that repeats every 60 pixels of a row: small as a PNG, and as a JPEG large. */
async function noise(side: number) {
  const period = 60;
  const rows = Array.from({ length: side }, () => {
    const start = randomBytes(period * 3);
    return Buffer.concat(Array.from({ length: side / period }, () => start));
  });
  const raw = { width: side, height: side, channels: 3 } as const;
  const picture = sharp(Buffer.concat(rows), { raw }).png({ adaptiveFiltering: false });
  return { name: 'noise.png', mimeType: 'image/png', buffer: await picture.toBuffer() };
}

test('photo upload: a crop that takes more than 40 MB shows the alert', async ({ page }) => {
  const alerts = collectAlerts(page);
  const file = await noise(6_600);
  expect(file.buffer.length).toBeLessThan(10_000_000);
  const popup = page.getByRole('dialog', { name: 'Edit photo' });
  await popup.locator('input[type=file]').setInputFiles(file);
  await popup.getByRole('img', { name: 'The file that you chose' }).waitFor();
  await popup.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => alerts, { timeout: 120_000 }).toEqual(['File size too large!']);
  await expect(popup).toBeVisible();
});

test('photo upload: a large crop is sent at 2,048 pixels a side', async ({ page }) => {
  const popup = page.getByRole('dialog', { name: 'Edit photo' });
  await choose(popup, { width: 3_000, height: 4_000 });
  await popup.getByRole('img', { name: 'The file that you chose' }).waitFor();
  const sent = sentForm(page);
  await popup.getByRole('button', { name: 'Save' }).click();
  const { width, height } = await sharp(Buffer.from((await sent).bytes)).metadata();
  expect([width, height]).toEqual([2_048, 2_048]);
});

test('photo upload: without a network the photo stays in the editor', async ({
  page,
  expectErrors,
}) => {
  expectErrors(/did not get through/);
  const popup = page.getByRole('dialog', { name: 'Edit photo' });
  await choose(popup, { width: 600, height: 600 });
  await page.route('**/uploadProfileImage', (route) => route.abort());
  await popup.getByRole('button', { name: 'Save' }).click();
  await expect(popup.getByText('The photo did not get through.')).toBeVisible();
  await page.unroute('**/uploadProfileImage');
  await popup.getByRole('button', { name: 'Save' }).click();
  await expect(popup).toBeHidden();
  await expect(page.locator('img[src^="/photos/"]').first()).toBeVisible();
});

test('photo upload: shows the photo at once, and a rejected one can be repeated', async ({
  page,
  expectErrors,
}) => {
  expectErrors(/answered with 503/);
  const alerts = collectAlerts(page);
  const popup = page.getByRole('dialog', { name: 'Edit photo' });
  await page.route('**/uploadProfileImage', (route) => route.fulfill({ status: 503, json: {} }));
  await choose(popup, { width: 600, height: 600 });
  await popup.getByRole('button', { name: 'Save' }).click();
  await expect(popup).toBeHidden();
  await expect(page.locator('img[src^="blob:"]').first()).toBeVisible();
  await page.unroute('**/uploadProfileImage');
  const release = deferred();
  await page.route('**/uploadProfileImage', async (route) => {
    await release.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Sending the photo' })).toBeVisible();
  release.resolve();
  await expect(page.locator('img[src^="/photos/"]').first()).toBeVisible();
  await expect(page.getByText('may not have been kept')).toBeHidden();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.locator('img[src^="/photos/"]').first()).toBeVisible();
  expect(alerts).toEqual([]);
});

test('photo file: an unreadable one shows a note, and another can be chosen', async ({ page }) => {
  const alerts = collectAlerts(page);
  const popup = page.getByRole('dialog', { name: 'Edit photo' });
  const input = popup.locator('input[type=file]');
  const { buffer } = await jpegFile({ width: 600, height: 600 });
  await input.setInputFiles({
    name: 'cut.jpg',
    mimeType: 'image/jpeg',
    buffer: buffer.subarray(0, 200),
  });
  await expect(popup.getByText('This file cannot be read. Choose a JPG or PNG.')).toBeVisible();
  await input.setInputFiles({
    name: 'IMG_1.HEIC',
    mimeType: 'image/heic',
    buffer: Buffer.from('ftypheic'),
  });
  await expect(popup.getByText('This browser cannot open HEIC photos.')).toBeVisible();
  await expect(popup.getByRole('button', { name: 'Save' })).toBeDisabled();
  await input.setInputFiles(await jpegFile({ width: 600, height: 600 }));
  await expect(popup.getByRole('button', { name: 'Save' })).toBeEnabled();
  expect(alerts).toEqual([]);
});

test('photo upload: shows its progress and can be cancelled', async ({ page, expectErrors }) => {
  expectErrors(/did not get through/);
  const popup = page.getByRole('dialog', { name: 'Edit photo' });
  await page.route('**/uploadProfileImage', () => undefined);
  await choose(popup, { width: 600, height: 600 });
  await popup.getByRole('button', { name: 'Save' }).click();
  await expect(popup.getByRole('progressbar', { name: 'Upload' })).toBeVisible();
  await popup.getByRole('button', { name: 'Cancel' }).click();
  await expect(popup).toBeHidden();
  await expect(page.locator('img[src^="/photos/"]').first()).toBeHidden();
});
