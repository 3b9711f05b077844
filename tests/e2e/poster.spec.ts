import type { Page } from '@playwright/test';

import { expect, test } from '#tests/support/browser-test.ts';
import { FULL_CARD } from '#tests/support/owner.ts';
import * as ui from '#tests/support/ui.ts';

const PHONE = { width: 320, height: 568 };
/** The least heights of the poster and of the arch (docs/design.md#screens). */
const SCREENS = [
  { width: 320, height: 568, poster: 216, arch: 144 },
  { width: 360, height: 640, poster: 216, arch: 144 },
  { width: 390, height: 844, poster: 844 * 0.46, arch: 216 },
  { width: 768, height: 1024, poster: 400, arch: 216 },
  { width: 1440, height: 900, poster: 560, arch: 288 },
  { width: 568, height: 320, poster: 320, arch: 144 },
];
const NAMES = {
  'Asha Rao': ['38px', '39.9px', '-0.95px'],
  'Lakshmi Narayanan Ramachandran': ['28px', '29.4px', '-0.7px'],
  'Venkatasubramaniam Krishnamurthy Ranganathan Chandrasekaran': ['21px', '22.05px', '-0.525px'],
  'देवदत्त कुलकर्णी': ['38px', '49.4px', 'normal'],
  Subramaniam: ['38px', '39.9px', '-0.95px'],
  'Ramachandran Balasubramaniam': ['28px', '29.4px', '-0.7px'],
  'தமிழ்ச்செல்வி கண்ணன்': ['38px', '49.4px', 'normal'],
  Venkatasubramaniaswamy: ['29.76px', '31.248px', '-0.744px'],
};

/** Throws if the browser does not have it. */
async function boxOf(page: Page, selector: string) {
  const box = await page.locator(selector).boundingBox();
  if (!box) throw new Error(`${selector} is not shown.`);
  return box;
}

test('poster: name, Save and Connect are in the first view', async ({ page, owner, call }) => {
  const name = Object.keys(NAMES)[2] ?? '';
  await call('/user/updateUser/:id', { name });
  for (const { width, height, ...least } of SCREENS) {
    await page.setViewportSize({ width, height });
    await page.goto(`/user/${owner._id}`);
    const poster = await boxOf(page, 'article > div:first-child');
    const arch = await boxOf(page, 'article > div:first-child > :nth-child(2)');
    const tiles = await boxOf(page, 'article > div > svg:first-child');
    const size = `${width} x ${height}`;
    expect(poster.height, size).toBeGreaterThanOrEqual(least.poster - 0.5);
    expect([arch.width, arch.height], size).toEqual([least.arch, least.arch]);
    expect(arch.y + arch.height, size).toBeCloseTo(poster.y + poster.height, 0);
    // The opening is the three columns after the first.
    expect([(arch.x - tiles.x) * 3, (arch.x - poster.x) % 24], size).toEqual([least.arch, 0]);
    for (const control of [
      ui.heading(page, name),
      ui.link(page, 'Save'),
      ui.button(page, 'Connect'),
    ]) {
      await expect(control, size).toBeInViewport({ ratio: 1 });
    }
    const pageWidth = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(pageWidth, size).toBeLessThanOrEqual(width);
  }
});

test('poster: the name has its sizes, and no word is broken', async ({ page, owner, call }) => {
  const styles: Record<string, string[]> = {};
  const desktop = page.viewportSize() ?? PHONE;
  for (const name of Object.keys(NAMES)) {
    await call('/user/updateUser/:id', { name });
    await page.setViewportSize(desktop);
    await page.goto(`/user/${owner._id}`);
    styles[name] = await page.locator('h1').evaluate((node) => {
      const { fontSize, lineHeight, letterSpacing } = getComputedStyle(node);
      return [fontSize, lineHeight, letterSpacing];
    });
    await page.setViewportSize(PHONE);
    const lines = await page.locator('h1').evaluate((node, words) => {
      const text = node.firstChild as Text;
      const range = document.createRange();
      return words.map((word) => {
        range.setStart(text, text.data.indexOf(word));
        range.setEnd(text, text.data.indexOf(word) + word.length);
        return range.getClientRects().length;
      });
    }, name.split(' '));
    expect(new Set(lines), name).toEqual(new Set([1]));
  }
  expect(styles).toEqual(NAMES);
});

test('card: the whole email is described, and copied with a tick', async ({ page, owner }) => {
  await page.goto(`/user/${owner._id}`);
  const { companyName, email } = FULL_CARD;
  await expect(ui.link(page, 'Email')).toHaveAccessibleDescription(email);
  await expect(ui.link(page, 'Email')).toHaveAttribute('title', email);
  await expect(page.getByText('Rao & Partners Archi...')).toHaveAttribute('title', companyName);
  const copy = ui.button(page, 'Copy email');
  const isTick = (one: typeof copy) => one.locator('path').isHidden();
  expect(await isTick(copy)).toBe(false);
  await copy.click();
  await expect.poll(() => ui.readClipboard(page)).toBe(email);
  expect(await isTick(copy)).toBe(true);
  const save = ui.link(page, 'Save');
  const width = (await save.boundingBox())?.width;
  await save.click();
  expect([await isTick(save), (await save.boundingBox())?.width]).toEqual([true, width]);
});

test('card: its tiles move once and shortly, and nothing shifts', async ({ page, owner }) => {
  await page.addInitScript(() => {
    const settled: (ComputedEffectTiming | undefined)[] = [];
    Object.assign(globalThis, { settled });
    // Read at its start, because it may have ended when the page is asked.
    addEventListener('animationstart', ({ animationName, target }) => {
      const [animation] = (target as Element).getAnimations();
      if (animationName === 'settle') settled.push(animation?.effect?.getComputedTiming());
    });
  });
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    await page.emulateMedia({ reducedMotion });
    await page.goto(`/user/${owner._id}`);
    const { moves, shifts } = await page.evaluate(async () => {
      await Promise.all(document.getAnimations().map((one) => one.finished));
      const entries = await new Promise<PerformanceEntryList>((resolve) => {
        const observer = new PerformanceObserver((list) => resolve(list.getEntries()));
        observer.observe({ type: 'layout-shift', buffered: true });
        setTimeout(resolve, 200, []);
      });
      const timings = (globalThis as unknown as { settled: ComputedEffectTiming[] }).settled;
      const found = timings.map(({ endTime, iterations }) => [Number(endTime) < 500, iterations]);
      return { moves: [...new Set(found.map(String))], shifts: entries.length };
    });
    expect(moves).toEqual(reducedMotion === 'reduce' ? [] : ['true,1']);
    expect(shifts).toBe(0);
  }
});
