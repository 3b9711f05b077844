import type { Page, Route } from '@playwright/test';

import { enter } from './owner.ts';
import type { Owner } from './owner.ts';
import type { Stage } from './seed.ts';

export type Open = (page: Page, stage: Stage) => Promise<void>;
type Who = (stage: Stage) => Owner;
type More = (page: Page) => Promise<void>;

/** A public card. */
export const card =
  (who: Who): Open =>
  async (page, stage) => {
    await page.goto(`${stage.server.origin}/user/${who(stage)._id}`);
    await page.waitForLoadState('networkidle');
  };

/** A page that anybody may open. */
export const at =
  (path: string, more: More = async () => undefined): Open =>
  async (page, stage) => {
    await page.goto(`${stage.server.origin}${path}`);
    await page.waitForLoadState('networkidle');
    await more(page);
  };

/** A page of an owner's, after `more` was done on it. */
export const owned =
  (who: Who, path: string, more: More = async () => undefined): Open =>
  async (page, stage) => {
    await enter(page, stage.server, who(stage));
    await at(path, more)(page, stage);
  };

interface Without {
  readonly calls: string;
  /** What shows that the page has come as far as it can. */
  readonly sign: string;
}

/** A page whose calls never come back. */
export const waiting =
  (path: string, { calls, sign }: Without, who?: Who): Open =>
  async (page, stage) => {
    if (who) await enter(page, stage.server, who(stage));
    await page.route(calls, () => undefined);
    await page.goto(`${stage.server.origin}${path}`, { waitUntil: 'commit' });
    await page.locator(sign).first().waitFor();
  };

/** A page whose calls do not get through. */
export const cutOff =
  (path: string, { calls, sign }: Without, who?: Who): Open =>
  async (page, stage) => {
    if (who) await enter(page, stage.server, who(stage));
    await page.route(calls, (route: Route) => route.abort());
    await page.goto(`${stage.server.origin}${path}`);
    await page.locator(sign).first().waitFor();
  };

export async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).first().click();
}

/** Onboarding from its first step to its last. */
export async function toSocials(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Asha Rao');
  await press(page, 'Next');
  await page.getByRole('heading', { name: 'Where you work' }).waitFor();
  await press(page, 'Next');
  await page.getByRole('heading', { name: 'Add Socials' }).waitFor();
}
