import { test as base, expect } from '@playwright/test';
import type { Page } from '@playwright/test';

import { startServer } from './server.ts';
import type { RunningServer } from './server.ts';

interface Fixtures {
  /** A page that fails the test at any error in its console or any script that throws. */
  readonly page: Page;
  /** What the page is expected to write to its console as errors; it must, and nothing else. */
  readonly expectErrors: (...patterns: RegExp[]) => void;
  /** A phone that no other test of this worker signs in with, ten digits. */
  readonly phone: string;
}

let phones = 0;
const expected = new WeakMap<Fixtures['expectErrors'], RegExp[]>();

/** The test runner with a real server of the worker's own. */
export const test = base.extend<Fixtures, { server: RunningServer }>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- the runner reads the names of this parameter
    async ({}, use) => {
      const server = await startServer();
      await use(server);
      await server.dispose();
    },
    { scope: 'worker', timeout: 30_000 },
  ],
  baseURL: async ({ server }, use) => use(server.origin),
  page: async ({ page, expectErrors }, use) => {
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      // A refused call shows up here by itself; the tests that want one look at it themselves.
      const isRefusal = /Failed to load resource/.test(message.text());
      if (message.type() === 'error' && !isRefusal) errors.push(message.text());
    });
    await use(page);
    const patterns = expected.get(expectErrors) ?? [];
    const isExpected = (text: string) => patterns.some((pattern) => pattern.test(text));
    expect(errors.filter((text) => !isExpected(text))).toEqual([]);
    expect(patterns.filter((pattern) => !errors.some((text) => pattern.test(text)))).toEqual([]);
  },
  // oxlint-disable-next-line no-empty-pattern -- the runner reads the names of this parameter
  expectErrors: async ({}, use) => {
    const patterns: RegExp[] = [];
    const expectErrors: Fixtures['expectErrors'] = (...more) => void patterns.push(...more);
    expected.set(expectErrors, patterns);
    await use(expectErrors);
  },
  // oxlint-disable-next-line no-empty-pattern -- the runner reads the names of this parameter
  phone: async ({}, use, info) => {
    phones += 1;
    const count = info.parallelIndex * 1_000 + phones;
    await use(`98765${String(count).padStart(5, '0')}`);
  },
});

export { expect };

/** A gate that holds whoever waits for it until it is opened. */
export function gate() {
  let open: (() => void) | undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open: () => open?.(), opened };
}

/** Closes the alerts of a page and collects them, each once it is closed. */
export function collectAlerts(page: Page): string[] {
  const alerts: string[] = [];
  page.on('dialog', (dialog) => {
    const closed = dialog.accept().then(() => alerts.push(dialog.message()));
    // A test may end before an alert that it does not wait for is closed.
    closed.catch(() => undefined);
  });
  return alerts;
}

/** Signs in on the login page with a ten-digit Indian number, as a person would. */
export async function signIn(page: Page, server: RunningServer, phone: string): Promise<void> {
  await page.goto(`${server.origin}/login`);
  await page.getByRole('textbox', { name: 'Phone number' }).fill(phone);
  await page.getByRole('button', { name: 'Send code' }).click();
  const code = page.getByRole('textbox', { name: 'Code' });
  await expect(code).toBeVisible();
  await code.fill(await server.codeFor(`+91${phone}`));
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.waitForURL(/\/(ftue|dashboard)/);
}

/** What onboarding asks. */
export interface Person {
  readonly name: string;
  readonly email: string;
  readonly companyName: string;
  readonly designation: string;
}

export const ASHA: Person = {
  name: 'Asha Rao',
  email: 'asha@rao-partners.example',
  companyName: 'Rao & Partners Architects',
  designation: 'Principal Architect',
};

/** Walks the three onboarding steps without socials; ends on the dashboard. */
export async function onboard(page: Page, person: Person = ASHA): Promise<void> {
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(person.name);
  await page.getByRole('textbox', { name: 'Email' }).fill(person.email);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('textbox', { name: 'Company Name' }).fill(person.companyName);
  await page.getByRole('textbox', { name: 'Designation' }).fill(person.designation);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('heading', { name: 'Add Socials' }).waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.waitForURL(/\/dashboard/);
  await page.getByText('Start building connections!').waitFor();
  await page.waitForLoadState('networkidle');
}

/** The id and the session token that the browser stores. */
export async function stored(page: Page): Promise<{ _id: string; sessionToken: string }> {
  return page.evaluate(() => ({
    _id: localStorage.getItem('_id') ?? '',
    sessionToken: localStorage.getItem('sessionToken') ?? '',
  }));
}
