import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

import { OWNER_CACHE } from '#domain/offline.ts';

/** Waits until the page has stored the owner's profile, and the photo by default, for use without a network. */
export async function waitForOfflineCopy(page: Page, other = '/photos/'): Promise<void> {
  // `waitForFunction` does not wait for a promise.
  const storedPaths = () =>
    page.evaluate(async (name) => {
      const requests = await (await caches.open(name)).keys();
      return requests.map(({ url }) => new URL(url).pathname).join(' ');
    }, OWNER_CACHE);
  await expect.poll(storedPaths, { timeout: 15_000 }).toContain('/last-seen');
  await expect.poll(storedPaths, { timeout: 15_000 }).toContain(other);
}
