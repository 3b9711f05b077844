import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import { saveUpi } from '#tests/support/owner.ts';
import { expectQrCode } from '#tests/support/qr-code.ts';
import * as ui from '#tests/support/ui.ts';

test.use({ environment: { CARD_EXTRAS: 'all', VIEWS: 'analytics' } });

const SAVED = 'Data updated successfully';
const GSTIN = '27AAPFU0939F1ZV';
const NOTHING = { phone: null, email: null, links: null, upi: null, gstin: null, address: null };

test('more on your card: a new UPI ID needs a code', async ({ page, server, phone, call }) => {
  const alerts = ui.collectAlerts(page);
  const stored = () => call('/user/:id/extras');
  const popup = ui.dialog(page, 'Confirm UPI ID');
  const [upi, gstin] = [ui.textbox(page, 'UPI ID'), ui.textbox(page, 'GSTIN')];
  await page.goto('/dashboard/edit');
  const group = page.getByRole('group', { name: 'More on your card' });
  await ui.expectTexts(group, 'contains your PAN (characters 3 to 12)');
  const wrong = { GSTIN: '27aapfu0939f1zw', Address: '1 MG Road\nPune', 'UPI ID': 'asha@okaxis' };
  await ui.fill(page, wrong);
  await ui.updateChanges(page);
  await ui.expectTexts(group, 'GSTIN has a wrong check digit');
  await expect(gstin).toBeFocused();
  expect(await stored()).toEqual(NOTHING);

  await gstin.fill(GSTIN.toLowerCase());
  await ui.textbox(page, 'Name').fill('Asha R&D #1 देव');
  const preview = page.locator('.edit-preview .card-extras');
  for (const text of ['asha@okaxis', GSTIN, '1 MG Road']) await expect(preview).toContainText(text);
  await ui.updateChanges(page);
  await expect(popup).toContainText('asha@okaxis');
  const saved = { ...NOTHING, gstin: GSTIN, address: '1 MG Road\nPune' };
  expect(await stored()).toEqual(saved);
  await ui.button(popup, 'Cancel').click();
  await expect(page.getByText('Not saved yet').first()).toBeVisible();
  await expect(upi).toHaveValue('asha@okaxis');
  expect(alerts).toEqual([]);
  await ui.updateChanges(page);
  await ui.button(popup, 'Send code').click();
  await expect(ui.textbox(popup, 'Code')).toBeEnabled();
  await ui.textbox(popup, 'Code').fill(await server.codeFor(`+91${phone}`));
  await ui.button(popup, 'Save').click();
  await expect(popup).toBeHidden();
  await expect.poll(() => alerts).toEqual([SAVED]);
  expect(await stored()).toEqual({ ...saved, upi: 'asha@okaxis' });
  await expect(page.getByText('Not saved yet')).toHaveCount(0);
  await page.reload();
  await expect(upi).toHaveValue('asha@okaxis');
  await upi.fill('');
  await ui.updateChanges(page);
  await expect.poll(() => alerts).toEqual([SAVED, SAVED]);
  await expect(popup).toBeHidden();
  expect(await stored()).toEqual(saved);
});

test('more on your card: a second phone and e-mail, and up to three links', async ({
  page,
  owner,
  call,
}) => {
  const alerts = ui.collectAlerts(page);
  await page.goto('/dashboard/edit');
  const group = page.getByRole('group', { name: 'More on your card' });
  await ui.fill(page, { 'Second phone': '080 2222 3333', 'Second email': 'office@a.example' });
  await ui.fill(page, { 'Link 1 text': 'Book me', 'Link 1 address': 'localhost' });
  await ui.button(group, 'Add a link').click();
  await ui.fill(page, { 'Link 2 text': 'Prices', 'Link 2 address': 'a.example/prices' });
  await ui.updateChanges(page);
  await ui.expectTexts(group, 'Link 1 address must be a link that others can open.');
  await expect(ui.textbox(page, 'Link 1 address')).toBeFocused();
  await page.reload();
  await expect(ui.textbox(page, 'Link 2 text')).toHaveValue('Prices');
  await ui.textbox(page, 'Link 1 address').fill('cal.example/asha');
  const preview = page.locator('.edit-preview .business-card');
  for (const text of ['080 2222 3333', 'office@a.example', 'cal.example', 'Prices'])
    await expect(preview).toContainText(text);
  await ui.updateChanges(page);
  await expect.poll(() => alerts).toEqual([SAVED]);
  const links = [
    { label: 'Book me', url: 'https://cal.example/asha' },
    { label: 'Prices', url: 'https://a.example/prices' },
  ];
  const second = { phone: '080 2222 3333', email: 'office@a.example' };
  const stored = () => call('/user/:id/extras');
  expect(await stored()).toEqual({ ...NOTHING, ...second, links });
  await ui.button(group, 'Remove link 1').click();
  await ui.updateChanges(page);
  await expect.poll(() => alerts).toEqual([SAVED, SAVED]);
  expect(await stored()).toEqual({ ...NOTHING, ...second, links: links.slice(1) });
  await page.goto(`/user/${owner._id}`);
  await expect(ui.link(page, 'Prices')).toHaveAttribute('href', 'https://a.example/prices');
  await ui.button(page, 'Copy email: office@a.example').click();
  expect(await ui.readClipboard(page)).toBe('office@a.example');
});

