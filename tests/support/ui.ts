import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from '@playwright/test';
import type { BrowserContext, Locator, Page } from '@playwright/test';

import { OWNER_CACHE } from '#domain/offline.ts';

import { jpegFile } from './picture.ts';
import type { RunningServer } from './server.ts';

/** The errors that a page must log. Any other error fails the test. */
export const EXPECTED_ERRORS = new WeakMap<Page, RegExp[]>();

export const expectErrors = (page: Page, ...patterns: readonly RegExp[]) =>
  EXPECTED_ERRORS.get(page)?.push(...patterns);

/** The user agent of a phone, because the service takes headless Chromium's own for a robot. */
export const PHONE_USER_AGENT =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36';

const byRole = (role: Parameters<Page['getByRole']>[0]) => (within: Page | Locator, name: string) =>
  within.getByRole(role, { name, exact: true });
export const button = byRole('button');
export const dialog = byRole('dialog');
export const heading = byRole('heading');
export const link = byRole('link');
export const textbox = byRole('textbox');

/** Presses an entry of the menu 'More' of the Contacts view. */
export async function chooseMore(page: Page, name: string): Promise<void> {
  await button(page, 'More').click();
  await button(page, name).or(link(page, name)).click();
}

export async function expectTexts(within: Page | Locator, ...texts: (string | RegExp)[]) {
  for (const text of texts) await expect(within.getByText(text)).toBeVisible();
}

interface Line {
  readonly latencyMs: number;
  readonly bytesPerSecond: number;
}

/** Switches off the cache of a page. Returns a function that slows down the page's line. */
export async function controlLine(page: Page): Promise<(line: Line) => Promise<unknown>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  return ({ latencyMs: latency, bytesPerSecond: speed }) => {
    const line = { offline: false, latency, uploadThroughput: speed, downloadThroughput: speed };
    return session.send('Network.emulateNetworkConditions', line);
  };
}

/** Measures pages that open from now on. Returns a function that sums up the layout shifts of the current page. */
export async function measureShift(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const seen = { shift: 0 };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += Reflect.get(entry, 'value') as number;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { seen: { shift: number } }).seen.shift);
}

export async function paste(page: Page, field: Locator, text: string): Promise<void> {
  await field.focus();
  await page.evaluate((pasted) => navigator.clipboard.writeText(pasted), text);
  await page.keyboard.press('ControlOrMeta+V');
}

export const readClipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

export const updateChanges = (page: Page) => button(page, 'Update Changes').first().click();

export async function saveChanges(page: Page): Promise<void> {
  const alert = page.waitForEvent('dialog');
  await updateChanges(page);
  expect((await alert).message()).toBe('Data updated successfully');
}

export async function logOut(page: Page): Promise<void> {
  await button(page, 'Menu').click();
  await button(page, 'Log out').click();
}

export const download = async (page: Page, control: Locator) =>
  (await Promise.all([page.waitForEvent('download'), control.click()]))[0];

type ErrorReply = Readonly<{ status: number; error?: string; message?: string }>;

/** Makes calls fail with an error reply, or without any reply. */
export const failCalls = (page: Page, calls: string, reply?: ErrorReply) =>
  page.route(calls, (route) => {
    const { status, ...json } = reply ?? {};
    return reply ? route.fulfill({ status, json }) : route.abort();
  });

/** Accepts the alerts of a page. Returns the list to which their messages are added. */
export function collectAlerts(page: Page): string[] {
  const alerts: string[] = [];
  page.on('dialog', (alert) => {
    const closed = alert.accept().then(() => alerts.push(alert.message()));
    // The test may end before the alert is closed.
    closed.catch(() => undefined);
  });
  return alerts;
}

/** Waits for the page itself, because its URL changes before the reload has replaced the previous page. */
export async function waitForLoginPage(page: Page): Promise<void> {
  await expect(textbox(page, 'Phone number')).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/login');
}

export async function signIn(page: Page, server: RunningServer, phone: string): Promise<void> {
  await page.goto(`${server.origin}/login`);
  await submitPhone(page, server, phone);
}

/** Signs in. Within 30 s after a code, the service sends another only to a browser that has verified the number. */
export async function submitPhone(page: Page, server: RunningServer, phone: string): Promise<void> {
  await textbox(page, 'Phone number').fill(phone);
  await button(page, 'Send code').click();
  const code = textbox(page, 'Code');
  await expect(code).toBeVisible();
  // The form submits a complete code automatically.
  await code.fill(await server.codeFor(`+91${phone}`));
  await page.waitForURL(/\/(ftue|dashboard)/);
}

export async function fill(within: Page | Locator, texts: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(texts)) await textbox(within, name).fill(text);
}

export const choosePhoto = async (page: Page, size = { width: 600, height: 600 }) =>
  page.locator('input[type=file]').setInputFiles(await jpegFile(size));

