import type { Page } from '@playwright/test';

/** Returns the width of a page's content with a size of the text. */
export async function contentWidth(page: Page, fontPx: number): Promise<number> {
  return page.evaluate((size) => {
    const root = document.documentElement;
    root.style.fontSize = `${size}px`;
    return root.scrollWidth;
  }, fontPx);
}

/** Returns each pair of texts that overlap on the page, in its open dialog if there is one. */
export async function findOverlaps(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    interface Box {
      readonly node: Node;
      readonly text: string;
      readonly left: number;
      readonly right: number;
      readonly top: number;
      readonly bottom: number;
    }
    /** The ascent and descent of a font reach into neighbouring lines; letters hardly do. */
    const INNER_FRACTION = 0.25;
    const TOLERANCE_PX = 2;

    /** The part of a rectangle that no ancestor cuts off. */
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
