import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import jsQR from 'jsqr';
import { PNG } from 'pngjs';

const TIMEOUT_MS = 30_000;

/** Waits until a screenshot shows a QR code with a link. Screenshots fail while the page is still loading. */
export async function expectQrCode(page: Page, link: string | RegExp): Promise<void> {
  await expect(async () => {
    const { data, width, height } = PNG.sync.read(await page.screenshot());
    const found = jsQR(new Uint8ClampedArray(data), width, height)?.data;
    if (typeof link === 'string') expect(found).toBe(link);
    else expect(found).toMatch(link);
  }).toPass({ timeout: TIMEOUT_MS });
}
