import type { Page } from '@playwright/test';

import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import { storeSession } from '#tests/support/owner.ts';
import * as ui from '#tests/support/ui.ts';

const KEPT_MS = 2_000;

test.use({ environment: { CARD_EXTRAS: 'address', LANGUAGES: 'hi' } });

test('draft: a kill of the browser after two seconds loses nothing', async ({
  server,
  owner,
  launch,
}) => {
  const first = await launch();
  await storeSession(first.page, server, owner);
  const pages = [
    ['/dashboard/edit', ['Designation', 'Address']],
    ['/dashboard/translations', ['About']],
    ['/ftue', ['Name']],
  ] as const;
  for (const [path, names] of pages) {
    const page = await first.context.newPage();
    await page.goto(path);
    for (const name of names) {
      await ui.textbox(page, name).press('End');
      await ui.textbox(page, name).pressSequentially(' and Partner');
    }
  }
  await first.page.waitForTimeout(KEPT_MS);
  await ui.crash(first);
  const { page } = await launch();
  await storeSession(page, server, owner);
  for (const [path, names] of pages) {
    await page.goto(path);
    for (const name of names) await expect(ui.textbox(page, name)).toHaveValue(/ and Partner$/);
    const main = page.getByRole('main');
    await ui.expectTexts(main, 'Not saved yet');
    await ui.button(main, 'Discard').click();
    for (const name of names) await expect(ui.textbox(page, name)).not.toHaveValue(/ and Partner$/);
  }
  await expect.poll(() => ui.storedKeys(page)).not.toContain('draft-');
});

const designationOf = (tab: Page) => ui.textbox(tab, 'Designation');

test('draft: of two tabs the later one wins, and both say so', async ({ page, context, call }) => {
  const alerts = ui.collectAlerts(page);
  const other = await context.newPage();
  const note = 'Typed in another tab too';
  for (const tab of [page, other]) {
    await tab.goto('/dashboard/edit');
    await designationOf(tab).waitFor();
  }
  await designationOf(page).fill('Partner');
  await ui.expectTexts(page.getByRole('main'), 'Not saved yet');
  await expect(page.getByText(note)).toHaveCount(0);
  await expect.poll(() => ui.storedKeys(page)).toContain('draft-');
  await designationOf(other).fill('Director');
  for (const tab of [page, other]) await ui.expectTexts(tab.getByRole('main'), note);
  const third = await context.newPage();
  await third.goto('/dashboard/edit');
  await expect(designationOf(third)).toHaveValue('Director');
  await third.close();
  // What the other tab keeps is not removed with the draft of this one.
  await ui.updateChanges(page);
  await expect.poll(() => alerts).toEqual(['Data updated successfully']);
  await expect(other.getByText(note)).toHaveCount(0);
  await other.reload();
  await expect(designationOf(other)).toHaveValue('Director');
  expect(await call('/user/:id')).toMatchObject({ designation: 'Partner' });
});
