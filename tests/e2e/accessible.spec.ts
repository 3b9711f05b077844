import { expect, test as base } from '#tests/support/browser-test.ts';
import { expectAccessible, expectLayouts, findOverlaps } from '#tests/support/overlap.ts';
import { SCREENS } from '#tests/support/screens.ts';
import { seedServer } from '#tests/support/seed.ts';
import type { Seed } from '#tests/support/seed.ts';

let seeded: Promise<Seed> | undefined;

const test = base.extend<{ seed: Seed }>({
  seed: async ({ server }, use, { parallelIndex }) =>
    use(await (seeded ??= seedServer(server, `7000${parallelIndex}`))),
});

test.afterAll(async () => (await seeded)?.dispose());

/** `npm run hardening -- screens` sets it: every screen in every layout. */
const IS_WHOLE = Boolean(process.env['WHOLE_MATRIX']);

/** The smallest phone, and text at 200 % (WCAG 1.4.4, 1.4.10); in the whole matrix also on a phone, and a large screen. */
const LAYOUTS = [
  { width: 320, fontPx: 16 },
  { width: 1280, fontPx: 32 },
  { width: 390, fontPx: 32 },
  { width: 2560, fontPx: 16 },
].slice(0, IS_WHOLE ? 4 : 2);

/** Screens of which another one has every element. */
const SIMILAR = new Set(
  `card-sparse policy-refund policy-shipping policy-terms onboarding-catalogue
  onboarding-loading dashboard-chunk-loading dashboard-empty dashboard-contacts-loading edit-loading
  edit-sparse edit-link account account-loading account-delete signature
  contacts-view-empty contacts-view-nothing analytics-empty analytics-loading`.split(/\s+/),
);

/** iOS zooms into a field with text below 16 px. */
function fontSizes() {
  const texts = 'html, body, input:not([type=hidden]), textarea, select';
  const [root, body, ...fields] = Array.from(document.querySelectorAll(texts), (element) => ({
    name: element.id,
    sizePx: parseFloat(getComputedStyle(element).fontSize),
  }));
  const smallFields = fields.filter(({ sizePx }) => sizePx < 16);
  return { root: root?.sizePx, body: body?.sizePx, smallFields };
}

// A screen is opened once for all checks, because that takes most of the time.
for (const screen of SCREENS.filter(({ name }) => IS_WHOLE || !SIMILAR.has(name))) {
  test(`screen ${screen.name}: axe finds nothing, and nothing overlaps`, async ({ page, seed }) => {
    await screen.open(page, seed);
    expect(await page.evaluate(fontSizes)).toEqual({ root: 16, body: 15, smallFields: [] });
    await expectAccessible(page);
    // The open menu covers the page.
    await expectLayouts(page, LAYOUTS, screen.name === 'dashboard-menu');
  });
}

test('layout: an overlap of two texts is found', async ({ page, seed }) => {
  await page.goto(`${seed.server.origin}/user/${seed.full._id}`);
  expect(await findOverlaps(page)).toEqual([]);
  await page.evaluate(() => {
    const name = document.querySelector<HTMLElement>('h1');
    if (name) name.style.transform = 'translateY(34px)';
  });
  expect(await findOverlaps(page)).toEqual([expect.stringContaining("'Asha Rao' and '")]);
});
