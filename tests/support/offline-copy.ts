import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

import { OWNER_CACHE } from '#domain/offline.ts';

/** Waits until the page has stored the owner's profile and photo for use without a network. */
export async function waitForOfflineCopy(page: Page): Promise<void> {
  // `waitForFunction` does not wait for a promise.
  const countStored = () =>
    page.evaluate(async (name) => (await (await caches.open(name)).keys()).length, OWNER_CACHE);
  await expect.poll(countStored, { timeout: 15_000 }).toBe(2);
}
