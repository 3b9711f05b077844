import type { Page } from '@playwright/test';

import { storeSession } from './owner.ts';
import type { OwnerName, Seed } from './seed.ts';
import { button } from './ui.ts';

export type OpenScreen = (page: Page, seed: Seed) => Promise<void>;
type Action = (page: Page) => Promise<void>;

/** A screen that writes errors to the console, because one of its calls fails. */
interface FailingScreen {
  readonly open: OpenScreen;
  readonly errors: readonly RegExp[];
}

export interface Screen extends Partial<FailingScreen> {
  readonly name: string;
  readonly open: OpenScreen;
}

export type Screens = Readonly<Record<string, OpenScreen | FailingScreen>>;

export const listScreens = (screens: Screens): readonly Screen[] =>
  Object.entries(screens).map(([name, screen]) =>
    typeof screen === 'function' ? { name, open: screen } : { name, ...screen },
  );

export const failing = (
  open: OpenScreen,
  errors: readonly RegExp[] = [/did not get through/],
): FailingScreen => ({ open, errors });

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

export const openPage =
  (path: string, action: Action = async () => undefined): OpenScreen =>
  async (page, seed) => {
    await page.goto(`${seed.server.origin}${path}`);
    await waitForContent(page);
    await action(page);
  };

export const openCard =
  (owner: OwnerName, action?: Action): OpenScreen =>
  (page, seed) =>
    openPage(`/user/${seed[owner]._id}`, action)(page, seed);

export const openAsOwner =
  (owner: OwnerName, path: string, action: Action = async () => undefined): OpenScreen =>
  async (page, seed) => {
    await storeSession(page, seed.server, seed[owner]);
    await openPage(path, action)(page, seed);
  };

/**
 * A screen while some of its calls are not answered, or after they failed: who is signed in, its path,
 * the calls, and what is visible when the screen is ready.
 */
type CallScreen = readonly [owner: OwnerName | null, path: string, calls: string, visible: string];

const openCalls =
  ([owner, path, calls, visible]: CallScreen, isFailed: boolean): OpenScreen =>
  async (page, seed) => {
    if (owner) await storeSession(page, seed.server, seed[owner]);
    await page.route(calls, (route) => (isFailed ? route.abort() : undefined));
    await page.goto(`${seed.server.origin}${path}`, { waitUntil: 'commit' });
    await page.locator(visible).first().waitFor();
  };

export const loading = (screen: CallScreen) => openCalls(screen, false);
export const failed = (screen: CallScreen, errors?: readonly RegExp[]) =>
  failing(openCalls(screen, true), errors);

export async function clickButton(page: Page, name: string): Promise<void> {
  await button(page, name).first().click();
}

/** The action that presses a button. */
export const press = (name: string) => (page: Page) => clickButton(page, name);

export async function goToSocials(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Asha Rao');
  await clickButton(page, 'Next');
  await page.getByRole('heading', { name: 'Where you work' }).waitFor();
  await clickButton(page, 'Next');
  await page.getByRole('heading', { name: 'Add Socials' }).waitFor();
}

/** Opens the Contacts view as an owner with contacts or without one, then runs `action`. */
export const openContactsView = (owner: 'full' | 'sparse', action: Action) =>
  openInView(openAsOwner(owner, '/dashboard/contacts', action));

/** On the service with the Contacts view and CARD_EXTRAS. */
export const openInView =
  (open: OpenScreen): OpenScreen =>
  async (page, seed) =>
    open(page, { ...seed, ...(await seed.openContactsView()) });

/** Shows the code step of the login page without sending a code, so that no rate limit applies. */
export async function goToCode(page: Page, more: object = {}): Promise<void> {
  const sent = { challenge: 'none', phone: '+919876543210', phoneText: '+91 98765 43210' };
  const times = { resendAfterSeconds: 30, lifeSeconds: 600 };
  const json = { ...sent, ...times, ...more };
  await page.route('**/api/otp/send', (route) => route.fulfill({ json }));
  await page.getByRole('textbox', { name: 'Phone number' }).fill('98765 43210');
  await clickButton(page, 'Send code');
  await page.getByRole('textbox', { name: 'Code' }).waitFor();
}
