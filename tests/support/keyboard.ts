import type { Locator, Page } from '@playwright/test';

import { expect } from './browser-test.ts';

/** No page has so many stops; who needs more is trapped. */
const STOPS_MAX = 60;

/** Walks on by Tab until a control has the focus, and looks at every stop whether it shows. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let stop = 0; stop < STOPS_MAX; stop += 1) {
    await page.keyboard.press('Tab');
    await expectVisibleFocus(page);
    if (await control.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Not reached by Tab: ${String(control)}`);
}

/** Walks to a control and presses it. */
export async function enterOn(page: Page, control: Locator): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press('Enter');
}

/** The names of what the focus stops at, from the top of the page to its end. */
export async function allStops(page: Page): Promise<string[]> {
  const names: string[] = [];
  for (let stop = 0; stop < STOPS_MAX; stop += 1) {
    await page.keyboard.press('Tab');
    const name = await focusName(page);
    if (name === null) return names;
    await expectVisibleFocus(page);
    names.push(name);
  }
  throw new Error(`A keyboard trap: ${names.join(', ')}`);
}

/** What has the focus, by name; null where it has left the page's content. */
function focusName(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return null;
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null;
    return (element.getAttribute('aria-label') ?? label ?? element.textContent).trim();
  });
}

/** The focus is on something, and one can see on what: by its own outline, or its frame's. */
async function expectVisibleFocus(page: Page): Promise<void> {
  const invisible = await page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return null;
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- it runs in the page, alone
    const isOutlined = (one: Element, part?: string) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one, part);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    };
    const frame = element.closest('label');
    const isSeen =
      isOutlined(element) || isOutlined(element, '::after') || (frame && isOutlined(frame));
    return isSeen ? null : element.outerHTML.slice(0, 200);
  });
  expect(invisible).toBeNull();
}
