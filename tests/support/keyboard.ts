import type { Locator, Page } from '@playwright/test';

import { expect } from './browser-test.ts';

/** More than any page has: a longer sequence is a keyboard trap. */
const STOPS_MAX = 60;

/** Presses Tab; expects an outline on the focused control or its label, and returns its name: null for none. */
async function pressTab(page: Page): Promise<string | null> {
  await page.keyboard.press('Tab');
  const focused = await page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    // Focused by the page, as the heading of the next step: it cannot be operated.
    if (element.matches('body, h1, [tabindex="-1"]')) return null;
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- it runs in the page
    const isOutlined = (one: Element, pseudoElement?: string) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one, pseudoElement);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    };
    const frame = element.closest('label');
    const isVisible =
      isOutlined(element) || isOutlined(element, '::after') || (frame && isOutlined(frame));
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null;
    const name = element.getAttribute('aria-label') ?? label ?? element.textContent;
    return { name: name.trim(), invisible: isVisible ? '' : element.outerHTML.slice(0, 200) };
  });
  expect(focused?.invisible ?? '').toBe('');
  return focused?.name ?? null;
}

export async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let stop = 0; stop < STOPS_MAX; stop += 1) {
    await pressTab(page);
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
  while (names.length < STOPS_MAX) {
    const name = await pressTab(page);
    if (name === null) return names;
    names.push(name);
  }
  throw new Error(`A keyboard trap: ${names.join(', ')}`);
}
