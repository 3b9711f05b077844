import type { Page } from '@playwright/test';

import { storeSession } from './owner.ts';
import type { OwnerName, Seed } from './seed.ts';
import { button, dialog, expectErrors, failCalls, heading, textbox } from './ui.ts';

export type OpenScreen = (page: Page, seed: Seed) => Promise<unknown>;
export type Action = (page: Page) => Promise<unknown>;

/**
 * Waits until the page shows its content: no skeleton and no picture that has not loaded. A picture
 * below the screen may load when it is scrolled to.
 */
export async function waitForContent(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.readyState === 'complete' &&
      document.querySelector('.skeleton') === null &&
      [...document.images].every((image) => image.complete || image.loading === 'lazy'),
  );
}

export const press = (name: string) => (page: Page) => button(page, name).first().click();
export const type = (name: string, text: string) => (page: Page) => textbox(page, name).fill(text);
export const failNext = (calls: string) => (page: Page) => failCalls(page, calls);
/** Leaves calls without an answer. */
export const hang = (calls: string) => (page: Page) => page.route(calls, () => undefined);
export const see = (text: string) => (page: Page) => page.getByText(text).first().waitFor();
export const seeButton = (name: string) => (page: Page) => button(page, name).waitFor();
export const seeDialog = (name: string) => (page: Page) => dialog(page, name).waitFor();

export const openPage =
  (path: string, ...actions: Action[]): OpenScreen =>
  async (page, { server }) => {
    await page.goto(server.origin + path);
    for (const action of [waitForContent, ...actions]) await action(page);
  };

export const openCard =
  (owner: OwnerName, ...actions: Action[]): OpenScreen =>
  (page, seed) =>
    openPage(`/user/${seed[owner]._id}`, ...actions)(page, seed);

export const openAsOwner =
  (owner: OwnerName, path: string, ...actions: Action[]): OpenScreen =>
  async (page, seed) => {
    await storeSession(page, seed.server, seed[owner]);
    await openPage(path, ...actions)(page, seed);
  };

/** A screen that writes an error to the console, because one of its calls fails. */
export const failing =
  (open: OpenScreen, error = /did not (get through|load)/): OpenScreen =>
  (page, seed) => {
    expectErrors(page, error);
    return open(page, seed);
  };

/** Who is signed in, the path, the calls, and what is visible when the screen is ready. */
type CallScreen = [owner: OwnerName | null, path: string, calls: string, visible: string];

const openCalls =
  ([owner, path, calls, visible]: CallScreen, isFailed: boolean): OpenScreen =>
  async (page, seed) => {
    if (owner) await storeSession(page, seed.server, seed[owner]);
    await page.route(calls, (route) => (isFailed ? route.abort() : undefined));
    await page.goto(seed.server.origin + path, { waitUntil: 'commit' });
    await page.locator(visible).first().waitFor();
  };

/** A screen while some of its calls are not answered. */
export const loading = (...screen: CallScreen) => openCalls(screen, false);
/** A screen after some of its calls failed. */
export const failed = (...screen: CallScreen) => failing(openCalls(screen, true));

/** On the service with the views, CARD_EXTRAS and LANGUAGES. */
export const openInView =
  (open: OpenScreen): OpenScreen =>
  async (page, seed) =>
    open(page, { ...seed, ...(await seed.openViews()) });

/** Opens the Contacts view as an owner with contacts or without one. */
export const openContactsView = (owner: 'full' | 'sparse', ...actions: Action[]) =>
  openInView(openAsOwner(owner, '/dashboard/contacts', ...actions));

export async function goToSocials(page: Page): Promise<void> {
  await type('Name', 'Asha Rao')(page);
  for (const title of ['Where you work', 'Add Socials']) {
    await press('Next')(page);
    await heading(page, title).waitFor();
  }
}

/** Shows the code step of the login page without sending a code, so that no rate limit applies. */
export const goToCode =
  (more: object = {}) =>
  async (page: Page) => {
    const sent = { challenge: 'none', phone: '+919876543210', phoneText: '+91 98765 43210' };
    const json = { ...sent, resendAfterSeconds: 30, lifeSeconds: 600, ...more };
    await page.route('**/api/otp/send', (route) => route.fulfill({ json }));
    await type('Phone number', '98765 43210')(page);
    await press('Send code')(page);
    await textbox(page, 'Code').waitFor();
  };
