import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { AxeResults, RunOptions } from 'axe-core';

import { expect, test as base } from '#tests/support/browser-test.ts';
import { contentWidth, findOverlaps } from '#tests/support/overlap.ts';
import { SCREENS } from '#tests/support/screens.ts';
import { seedServer } from '#tests/support/seed.ts';
import type { Seed } from '#tests/support/seed.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  resultTypes: ['violations'],
};

/** The rules that depend on colours; the dark scheme changes nothing else (view/tokens.css). */
const COLOUR_RULES: RunOptions = { ...RULES, runOnly: ['color-contrast', 'link-in-text-block'] };
const RULES_OF_SCHEME = { light: RULES, dark: COLOUR_RULES } as const;

let seeded: Promise<Seed> | undefined;

/** For the tests of a worker. */
const test = base.extend<{ seed: Seed }>({
  seed: async ({ server }, use, { parallelIndex }) =>
    use(await (seeded ??= seedServer(server, `7000${parallelIndex}`))),
});

test.afterAll(async () => (await seeded)?.dispose());

declare const axe: { run: (options: RunOptions) => Promise<AxeResults> };

/** `npm run hardening -- screens` sets it: every screen in every layout. */
const IS_WHOLE = Boolean(process.env['WHOLE_MATRIX']);

/**
 * The smallest phone, and a laptop with the browser's text at 200 % (WCAG 1.4.4, 1.4.10); in the whole
 * matrix also a phone with that text, and a large screen.
 */
const LAYOUTS = [
  { width: 320, fontPx: 16 },
  { width: 1280, fontPx: 32 },
  ...(IS_WHOLE
    ? [
        { width: 390, fontPx: 32 },
        { width: 2560, fontPx: 16 },
      ]
    : []),
];

/** Screens of which another one has every element. */
const SIMILAR = new Set([
  'card-sparse',
  'policy-refund',
  'policy-shipping',
  'policy-terms',
  'login-sending',
  'onboarding-catalogue',
  'onboarding-loading',
  'dashboard-chunk-loading',
  'dashboard-empty',
  'dashboard-contacts-loading',
  'edit-loading',
  'edit-sparse',
  'edit-link',
  'account',
  'account-loading',
  'account-delete',
  'signature',
  'signature-loading',
  'contacts-view-empty',
  'contacts-view-nothing',
  'analytics-empty',
  'analytics-loading',
]);
/** Tall, so that no sticky button covers a text. */
const LAYOUT_HEIGHT_PX = 4000;

/** iOS zooms into a field with text below 16 px. */
function fontSizes() {
  const elements = document.querySelectorAll(
    'html, body, input:not([type=hidden]), textarea, select',
  );
  const [root, body, ...fields] = Array.from(elements, (element) => ({
    name: element.id,
    sizePx: parseFloat(getComputedStyle(element).fontSize),
  }));
  const smallFields = fields.filter(({ sizePx }) => sizePx < 16);
  return { root: root?.sizePx, body: body?.sizePx, smallFields };
}

// A screen is opened once for all checks, because that takes most of the time.
for (const screen of SCREENS.filter(({ name }) => IS_WHOLE || !SIMILAR.has(name))) {
  test(`screen ${screen.name}: no violations of axe in light and dark, and nothing overlaps`, async ({
    page,
    seed,
    expectErrors,
  }) => {
    expectErrors(...(screen.errors ?? []));
    await screen.open(page, seed);
    expect(await page.evaluate(fontSizes)).toEqual({ root: 16, body: 15, smallFields: [] });
    await page.evaluate(AXE);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const { violations } = await page.evaluate(
        (rules) => axe.run(rules),
        RULES_OF_SCHEME[colorScheme],
      );
      const found = violations.map(({ id, nodes }) => [
        id,
        nodes.map((node) => [node.html, node.failureSummary]),
      ]);
      expect(found, colorScheme).toEqual([]);
    }
    for (const { width, fontPx } of LAYOUTS) {
      await page.setViewportSize({ width, height: LAYOUT_HEIGHT_PX });
      const content = await contentWidth(page, fontPx);
      const layout = `${width} px with a font of ${fontPx} px`;
      expect(content, `width of the content at ${layout}`).toBeLessThanOrEqual(width);
      // The open menu covers the page.
      if (screen.name === 'dashboard-menu') continue;
      expect(await findOverlaps(page), `overlaps at ${layout}`).toEqual([]);
    }
  });
}

test('layout: an overlap of two texts is found', async ({ page, seed }) => {
  await page.goto(`${seed.server.origin}/user/${seed.full._id}`);
  expect(await findOverlaps(page)).toEqual([]);
  await page.evaluate(() => {
    const name = document.querySelector<HTMLElement>('h1');
    if (name) name.style.transform = 'translateY(34px)';
  });
  expect(await findOverlaps(page)).toContain("'Asha Rao' and 'Principal Architect'");
});
