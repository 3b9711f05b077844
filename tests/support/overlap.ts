import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import axeCore from 'axe-core';

declare const axe: typeof axeCore;

const RULES_OF_SCHEME = {
  light: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  // Only these rules depend on colours, and the dark scheme changes nothing else (view/tokens.css).
  dark: ['color-contrast', 'link-in-text-block'],
};

export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axeCore.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await page.evaluate(
      (runOnly) => axe.run({ runOnly, resultTypes: ['violations'] }),
      RULES_OF_SCHEME[colorScheme],
    );
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => [id, html, failureSummary]),
    );
    expect(found, colorScheme).toEqual([]);
  }
}

/** The window is so tall that no sticky button covers a text. */
const LAYOUT_HEIGHT_PX = 6000;
type Layout = Readonly<Record<'width' | 'fontPx', number>>;

export async function expectLayouts(page: Page, layouts: readonly Layout[], canOverlap = false) {
  for (const { width, fontPx } of layouts) {
    await page.setViewportSize({ width, height: LAYOUT_HEIGHT_PX });
    const content = await page.evaluate((size) => {
      const root = document.documentElement;
      root.style.fontSize = `${size}px`;
      return root.scrollWidth;
    }, fontPx);
    const layout = `${width} px with a font of ${fontPx} px`;
    expect(content, `width of the content at ${layout}`).toBeLessThanOrEqual(width);
    if (!canOverlap) expect(await findOverlaps(page), `overlaps at ${layout}`).toEqual([]);
  }
}

/** Returns each pair of texts that overlap on the page, in its open dialog if there is one. */
export async function findOverlaps(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    type Box = Record<'left' | 'right' | 'top' | 'bottom', number> & { node: Node; text: string };
    /** The ascent and descent of a font reach into neighbouring lines, but letters hardly do. */
    const INNER_FRACTION = 0.25;
    const TOLERANCE_PX = 2;

    /** Returns the part of a rectangle that no ancestor cuts off. */
    const clip = (element: Element, rect: DOMRect) => {
      let { left, right, top, bottom } = rect;
      for (let at: Element | null = element; at !== null; at = at.parentElement) {
        const style = getComputedStyle(at);
        if (style.clipPath !== 'none' || style.visibility === 'hidden') return null;
        if (style.overflowX !== 'visible') {
          const outer = at.getBoundingClientRect();
          left = Math.max(left, outer.left);
          right = Math.min(right, outer.right);
          top = Math.max(top, outer.top);
          bottom = Math.min(bottom, outer.bottom);
        }
      }
      const margin = (bottom - top) * INNER_FRACTION;
      return { left, right, top: top + margin, bottom: bottom - margin };
    };

    const root = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const boxes: Box[] = [];
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const element = node.parentElement;
      const text = node.textContent?.trim() ?? '';
      if (element === null || text === '' || !element.checkVisibility()) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const rect of range.getClientRects()) {
        const box = clip(element, rect);
        if (box && box.right > box.left && box.bottom > box.top) {
          boxes.push({ ...box, node, text: text.slice(0, 30) });
        }
      }
    }
    const isOver = (a: Box, b: Box) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > TOLERANCE_PX &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > TOLERANCE_PX;
    return boxes.flatMap((a, at) =>
      boxes
        .slice(at + 1)
        .filter((b) => a.node !== b.node && isOver(a, b))
        .map((b) => `'${a.text}' and '${b.text}'`),
    );
  });
}