test('more on your card: a change on another device stays', async ({ page, call }) => {
  ui.expectErrors(page, /answered 412/);
  const alerts = ui.collectAlerts(page);
  const address = ui.textbox(page, 'Address');
  await page.goto('/dashboard/edit');
  await expect(address).toBeEnabled();
  await address.fill('1 MG Road');
  await call('/user/:id/extras', { gstin: GSTIN });
  await page.reload();
  await expect(ui.textbox(page, 'GSTIN')).toHaveValue(GSTIN);
  await expect(address).toHaveValue('1 MG Road');
  await call('/user/:id/extras', { gstin: '29AAGCB7383J1Z4' });
  await ui.updateChanges(page);
  await expect.poll(() => alerts.filter((text) => text === SAVED)).toEqual([SAVED]);
  const both = { ...NOTHING, gstin: '29AAGCB7383J1Z4', address: '1 MG Road' };
  expect(await call('/user/:id/extras')).toEqual(both);
});

const linkOf = (label: string) => ({ label, url: `https://${label}.example/` });

test('more on your card: a fourth link from another device is shown, and can be removed', async ({
  page,
  call,
}) => {
  ui.collectAlerts(page);
  await call('/user/:id/extras', { links: [linkOf('a'), linkOf('b')] });
  await page.goto('/dashboard/edit');
  await ui.button(page, 'Add a link').click();
  await ui.fill(page, { 'Link 3 text': 'typed', 'Link 3 address': 'https://typed.example/' });
  const stored = async () => JSON.stringify(await ui.storedEntries(page));
  await expect.poll(stored).toContain('https://typed.example/');
  await call('/user/:id/extras', { links: [linkOf('a'), linkOf('b'), linkOf('c')] });
  await page.reload();
  await ui.expectTexts(page, 'A card can have up to 3 links. Remove one first.');
  await ui.button(page, 'Remove link 1').click();
  await ui.saveChanges(page);
  const links = [linkOf('b'), linkOf('typed'), linkOf('c')];
  expect(await call('/user/:id/extras')).toMatchObject({ links });
});

test.describe('on Android', () => {
  test.use({ userAgent: ui.PHONE_USER_AGENT });

  test('card: the sheet of a UPI ID has its link', async ({ page, owner, server, phone, call }) => {
    const name = 'देव R&D #1';
    const upi = 'asha.rao-1@okaxis';
    await page.evaluate(() => localStorage.clear());
    await call('/user/updateUser/:id', { name });
    await call('/user/:id/extras', { gstin: GSTIN, address: '1 MG Road\nPune' });
    await saveUpi(server, owner, { phone, upi });
    const payment = `upi://pay?pa=${upi}&pn=${encodeURIComponent(name)}&cu=INR`;
    await page.goto(`/user/${owner._id}`);
    await ui.button(page, 'Copy GSTIN').click();
    expect(await ui.readClipboard(page)).toBe(GSTIN);
    const maps = 'https://www.google.com/maps/search/?api=1&query=1%20MG%20Road%2C%20Pune';
    await expect(page.getByRole('link', { name: 'Address' })).toHaveAttribute('href', maps);
    const sheet = ui.dialog(page, 'Pay by UPI');
    await ui.button(page, 'Pay by UPI').click();
    await expectQrCode(page, payment);
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
    await ui.button(page, 'Pay by UPI').click();
    await expect(sheet).toContainText(`You pay ${name}`);
    await ui.button(sheet, 'Copy UPI ID').click();
    expect(await ui.readClipboard(page)).toBe(upi);
    await expect(sheet.getByRole('link')).toHaveAttribute('href', payment);
    // Not that of the links in a note.
    await expect(sheet.getByRole('link')).toHaveCSS('color', 'rgb(255, 255, 255)');
    await expect(sheet).toContainText('If the app refuses, copy the ID.');
    await ui.button(sheet, 'Close').click();
    await expect(sheet).toBeHidden();
    await expect(ui.button(page, 'Pay by UPI')).toBeFocused();
    const counts = () => call<object>('/profile/getAnalytics/:id');
    await expect.poll(counts).toMatchObject({ days: [{ counts: { UPI: 1 } }] });
  });
});

test('card: the sheet of a UPI ID has no link on a computer', async ({
  page,
  owner,
  server,
  phone,
}) => {
  await page.evaluate(() => localStorage.clear());
  await saveUpi(server, owner, { phone, upi: 'asha@okaxis' });
  await page.goto(`/user/${owner._id}`);
  await ui.button(page, 'Pay by UPI').click();
  await expect(ui.button(page, 'Copy UPI ID')).toBeFocused();
  await expect(page.getByText('If the app refuses')).toBeHidden();
});