const RAVI: Record<string, string> = { Name: 'Ravi', Email: 'ravi@example.com' };

export async function leaveDetails(page: Page, details = RAVI): Promise<void> {
  await button(page, 'Connect').click();
  const popup = dialog(page, 'Connect');
  await fill(popup, details);
  await button(popup, 'Connect').click();
}

export const readSession = (page: Page) =>
  page.evaluate(() => ({
    _id: localStorage.getItem('_id') ?? '',
    sessionToken: localStorage.getItem('sessionToken') ?? '',
  }));

export async function addLink(page: Page, typed: string): Promise<void> {
  const popup = dialog(page, 'Connect your socials');
  await popup.getByRole('textbox').fill(typed);
  await button(popup, 'Save').click();
  await expect(popup).toBeHidden();
}

export const storedEntries = (page: Page) =>
  page.evaluate(async (name) => {
    const databases = await indexedDB.databases();
    if (!databases.some((one) => one.name === name)) return {};
    const opening = indexedDB.open(name);
    await new Promise((resolve) => opening.addEventListener('success', resolve));
    const store = opening.result.transaction('keyval').objectStore('keyval');
    const [keys, values] = [store.getAllKeys(), store.getAll()];
    await new Promise((resolve) => values.addEventListener('success', resolve));
    opening.result.close();
    const entries = keys.result.map((key, index) => [key, values.result[index]] as const);
    return Object.fromEntries(entries) as Record<string, unknown>;
  }, 'keyval-store');

export const storedKeys = async (page: Page) => Object.keys(await storedEntries(page)).join();

/** Ends a browser as the system does, without notice to its pages. */
export async function crash({ context, page }: Readonly<{ context: BrowserContext; page: Page }>) {
  const ended = context.waitForEvent('close');
  const session = await context.newCDPSession(page);
  // The browser ends before it could answer this command.
  void session.send('Browser.crash').catch(() => undefined);
  await ended;
}

interface KeptReplies {
  readonly clientState: {
    readonly queries: { readonly queryKey: string[]; readonly state: { data: { body: object } } }[];
  };
}

export async function keptReply(page: Page, path: string): Promise<object | undefined> {
  const { queries } = await storedEntries(page);
  if (typeof queries !== 'string') return undefined;
  const { clientState } = JSON.parse(queries) as KeptReplies;
  return clientState.queries.find(({ queryKey }) => queryKey[0] === path)?.state.data.body;
}

export const waitForKept = (page: Page, path: string) =>
  expect
    .poll(async () => (await storedEntries(page))['queries'], { timeout: 15_000 })
    .toContain(`"queryKey":["${path}"`);

export async function waitForOfflineCopy(page: Page): Promise<void> {
  for (const path of ['/user/:id', '/user/:id/appearance']) await waitForKept(page, path);
  // `waitForFunction` does not wait for a promise.
  const storedPaths = () =>
    page.evaluate(async (name) => {
      const requests = await (await caches.open(name)).keys();
      return requests.map(({ url }) => new URL(url).pathname).join(' ');
    }, OWNER_CACHE);
  await expect.poll(storedPaths, { timeout: 15_000 }).toContain('/photos/');
}

/** Waits until the dashboard could be opened without a network. */
export async function waitForOwnerPages(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await waitForOfflineCopy(page);
  await waitForKept(page, '/profile/getContacts/:id');
}

/** Checks for a new version of the worker; returns the state in which its installation ends. */
export const updateWorker = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
    const worker = registration.installing ?? registration.waiting;
    if (worker?.state === 'installing')
      await new Promise((resolve) => worker.addEventListener('statechange', resolve));
    return worker?.state;
  });

export async function addContact(page: Page, fields: Record<string, string>): Promise<void> {
  const form = dialog(page, 'Add contact');
  for (const [name, value] of Object.entries(fields)) await textbox(form, name).fill(value);
  await button(form, 'Add').click();
  await expect(form).toBeHidden();
}

/** Presses a button that opens the system's dialog for files, and chooses a file there. */
export async function chooseFile(control: Locator, file: string, buffer: Buffer): Promise<void> {
  const choosing = control.page().waitForEvent('filechooser');
  await control.click();
  await (await choosing).setFiles({ name: file, mimeType: '', buffer });
}

/** Joins files of tests/support/vcard-files into one file, and chooses it. */
export async function chooseVcards(page: Page, ...names: readonly string[]): Promise<void> {
  const files = names.map((name) => readFileSync(join(VCARD_FILES, `${name}.vcf`)));
  const file = { name: 'people.vcf', mimeType: 'text/vcard', buffer: Buffer.concat(files) };
  await page.locator('input[type="file"]').setInputFiles(file);
}
const VCARD_FILES = join(import.meta.dirname, 'vcard-files');
