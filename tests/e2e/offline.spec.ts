import type { Page } from '@playwright/test';
import jsQR from 'jsqr';
import { PNG } from 'pngjs';

import { collectAlerts, expect, test } from '#tests/support/browser-test.ts';
import { FULL_CARD, createOwner, storeSession, uploadPhoto } from '#tests/support/owner.ts';
import { startServer } from '#tests/support/server.ts';

test.use({ serviceWorkers: 'allow' });

const BANNER = 'You are offline. Your card is shown as last seen.';

/** Opens the dashboard and waits until the service worker has stored everything. */
async function openDashboard(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/dashboard`);
  await page.getByText('Welcome Asha').waitFor();
  await waitForCopy(page);
}

/** Waits until the page has a service worker, and a copy of the profile and its photo. */
async function waitForCopy(page: Page): Promise<void> {
  await page.waitForFunction(async () => {
    await navigator.serviceWorker.ready;
    const owner = await caches.open('owner');
    return navigator.serviceWorker.controller !== null && (await owner.keys()).length === 2;
  });
}

async function readQr(page: Page): Promise<string | undefined> {
  const { data, width, height } = PNG.sync.read(await page.screenshot());
  return jsQR(new Uint8ClampedArray(data), width, height)?.data;
}

/** Whether the photo of the card is a picture that the browser could decode. */
const showsPhoto = (page: Page) =>
  page.locator('img.portrait').evaluate((image: HTMLImageElement) => image.naturalWidth > 0);

test('offline: the dashboard opens with the card, its QR code and Copy Link after a cold start', async ({
  page,
  context,
  phone,
  expectErrors,
}) => {
  expectErrors(/did not get through/);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const server = await startServer();
  const owner = await createOwner(server, phone, FULL_CARD);
  await uploadPhoto(server, owner);
  await storeSession(page, server, owner);
  await openDashboard(page, server.origin);
  const link = `${server.origin}/user/${owner._id}`;

  const alerts = collectAlerts(page);
  const expectDashboard = async () => {
    await expect(page.getByText('Welcome Asha')).toBeVisible();
    await expect(page.getByText(BANNER)).toBeVisible();
    await expect(page.getByText('Your connections need a network.')).toBeVisible();
    expect(await readQr(page)).toBe(link);
    expect(await showsPhoto(page)).toBe(true);
  };
  await context.setOffline(true);
  await page.reload();
  await expectDashboard();
  await page.getByRole('button', { name: 'Copy Link' }).click();
  await expect.poll(() => alerts).toEqual([`Copied: ${link}`]);

  // A cold start: no page is open, and nothing answers.
  await page.goto('about:blank');
  await context.setOffline(false);
  await server.stop();
  await page.goto(`${server.origin}/dashboard/`);
  await expectDashboard();
  await server.dispose();
});
