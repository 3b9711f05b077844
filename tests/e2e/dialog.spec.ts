import type { Locator, Page } from '@playwright/test';

import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import { FULL_EXTRAS, saveUpi } from '#tests/support/owner.ts';
import * as ui from '#tests/support/ui.ts';

test.use({ environment: { CARD_EXTRAS: 'all' }, viewport: { width: 1000, height: 800 } });

/** The name of the button that opens each pop-up, the pop-up's name, and its page. */
const POPUPS = [
  ['LinkedIn', 'Connect your socials', '/dashboard/edit'],
  ['Add more', 'Add more', '/dashboard/edit'],
  ['Edit photo', 'Edit photo', '/dashboard/edit'],
  ['Show QR code full screen', 'QR code', '/dashboard'],
  ['Ravi', 'Ravi', '/dashboard'],
  ['Pay by UPI', 'Pay by UPI', '/user/:id'],
] as const;

/** The control that appears last on each page. It moves what is below it, so an earlier click could miss its button. */
const LAST = {
  '/dashboard/edit': (page: Page) => ui.textbox(page, 'GSTIN'),
  '/dashboard': (page: Page) => ui.button(page, 'Ravi'),
  '/user/:id': (page: Page) => ui.button(page, 'Pay by UPI'),
};

/** Outside of every pop-up that is smaller than the window. */
const BACKDROP = { x: 5, y: 5 };
const centreOf = async (target: Locator) => {
  await target.waitFor();
  const box = await target.boundingBox();
  return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
};

async function drag(page: Page, ...[from, to]: { x: number; y: number }[]): Promise<void> {
  await page.mouse.move(from?.x ?? 0, from?.y ?? 0);
  await page.mouse.down();
  await page.mouse.move(to?.x ?? 0, to?.y ?? 0);
  await page.mouse.up();
}

for (const [opener, name, path] of POPUPS) {
  test(`pop-up '${name}': a double click on '${opener}' only opens it, and the backdrop closes it by a press and release`, async ({
    page,
    server,
    owner,
    phone,
    call,
    addContact,
  }) => {
    await addContact({ name: 'Ravi', mobile: '9876500000' });
    await call('/user/:id/extras', FULL_EXTRAS);
    await saveUpi(server, owner, { phone, upi: 'asha@okaxis' });
    await page.goto(path.replace(':id', owner._id));
    const popup = ui.dialog(page, name);
    await expect(LAST[path](page)).toBeVisible();
    await ui.button(page, opener).dblclick();
    await expect(popup).toBeVisible();
    await page.reload();
    await expect(LAST[path](page)).toBeVisible();
    await ui.button(page, opener).click();
    await expect(popup).toBeVisible();
    if (name === 'QR code') return;
    const inside = await centreOf(popup.getByRole('heading').first());
    await drag(page, inside, BACKDROP);
    await drag(page, BACKDROP, inside);
    await expect(popup).toBeVisible();
    await page.mouse.click(BACKDROP.x, BACKDROP.y);
    await expect(popup).toBeHidden();
  });
}

test('pop-up: a press on the backdrop does not close a form in which something was typed', async ({
  page,
}) => {
  await page.goto('/dashboard/edit');
  await ui.button(page, 'LinkedIn').click();
  const popup = ui.dialog(page, 'Connect your socials');
  await popup.getByRole('textbox').pressSequentially('x');
  await page.mouse.click(BACKDROP.x, BACKDROP.y);
  await expect(popup).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(popup).toBeHidden();
});

test.describe('a card without handles', () => {
  test.use({ card: { name: 'Asha' } });

  test("catalogue: the second click of a double click on 'Add more' adds no network", async ({
    page,
  }) => {
    await page.goto('/dashboard/edit');
    const more = ui.button(page, 'Add more');
    await more.click();
    const entry = ui.button(page, 'Add Snapchat');
    const { y } = await centreOf(entry);
    await page.keyboard.press('Escape');
    await more.scrollIntoViewIfNeeded();
    await page.evaluate((by) => window.scrollBy(0, by), (await centreOf(more)).y - y);
    await more.dblclick();
    await expect(ui.dialog(page, 'Add more')).toBeVisible();
    await ui.button(page, 'Add Snapchat').dblclick();
    await expect(ui.dialog(page, 'Connect your socials')).toBeVisible();
  });

  test("steps: a double click on 'Next' or on 'Back' moves by one step", async ({ page }) => {
    await page.goto('/ftue');
    await ui.button(page, 'Next').dblclick();
    await expect(ui.heading(page, 'Where you work')).toBeVisible();
    await ui.button(page, 'Next').click();
    await expect(ui.heading(page, 'Add Socials')).toBeVisible();
    await ui.button(page, 'Back').dblclick();
    await expect(ui.heading(page, 'Where you work')).toBeVisible();
  });
});
