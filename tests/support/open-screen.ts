import type { Page } from '@playwright/test';

import { storeSession } from './owner.ts';
import type { Owner } from './owner.ts';
import type { Seed } from './seed.ts';

export type OpenScreen = (page: Page, seed: Seed) => Promise<void>;
type Action = (page: Page) => Promise<void>;
type OwnerName = { [Name in keyof Seed]: Seed[Name] extends Owner ? Name : never }[keyof Seed];

export interface Screen {
  readonly name: string;
  readonly open: OpenScreen;
  /** The errors that it writes to the console, because one of its calls fails. */
  readonly errors?: readonly RegExp[];
}

export const FAILED_CALL = [/did not get through/] as const;

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

export const openCard =
  (owner: OwnerName): OpenScreen =>
  async (page, seed) => {
    await page.goto(`${seed.server.origin}/user/${seed[owner]._id}`);
    await waitForContent(page);
  };

export const openPage =
  (path: string, action: Action = async () => undefined): OpenScreen =>
  async (page, seed) => {
    await page.goto(`${seed.server.origin}${path}`);
    await waitForContent(page);
    await action(page);
  };

export const openAsOwner =
  (owner: OwnerName, path: string, action: Action = async () => undefined): OpenScreen =>
  async (page, seed) => {
    await storeSession(page, seed.server, seed[owner]);
    await openPage(path, action)(page, seed);
  };

/**
 * A screen while some of its calls are not answered, or after they failed: its name, the owner who is
 * signed in, its path, the calls, and what is visible when the screen is ready.
 */
type CallScreen = readonly [
  name: string,
  owner: OwnerName | null,
  path: string,
  calls: string,
  visible: string,
  errors?: readonly RegExp[],
];

/** The screen while the calls are not answered. */
export const loadingScreen = ([name, owner, path, calls, visible]: CallScreen): Screen => ({
  name,
  open: async (page, seed) => {
    if (owner) await storeSession(page, seed.server, seed[owner]);
    await page.route(calls, () => undefined);
    await page.goto(`${seed.server.origin}${path}`, { waitUntil: 'commit' });
    await page.locator(visible).first().waitFor();
  },
});

/** The screen after the calls failed. */
export const failedScreen = (screen: CallScreen): Screen => {
  const [name, owner, path, calls, visible, errors = FAILED_CALL] = screen;
  return {
    name,
    open: async (page, seed) => {
      if (owner) await storeSession(page, seed.server, seed[owner]);
      await page.route(calls, (route) => route.abort());
      await page.goto(`${seed.server.origin}${path}`);
      await page.locator(visible).first().waitFor();
    },
    errors,
  };
};

export async function clickButton(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).first().click();
}

export async function goToSocials(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Asha Rao');
  await clickButton(page, 'Next');
  await page.getByRole('heading', { name: 'Where you work' }).waitFor();
  await clickButton(page, 'Next');
  await page.getByRole('heading', { name: 'Add Socials' }).waitFor();
}

/** Opens the Contacts view as an owner with contacts or without one, then runs `action`. */
export const openContactsView =
  (owner: 'full' | 'sparse', action: Action): OpenScreen =>
  async (page, seed) => {
    await openInView(openAsOwner(owner, '/dashboard/contacts', action))(page, seed);
  };

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
