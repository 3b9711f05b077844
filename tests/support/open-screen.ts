import type { Page, Route } from '@playwright/test';

import { storeSession } from './owner.ts';
import type { Owner } from './owner.ts';
import type { Seed } from './seed.ts';

export type OpenScreen = (page: Page, seed: Seed) => Promise<void>;
type PickOwner = (seed: Seed) => Owner;
type Action = (page: Page) => Promise<void>;

/** Opens a public card. */
export const openCard =
  (pickOwner: PickOwner): OpenScreen =>
  async (page, seed) => {
    await page.goto(`${seed.server.origin}/user/${pickOwner(seed)._id}`);
    await page.waitForLoadState('networkidle');
  };

/** Opens a page without a session. */
export const openPage =
  (path: string, action: Action = async () => undefined): OpenScreen =>
  async (page, seed) => {
    await page.goto(`${seed.server.origin}${path}`);
    await page.waitForLoadState('networkidle');
    await action(page);
  };

/** Opens a page as an owner, then runs `action`. */
export const openAsOwner =
  (pickOwner: PickOwner, path: string, action: Action = async () => undefined): OpenScreen =>
  async (page, seed) => {
    await storeSession(page, seed.server, pickOwner(seed));
    await openPage(path, action)(page, seed);
  };

interface BlockedCalls {
  readonly calls: string;
  /** The element that is visible when the page is ready. */
  readonly visible: string;
}

/** Opens a page whose calls are never answered. */
export const openWithPendingCalls =
  (path: string, { calls, visible }: BlockedCalls, pickOwner?: PickOwner): OpenScreen =>
  async (page, seed) => {
    if (pickOwner) await storeSession(page, seed.server, pickOwner(seed));
    await page.route(calls, () => undefined);
    await page.goto(`${seed.server.origin}${path}`, { waitUntil: 'commit' });
    await page.locator(visible).first().waitFor();
  };

/** Opens a page whose calls fail. */
export const openWithFailedCalls =
  (path: string, { calls, visible }: BlockedCalls, pickOwner?: PickOwner): OpenScreen =>
  async (page, seed) => {
    if (pickOwner) await storeSession(page, seed.server, pickOwner(seed));
    await page.route(calls, (route: Route) => route.abort());
    await page.goto(`${seed.server.origin}${path}`);
    await page.locator(visible).first().waitFor();
  };

export async function clickButton(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).first().click();
}

/** Goes from the first step of onboarding to the last. */
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
    const view = await seed.openContactsView();
    const open = openAsOwner(() => view[owner], '/dashboard/contacts', action);
    await open(page, { ...seed, server: view.server });
  };
