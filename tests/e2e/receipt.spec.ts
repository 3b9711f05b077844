import { accentProperties, idPalette } from '#domain/palette.ts';
import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import * as ui from '#tests/support/ui.ts';

test.use({
  environment: {
    VIEWS: 'contacts',
    CONNECT_NOTICE: 'dpdp',
    DPDP_CONTACT: 'Meera Iyer, privacy@example.com',
  },
});

test('receipt: a visitor reads the notice, sees what was left and withdraws it, and the owner reads the day', async ({
  page,
  owner,
}) => {
  await page.goto(`/user/${owner._id}`);
  const see = ui.link(page, 'See or withdraw what you left');
  await expect(see).toBeHidden();
  const alerted = page.waitForEvent('dialog').then((alert) => alert.accept());
  const notice = page.locator('dialog');
  await expect(notice).toContainText('Whom to ask: Meera Iyer');
  await test.step('on the smallest phone the notice is folded', async () => {
    await page.setViewportSize({ width: 320, height: 568 });
    await ui.button(page, 'Connect').click();
    await expect(notice.getByText('Who gets it: Asha Rao')).toBeVisible();
    await expect(notice.getByText('Whom to ask')).toBeHidden();
    await notice.getByText('Read more').click();
    await expect(notice.getByText('Whom to ask')).toBeVisible();
    await page.keyboard.press('Escape');
  });
  await ui.leaveDetails(page, { Name: 'Ravi Menon', Mobile: '98765 43210' });
  await alerted;
  await expect(see).toBeVisible();
  const tile = await page.locator('#outcome svg').first().innerHTML();
  expect(tile).toContain('circle');
  await test.step('the tab keeps the link', async () => {
    await page.reload();
    await expect(see).toBeVisible();
    await ui.button(page, 'Copy link').last().click();
    await expect(ui.button(page, 'Copied')).toBeVisible();
    expect(await ui.readClipboard(page)).toBe(
      await see.evaluate((link: HTMLAnchorElement) => link.href),
    );
  });
  await see.click();
  await expect(ui.heading(page, 'What you left')).toBeVisible();
  await ui.expectTexts(page, 'Ravi Menon', '98765 43210');
  const accent = page.evaluate(() => getComputedStyle(document.body).getPropertyValue('--accent'));
  expect(await accent).toBe(accentProperties(idPalette(owner._id), 'light')['--accent']);
  expect(await page.locator('.shared-tile').innerHTML()).toBe(tile);
  await ui.button(page, 'Withdraw').click();
  await ui.button(page, 'Withdraw my details').click();
  await ui.expectTexts(page, 'Your details were withdrawn.');
  await page.goto(`/user/${owner._id}`);
  await see.click();
  await ui.expectTexts(page, 'Nothing is kept under this link.');
  for (const path of ['/dashboard', '/dashboard/contacts']) {
    await page.goto(path);
    await ui.expectTexts(page, /^One contact was withdrawn on \d+ \w+ \d{4}\.$/);
    await expect(page.getByText('Ravi Menon')).toHaveCount(0);
  }
});
