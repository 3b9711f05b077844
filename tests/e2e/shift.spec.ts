import { OWNER_PAGES } from '#domain/page.ts';
import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import * as ui from '#tests/support/ui.ts';

test.use({ environment: { VIEWS: 'contacts,analytics', CARD_EXTRAS: 'all', LANGUAGES: 'hi' } });

/** Nobody notices a shift of half a pixel. */
const SHIFT_MAX = 0.001;

for (const [width, height] of [
  [390, 844],
  [1280, 900],
] as const) {
  test(`owner's pages: nothing shifts while they arrive, at ${width} px`, async ({
    page,
    addContact,
  }) => {
    const setLine = await ui.controlLine(page);
    await setLine({ latencyMs: 150, bytesPerSecond: 400_000 });
    const readShift = await ui.measureShift(page);
    await page.setViewportSize({ width, height });
    const shifts: string[] = [];
    const visit = async (path: string) => {
      await page.goto(path);
      await page.waitForLoadState('networkidle');
      const shift = await readShift();
      if (shift > SHIFT_MAX) shifts.push(`${path}: ${shift}`);
    };
    for (const { path } of Object.values(OWNER_PAGES)) await visit(path);
    for (const name of ['Ravi', 'Kaveri']) await addContact({ name, mobile: '98450 12345' });
    await visit(OWNER_PAGES.contacts.path);
    expect(shifts).toEqual([]);
  });
}
