import type { Locator, Page } from '@playwright/test';

import { collectAlerts, expect, test } from '#tests/support/browser-test.ts';
import { saveUpi, sendRequest } from '#tests/support/owner.ts';
import { expectQrCode } from '#tests/support/qr-code.ts';

test.use({ environment: { CARD_EXTRAS: 'upi,gstin,address', VIEWS: 'analytics' } });

const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36';
const SAVED = 'Data updated successfully';
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name });
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

test('more on your card: what is wrong is said beside a field; a new UPI ID needs a code of the login phone', async ({
  ownerPage: page,
  owner,
  server,
  phone,
}) => {
  const alerts = collectAlerts(page);
  const stored = () =>
    sendRequest(server, `/user/${owner._id}/extras`, { token: owner.sessionToken });
  const update = () => button(page, 'Update Changes').first().click();
  const dialog = page.getByRole('dialog', { name: 'Confirm UPI ID' });
  const confirm = async () => {
    await button(dialog, 'Send code').click();
    const code = dialog.getByRole('textbox', { name: 'Code' });
    await expect(code).toBeEnabled();
    await code.fill(await server.codeFor(`+91${phone}`));
    await button(dialog, 'Save').click();
    await expect(dialog).toBeHidden();
  };
  await page.goto('/dashboard/edit');
  const group = page.getByRole('group', { name: 'More on your card' });
  await expect(group.getByText('contains your PAN (characters 3 to 12)')).toBeVisible();

  await field(page, 'GSTIN').fill('27aapfu0939f1zw');
  await field(page, 'Address').fill('1 MG Road\nPune');
  await field(page, 'UPI ID').fill('asha@okaxis');
  await update();
  await expect(group.getByText('GSTIN has a wrong check digit')).toBeVisible();
  await expect(field(page, 'GSTIN')).toBeFocused();
  expect(await stored()).toEqual({ upi: null, gstin: null, address: null });

  await field(page, 'GSTIN').fill('27aapfu0939f1zv');
  await field(page, 'Name').fill('Asha R&D #1 देव');
  const preview = page.locator('.edit-preview .card-extras');
  for (const text of ['asha@okaxis', '27AAPFU0939F1ZV', '1 MG Road'])
    await expect(preview).toContainText(text);
  await update();
  await expect(dialog).toContainText('asha@okaxis');
  expect(await stored()).toEqual({
    upi: null,
    gstin: '27AAPFU0939F1ZV',
    address: '1 MG Road\nPune',
  });
  await button(dialog, 'Cancel').click();
  await expect(page.getByText('Unsaved changes').first()).toBeVisible();
  await expect(field(page, 'UPI ID')).toHaveValue('asha@okaxis');
  expect(alerts).toEqual([]);

  await update();
  await confirm();
  await expect.poll(() => alerts).toEqual([SAVED]);
  expect(await stored()).toMatchObject({ upi: 'asha@okaxis' });
  await expect(page.getByText('Unsaved changes')).toHaveCount(0);

  await page.reload();
  await expect(field(page, 'UPI ID')).toHaveValue('asha@okaxis');
  await field(page, 'UPI ID').fill('');
  await update();
  await expect.poll(() => alerts).toEqual([SAVED, SAVED]);
  await expect(dialog).toBeHidden();
  expect(await stored()).toMatchObject({ upi: null, gstin: '27AAPFU0939F1ZV' });
});

