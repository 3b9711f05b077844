import type { Locator, Page } from '@playwright/test';

import { expect } from './browser-test.ts';

/** More than any page has: a longer sequence is a keyboard trap. */
const STOPS_MAX = 60;

export async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let stop = 0; stop < STOPS_MAX; stop += 1) {
    await page.keyboard.press('Tab');
    await expectVisibleFocus(page);
    if (await control.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Not reached by Tab: ${String(control)}`);
}

export async function pressEnterOn(page: Page, control: Locator): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press('Enter');
}

export async function listTabStops(page: Page): Promise<string[]> {
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

function focusName(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return null;
    // Focused by the page, as the heading of the next step.
    if (element.getAttribute('tabindex') === '-1') return null;
    // A heading that the page has focused cannot be operated.
    if (element.tagName === 'H1') return null;
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null;
    return (element.getAttribute('aria-label') ?? label ?? element.textContent).trim();
  });
}

/** Expects an outline on the focused element or on its label. */
async function expectVisibleFocus(page: Page): Promise<void> {
  const invisible = await page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return null;
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- it runs in the page
    const isOutlined = (one: Element, pseudoElement?: string) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one, pseudoElement);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    };
    const frame = element.closest('label');
    const isVisible =
      isOutlined(element) || isOutlined(element, '::after') || (frame && isOutlined(frame));
    return isVisible ? null : element.outerHTML.slice(0, 200);
  });
  expect(invisible).toBeNull();
}
