import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { test as base, expect } from '@playwright/test';
import type { BrowserContext, Page } from '@playwright/test';

import { startFakeServices } from './fake-services.ts';
import type { FakeServices } from './fake-services.ts';
import { FULL_CARD, createOwner, sendRequest, storeSession } from './owner.ts';
import type { Owner } from './owner.ts';
import { startPushService } from './push-service.ts';
import type { PushService } from './push-service.ts';
import { startServer } from './server.ts';
import type { RunningServer } from './server.ts';
import { EXPECTED_ERRORS } from './ui.ts';

interface Fixtures {
  readonly environment: Record<string, string>;
  readonly server: RunningServer;
  /** A phone of ten digits with which no other test signs in. */
  readonly phone: string;
  /** The content of the card of `owner`. By default the card is complete. */
  readonly card: Record<string, unknown>;
  readonly owner: Owner;
  /** Makes a call as `owner`, whose `_id` replaces `:id` in the path. */
  readonly call: <T>(path: string, body?: object) => Promise<T>;
  readonly addContact: (contact: object) => Promise<unknown>;
  readonly push: PushService;
  /** Starts another browser. A test can end it as the system would, and start it again with the same disk. */
  readonly launch: () => Promise<Readonly<{ context: BrowserContext; page: Page }>>;
}

const CLIPBOARD = ['clipboard-read', 'clipboard-write'];
/** The messages that a page logs after a cancelled request, and the types of such requests. */
const CANCELLED_MESSAGES = [
  { message: /did not get through/, types: ['fetch', 'xhr'] },
  { message: /Failed to fetch dynamically imported module/, types: ['script'] },
];

let phones = 0;

interface WorkerFixtures {
  /** Starts the built service once for each worker and environment. */
  readonly serve: (environment: Record<string, string>) => Promise<RunningServer>;
  readonly services: FakeServices;
}

/** Playwright's test function with fixtures for real servers, which the tests of a worker share. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  serve: [
    // oxlint-disable-next-line no-empty-pattern -- the runner reads the names of this parameter
    async ({}, use) => {
      const servers = new Map<string, Promise<RunningServer>>();
      await use((environment) => {
        const key = JSON.stringify(environment);
        // All tests of a worker sign in from the same IP address.
        const limit = { LIMIT_CODES_PER_HOUR: '10000' };
        const server = servers.get(key) ?? startServer({ ...limit, ...environment });
        servers.set(key, server);
        return server;
      });
      for (const server of servers.values()) await (await server).dispose();
    },
    { scope: 'worker' },
  ],
  services: [
    // oxlint-disable-next-line no-empty-pattern -- the runner reads the names of this parameter
    async ({}, use) => {
      const services = await startFakeServices();
      await use(services);
      await services.close();
    },
    { scope: 'worker' },
  ],
  environment: [{}, { option: true }],
  server: async ({ serve, environment }, use) => use(await serve(environment)),
  baseURL: async ({ server }, use) => use(server.origin),
  // With `reuseContext`, Playwright resets the context of the previous test, except for the following.
  context: async ({ context, server, permissions, serviceWorkers }, use) => {
    await context.setOffline(false);
    await context.clearPermissions();
    await context.grantPermissions([...CLIPBOARD, ...(permissions ?? [])]);
    for (const page of context.pages()) {
      const session = await context.newCDPSession(page);
      const everything = { origin: server.origin, storageTypes: 'all' };
      await session.send('Storage.clearDataForOrigin', everything);
      await session.detach();
    }
    await use(context);
    // A service worker would survive the reset.
    if (serviceWorkers === 'allow') await context.close();
  },
  // A test fails if the page logs an error or throws an uncaught exception.
  page: async ({ page }, use) => {
    const patterns: RegExp[] = [];
    EXPECTED_ERRORS.set(page, patterns);
    const errors: string[] = [];
    const cancelledTypes: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('requestfailed', (request) => {
      if (request.failure()?.errorText === 'net::ERR_ABORTED')
        cancelledTypes.push(request.resourceType());
    });
    page.on('console', (message) => {
      // The browser logs every failed call; tests check the calls that they expect to fail.
      const isFailedCall = /Failed to load resource/.test(message.text());
      if (message.type() === 'error' && !isFailedCall) errors.push(message.text());
    });
    await use(page);
    const isExpected = (text: string) => patterns.some((pattern) => pattern.test(text));
    // A navigation cancels the calls and imports of the page that is left, which may log each of them once.
    const isCancelled = (text: string) => {
      const kind = CANCELLED_MESSAGES.find(({ message }) => message.test(text));
      const index = cancelledTypes.findIndex((type) => kind?.types.includes(type));
      if (index !== -1) cancelledTypes.splice(index, 1);
      return index !== -1;
    };
    expect(errors.filter((text) => !isExpected(text) && !isCancelled(text))).toEqual([]);
    expect(patterns.filter((pattern) => !errors.some((text) => pattern.test(text)))).toEqual([]);
  },
  // oxlint-disable-next-line no-empty-pattern -- the runner reads the names of this parameter
  phone: async ({}, use, info) => {
    phones += 1;
    const count = info.parallelIndex * 1_000 + phones;
    await use(`98765${String(count).padStart(5, '0')}`);
  },
  card: [FULL_CARD, { option: true }],
  owner: async ({ server, phone, card }, use) => use(await createOwner(server, phone, card)),
  call: async ({ server, owner: { _id, sessionToken: token } }, use) =>
    use((path, body) => sendRequest(server, path.replace(':id', _id), { token, body })),
  addContact: async ({ call, owner: { _id } }, use) =>
    use((contact) => call('/profile/addContact', { userID: _id, contact })),
  // oxlint-disable-next-line no-empty-pattern -- the runner reads the names of this parameter
  push: async ({}, use) => {
    const push = await startPushService();
    await use(push);
    await push.close();
  },
  launch: async ({ playwright, launchOptions, server }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'tessera-browser-'));
    const contexts: BrowserContext[] = [];
    await use(async () => {
      const options = { ...launchOptions, baseURL: server.origin };
      const context = await playwright.chromium.launchPersistentContext(folder, options);
      contexts.push(context);
      return { context, page: await context.newPage() };
    });
    await contexts.at(-1)?.close();
    rmSync(folder, { recursive: true });
  },
});

export const ownerTest = test.extend({
  page: async ({ page, server, owner }, use) => {
    await storeSession(page, server, owner);
    await use(page);
  },
});

export { expect };
