import { spawnSync } from 'node:child_process';

import { chromium } from '@playwright/test';
import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { ROOT } from '#scripts/ready.mjs';
import { newFolder } from '#tests/support/folder.ts';
import { createOwner, storeSession } from '#tests/support/owner.ts';
import { freePort } from '#tests/support/port.ts';
import { startCluster } from '#tests/support/postgres.ts';
import { buildVersion } from '#tests/support/previous-version.ts';
import { print } from '#tests/support/print.ts';
import { startServer } from '#tests/support/server.ts';
import { ADDRESS, SITE_PROXIES } from '#tests/support/site-proxy.ts';

// A browser uses the owner's pages while nodes of the last release and of this version run behind a shipped proxy file.

const VISITS = 14;
/** What each page shows when its scripts have run. */
const PAGES = {
  '/login': 'role=textbox[name="Phone number"]',
  '/dashboard': 'text=Welcome Asha',
  '/dashboard/edit': 'role=textbox[name="Designation"]',
};

async function countFailures(page: Page, url: string, selector: string): Promise<number> {
  await page.goto(url);
  const found = page.locator(selector).first();
  return found.waitFor({ timeout: 15_000 }).then(
    () => 0,
    () => 1,
  );
}

const GIT_LOG = ['log', '--format=%h', '--grep=^Release 2[.]', '-n', '1', 'HEAD~1'];
/** Empty if the clone is shallow. */
const previous = spawnSync('git', GIT_LOG, { cwd: ROOT, encoding: 'utf8' }).stdout.trim();
if (previous === '') print('Skipped: this clone has no commit of a previous 2.x.');

describe.skipIf(previous === '')('two versions', () => {
  let old: ReturnType<typeof buildVersion>;
  let browser: Browser | undefined;
  beforeAll(async () => {
    old = buildVersion(previous);
    browser = await chromium.launch({
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu'],
    });
  }, 600_000);
  afterAll(async () => {
    await browser?.close();
    old.remove();
  });

  test.each(SITE_PROXIES)('$name: every owner page opens every time', async ({ name, start }) => {
    const cluster = await startCluster();
    onTestFinished(() => cluster.stop());
    const environment = { DATABASE_URL: cluster.url, TRUST_PROXY: ADDRESS };
    // The schema is that of the new version, as during an upgrade.
    const next = await startServer(environment);
    const before = await startServer(environment, old.entry);
    onTestFinished(async () => void (await Promise.all([next.dispose(), before.dispose()])));
    const nodes = [before, next].map(({ origin }) => Number(new URL(origin).port));
    const [port, httpPort] = [await freePort(), await freePort()];
    start({ folder: newFolder(), port, httpPort, nodes });
    const origin = `https://localhost:${port}`;
    const owner = await createOwner(next, '9876543210', { name: 'Asha Rao' });
    const failures: Record<string, number> = {};
    for (const [path, text] of Object.entries(PAGES))
      for (let visit = 0; visit < VISITS; visit += 1) {
        const context = await browser?.newContext({
          ignoreHTTPSErrors: true,
          serviceWorkers: 'block',
        });
        const page = await context?.newPage();
        if (!page) throw new Error('There is no browser.');
        if (path !== '/login') await storeSession(page, { origin }, owner);
        failures[path] = (failures[path] ?? 0) + (await countFailures(page, origin + path, text));
        await context?.close();
      }
    print(
      `${name}: ${VISITS} visits of each page with two versions, failed: ${JSON.stringify(failures)}`,
    );
    expect(failures).toEqual(Object.fromEntries(Object.keys(PAGES).map((path) => [path, 0])));
  });
});