test('more on your card: a change on another device stays, and what was typed survives a reload', async ({
  ownerPage: page,
  owner,
  server,
  expectErrors,
}) => {
  expectErrors(/answered 412/);
  const alerts = collectAlerts(page);
  const call = (body?: object) =>
    sendRequest(server, `/user/${owner._id}/extras`, {
      token: owner.sessionToken,
      ...(body && { body }),
    });
  await page.goto('/dashboard/edit');
  await expect(field(page, 'Address')).toBeEnabled();
  await field(page, 'Address').fill('1 MG Road');
  await call({ gstin: '27AAPFU0939F1ZV' });
  await page.reload();
  await expect(field(page, 'GSTIN')).toHaveValue('27AAPFU0939F1ZV');
  await expect(field(page, 'Address')).toHaveValue('1 MG Road');
  await call({ gstin: '29AAGCB7383J1Z4' });
  await button(page, 'Update Changes').first().click();
  await expect.poll(() => alerts.filter((text) => text === SAVED)).toEqual([SAVED]);
  expect(await call()).toEqual({ upi: null, gstin: '29AAGCB7383J1Z4', address: '1 MG Road' });
});

test.describe('on Android', () => {
  test.use({ userAgent: ANDROID, permissions: ['clipboard-read', 'clipboard-write'] });

  test('card: the sheet of a UPI ID has its QR code, Copy, the payee and a link, and is counted once', async ({
    page,
    owner,
    server,
    phone,
  }) => {
    const { _id, sessionToken: token } = owner;
    const name = 'देव R&D #1';
    const upi = 'asha.rao-1@okaxis';
    const extras = { gstin: '27AAPFU0939F1ZV', address: '1 MG Road\nPune' };
    await sendRequest(server, `/user/updateUser/${_id}`, { token, body: { name } });
    await sendRequest(server, `/user/${_id}/extras`, { token, body: extras });
    await saveUpi(server, owner, { phone, upi });
    const link = `upi://pay?pa=${upi}&pn=${encodeURIComponent(name)}&cu=INR`;

    await page.goto(`/user/${_id}`);
    await button(page, 'Copy GSTIN').click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(extras.gstin);
    await expect(page.getByRole('link', { name: 'Address' })).toHaveAttribute(
      'href',
      'https://www.google.com/maps/search/?api=1&query=1%20MG%20Road%2C%20Pune',
    );
    const sheet = page.getByRole('dialog', { name: 'Pay by UPI' });
    for (let round = 0; round < 2; round += 1) {
      await button(page, 'Pay by UPI').click();
      await expect(sheet).toBeVisible();
      await expectQrCode(page, link);
      await page.goBack();
      await expect(sheet).toBeHidden();
    }
    await button(page, 'Pay by UPI').click();
    await expect(sheet).toContainText(`You pay ${name}`);
    await button(sheet, 'Copy UPI ID').click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(upi);
    await expect(sheet.getByRole('link')).toHaveAttribute('href', link);
    await expect(sheet).toContainText('some UPI apps refuse links to personal ids');
    await button(sheet, 'Close').click();
    await expect(sheet).toBeHidden();
    await expect(button(page, 'Pay by UPI')).toBeFocused();
    const counts = async () => {
      const { days } = await sendRequest<{ days: { counts: Record<string, number> }[] }>(
        server,
        `/profile/getAnalytics/${_id}`,
        { token },
      );
      return days[0]?.counts['UPI'];
    };
    await expect.poll(counts).toBe(1);
  });
});

test('card: the script of the sheet is loaded by a card with a UPI ID only, which has no link on a desktop', async ({
  page,
  owner,
  server,
  phone,
}) => {
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname);
  });
  const { _id, sessionToken: token } = owner;
  const body = { gstin: '27AAPFU0939F1ZV' };
  await sendRequest(server, `/user/${_id}/extras`, { token, body });
  await page.goto(`/user/${_id}`);
  await expect(button(page, 'Copy GSTIN')).toBeVisible();
  expect(scripts).toEqual([]);
  await saveUpi(server, owner, { phone, upi: 'asha@okaxis' });
  await page.goto(`/user/${_id}`);
  await button(page, 'Pay by UPI').click();
  await expect(button(page, 'Copy UPI ID')).toBeFocused();
  await expect(page.getByText('some UPI apps')).toBeHidden();
  expect(scripts).toEqual([expect.stringMatching(/^\/assets\/pay-[\w-]+\.js$/)]);
});
