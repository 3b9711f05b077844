import { readFile } from 'node:fs/promises';

import type { Locator, Page } from '@playwright/test';
import jsQR from 'jsqr';
import { PNG } from 'pngjs';

import { contactTimeDigits } from '#domain/contact.ts';
import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import { storeSession } from '#tests/support/owner.ts';
import { expectQrCode } from '#tests/support/qr-code.ts';
import * as ui from '#tests/support/ui.ts';

const CONTACT_CALLS = '**/api/profile/getContacts/*';
const rowsOf = (page: Page) => page.getByRole('table').getByRole('row');

test('dashboard: greets the owner, with links to card and help', async ({ page, owner, call }) => {
  await call('/user/updateUser/:id', { phone: '+442071838750' });
  await page.goto('/dashboard/');
  await ui.expectTexts(page, 'Welcome Asha', 'Start building connections!', '+44 20 7183 8750');
  const preview = ui.link(page, 'Preview Card');
  await expect(preview).toHaveAttribute('href', new RegExp(`/user/${owner._id}$`));
  await expect(preview).toHaveAttribute('target', '_blank');
  await expect(ui.link(page, 'See all')).toHaveAttribute('href', /\/dashboard$/);
  // This browser has no NFC, and this server no wallet.
  const absent = /NFC|Wallet|Open Contacts/;
  await expect(page.getByRole('button', { name: absent })).toHaveCount(0);
  await expect(page.getByRole('link', { name: absent })).toHaveCount(0);
  await ui.button(page, 'Menu').click();
  await expect(ui.link(page, 'Privacy')).toBeHidden();
  await ui.button(page, 'Legal').click();
  await expect(ui.link(page, 'Account and data')).toHaveAttribute('href', '/dashboard/account');
  await expect(ui.link(page, 'Privacy')).toHaveAttribute('href', '/privacy_policy');
  await expect(ui.link(page, 'Support')).toHaveAttribute('href', 'mailto:support@example.com');
});

/** The newest first; an older one keeps its name. */
const makeContacts = (kind: string, length: number) =>
  Array.from({ length }, (_, index) => {
    const name = `${kind} ${length - index}`;
    return { _id: name, name, companyName: '', email: '', mobile: '98450 12345' };
  });

const fakeContacts = (page: Page, count: number, heldCount = 0) =>
  page.route(CONTACT_CALLS, async (route) => {
    const query = new URL(route.request().url()).searchParams;
    const isHeld = query.get('held') === 'true';
    const list = isHeld ? makeContacts('Held', heldCount) : makeContacts('Visitor', count);
    const before = query.get('before');
    const start = list.findIndex(({ _id }) => _id === before) + 1;
    const json = list.slice(start, start + Number(query.get('limit')));
    const headers = before === null && { 'X-Held-Contacts': String(heldCount) };
    await route.fulfill({ json, ...(headers && { headers }) });
  });

test('Recent Connections: ten, then pages, then the held ones', async ({ page }) => {
  ui.expectErrors(page, /did not get through/);
  await fakeContacts(page, 115, 60);
  await page.goto('/dashboard');
  const rows = rowsOf(page);
  const more = ui.button(page, 'Show more');
  const held = ui.button(page, 'Show 60 more');
  await expect(rows).toHaveCount(11);
  await expect(rows.first()).toHaveText('NameCompanyEmailPhone no.');
  await expect(rows.nth(1)).toContainText('Visitor 115');
  await expect(more).toHaveCount(0);
  await page.route(CONTACT_CALLS, (route) => route.abort(), { times: 2 });
  await ui.link(page, 'See all').click();
  await ui.expectTexts(page, "We couldn't load more connections.");
  await ui.button(page, 'Try again').click();
  await expect(page).toHaveURL(/\/dashboard\/?$/);
  await expect(rows).toHaveCount(51);
  await expect(rows.nth(11)).toBeFocused();
  await more.click();
  await expect(rows).toHaveCount(101);
  await expect(held).toHaveCount(0);
  await more.click();
  await expect(rows).toHaveCount(116);
  await expect(rows.last()).toContainText('Visitor 1');
  await expect(more).toHaveCount(0);
  await held.click();
  const section = page.getByRole('region', { name: 'Held contacts' });
  const heldRows = section.getByRole('row');
  await expect(heldRows).toHaveCount(51);
  await expect(heldRows.nth(1)).toContainText('Held 60');
  await expect(heldRows.nth(1)).toBeFocused();
  await more.click();
  await expect(heldRows).toHaveCount(61);
  await ui.expectTexts(section, 'The last 60 are held');
  const anyMore = page.getByRole('button', { name: /^Show (more|[0-9])/ });
  await expect(anyMore).toHaveCount(0);
  await page.route('**/api/contacts/deleteHeldContacts/*', async (route) => {
    await fakeContacts(page, 15);
    await route.fulfill({ json: {} });
  });
  page.on('dialog', (question) => void question.accept());
  await ui.button(section, 'Delete all held').click();
  await expect(section).toHaveCount(0);
  await expect(rows).toHaveCount(16);
  await expect(anyMore).toHaveCount(0);
});

test('Recent Connections: a new one appears in a tab that is seen', async ({ page }) => {
  await page.clock.install();
  await fakeContacts(page, 0);
  await page.goto('/dashboard');
  const rows = rowsOf(page);
  await expect(rows.nth(1)).toContainText('Nobody has left their details yet.');
  await expect(rows).toHaveCount(2);
  await fakeContacts(page, 12);
  await page.clock.runFor(30_000);
  await expect(rows).toHaveCount(11);
  await expect(page.getByText('New connections: 10')).toBeAttached();
  await ui.link(page, 'See all').click();
  await expect(rows.nth(11)).toContainText('Visitor 2');
  await expect(rows).toHaveCount(13);
  await fakeContacts(page, 13);
  let requestCount = 0;
  page.on('request', (request) => void (requestCount += Number(/getContacts/.test(request.url()))));
  // A return to the tab is both.
  await page.evaluate(() => {
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    window.dispatchEvent(new Event('focus'));
  });
  await expect(rows.nth(1)).toContainText('Visitor 13');
  await expect(rows).toHaveCount(14);
  expect(requestCount).toBe(1);
  // More than the ten newest are new, so the pages are loaded again.
  await fakeContacts(page, 30);
  await page.clock.runFor(30_000);
  await expect(rows).toHaveCount(31);
  requestCount = 1;
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' });
  });
  await page.clock.runFor(120_000);
  expect(requestCount).toBe(1);
});

test('new contacts: a chip counts them until the list is looked at', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/dashboard');
  await expect(page.getByText('Nobody has left their details yet.')).toBeAttached();
  await page.route(CONTACT_CALLS, async (route) => {
    const limit = Number(new URL(route.request().url()).searchParams.get('limit'));
    const json = makeContacts('Visitor', 12).map((contact, at) => ({
      ...contact,
      _id: `${contactTimeDigits(Date.now() - at)}x`,
    }));
    await route.fulfill({ json: json.slice(0, limit) });
  });
  await page.reload();
  const chip = ui.link(page, '12 new');
  await expect(chip).toBeVisible();
  await expect(rowsOf(page)).toHaveCount(11);
  await ui.button(page, 'Menu').click();
  await expect(ui.link(page, 'Contacts')).not.toHaveAccessibleDescription(/new/);
  await page.keyboard.press('Escape');
  await chip.click();
  await expect(page.getByRole('link', { name: / new$/ })).toHaveCount(0);
});

const areaOf = (box: DOMRect) => box.width * box.height;
const boxOf = (one: Locator) =>
  one.evaluate((node) => node.getBoundingClientRect().toJSON() as DOMRect);
const RAVI = { name: 'Ravi', mobile: '+91 (98450) 12345' };

test('Recent Connections: a press on a person opens a sheet', async ({ page, addContact }) => {
  await addContact({ name: 'Meera', mobile: '**21*98450#', email: 'm@a.example' });
  await addContact(RAVI);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/dashboard');
    const row = rowsOf(page).nth(1);
    await expect(ui.link(row, '+91 98450 12345')).toHaveAttribute('href', 'tel:+919845012345');
    await expect(row.getByRole('cell').first()).toHaveText(
      /^RaviToday, \d+:\d\d\s[ap]m · \+91 98450 12345$/,
    );
    const advertisement = page.getByRole('img', { name: /Smart business cards/ });
    await advertisement.scrollIntoViewIfNeeded();
    const picture = await boxOf(advertisement);
    expect(picture.top).toBeGreaterThan((await boxOf(page.getByRole('table'))).bottom);
    const card = await boxOf(page.getByRole('article', { name: 'Your card' }));
    expect(areaOf(picture) * 3).toBeLessThan(areaOf(card));
  }
  for (const [name, hrefs, line] of [
    ['Ravi', ['https://wa.me/919845012345', 'tel:+919845012345'], 'TEL;TYPE=CELL:+919845012345'],
    ['Meera', ['mailto:m@a.example'], 'NOTE:**21*98450#'],
  ] as const) {
    const person = ui.button(page.getByRole('table'), name);
    await person.click();
    const sheet = ui.dialog(page, name);
    const file = await ui.download(page, ui.button(sheet, 'Save to phone'));
    expect(file.suggestedFilename()).toBe(`${name}.vcf`);
    expect((await readFile(await file.path(), 'utf8')).split('\r\n')).toContain(line);
    await ui.expectTexts(sheet, 'Open the file to add it to your contacts');
    const links = await sheet.getByRole('link').all();
    expect(await Promise.all(links.map((one) => one.getAttribute('href')))).toEqual(hrefs);
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
    await expect(person).toBeFocused();
  }
});

const LONGEST = {
  name: 'N'.repeat(120),
  companyName: 'C'.repeat(120),
  email: `${'e'.repeat(242)}@example.com`,
  mobile: '9'.repeat(32),
};

function leftsOf(all: Locator) {
  return all.evaluateAll((boxes) =>
    boxes.map((box) => Math.round(box.getBoundingClientRect().left)),
  );
}

test('Recent Connections: a table from 640 px, else the rows of Contacts, never wider than the screen', async ({
  page,
  addContact,
}) => {
  const headers = page.getByRole('columnheader');
  await page.setViewportSize({ width: 320, height: 844 });
  await page.goto('/dashboard');
  await ui.expectTexts(page, 'Nobody has left their details yet.');
  await headers.last().scrollIntoViewIfNeeded();
  expect((await boxOf(headers.last())).width).toBeGreaterThan(40);
  await addContact(LONGEST);
  await page.reload();
  const cells = rowsOf(page).nth(1).getByRole('cell');
  const labels = () =>
    cells.evaluateAll((all) => all.map((cell) => getComputedStyle(cell, '::before').content));
  for (const width of [320, 360, 390, 640, 820, 1024, 1100, 1280, 1366, 1920]) {
    await page.setViewportSize({ width, height: 844 });
    await ui.button(page, LONGEST.name).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    );
    const columns = ['Company', 'Email', 'Phone no.'].map((name) => `"${name}"`);
    const isTable = width >= 640;
    expect([width, await labels()]).toEqual([
      width,
      ['none', ...columns].map((label) => (isTable ? 'none' : label)),
    ]);
    if (isTable) expect(await leftsOf(headers)).toEqual(await leftsOf(cells));
  }
  await ui.button(page, LONGEST.name).click();
  await ui.dialog(page, LONGEST.name).waitFor();
  await page.setViewportSize({ width: 320, height: 844 });
  const widths = await page.getByRole('dialog').evaluate((one) => [one.scrollWidth, innerWidth]);
  expect(widths[0]).toBeLessThanOrEqual(320);
});

test('dashboard on a phone: has at most 1,400 px with ten connections, and shows the people met and more ways to share', async ({
  page,
  addContact,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.addInitScript('navigator.share = async () => undefined');
  for (let at = 0; at < 12; at += 1)
    await addContact({ ...RAVI, name: `Visitor ${at}`, email: 'ravi@example.com' });
  await page.goto('/dashboard');
  await expect(rowsOf(page)).toHaveCount(11);
  const met = page.getByRole('region', { name: "People you've met" });
  await expect(met.locator('svg')).toHaveCount(10);
  await expect(met.getByText('12', { exact: true })).toBeVisible();
  const [band, actions, more] = await Promise.all(
    [met, ui.button(page, 'Share'), ui.heading(page, 'More ways to share')].map(boxOf),
  );
  expect(band?.height).toBeLessThan(90);
  expect((more?.top ?? 0) - (actions?.bottom ?? 0)).toBeLessThan(60);
  const row = await boxOf(rowsOf(page).nth(1));
  expect(row.height).toBeLessThanOrEqual(64);
  await ui.button(page, 'Visitor 2').scrollIntoViewIfNeeded();
  const { scrollHeight } = await page.evaluate(() => ({
    scrollHeight: document.documentElement.scrollHeight,
  }));
  expect(scrollHeight).toBeLessThanOrEqual(1400);
});

test('Add a photo: is offered until there is one, which can be removed', async ({ page, call }) => {
  ui.expectErrors(page, /removeProfileImage\/:id did not get through/);
  await page.goto('/dashboard');
  const add = ui.button(page, 'Add a photo');
  const photo = page.getByRole('img', { name: 'Asha Rao' });
  await add.click();
  await ui.choosePhoto(page);
  await ui.button(page, 'Save').click();
  await expect(page.getByText('Photo saved')).toBeFocused();
  await page.setViewportSize({ width: 390, height: 844 });
  await ui.download(page, ui.button(page, 'Download QR Code'));
  const tops = ['Photo saved', 'MY_QR.png saved'].map(
    async (text) => (await page.getByText(text).boundingBox())?.y,
  );
  expect(await tops[0]).toBe(await tops[1]);
  await expect(photo).toBeVisible();
  await expect(add).toHaveCount(0);
  await page.goto('/dashboard/edit');
  await ui.button(page, 'Edit photo').click();
  await ui.failCalls(page, '**/removeProfileImage/*');
  await ui.button(page, 'Remove photo').click();
  await ui.expectTexts(page, "We couldn't remove the photo. Try again.");
  await expect(photo).toBeAttached();
  await page.unrouteAll();
  await ui.button(page, 'Remove photo').click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(photo).toHaveCount(0);
  expect(await call('/user/:id')).toMatchObject({ profilePhoto: '' });
});

test.describe('on a phone with a device pixel ratio of 3', () => {
  test.use({ viewport: { width: 390, height: 664 }, deviceScaleFactor: 3 });

  test('dashboard: a phone downloads the QR code', async ({ page, server, owner }) => {
    const address = `${server.origin}/user/${owner._id}`;
    await page.goto('/dashboard');
    for (const name of ['Share', 'Copy Link', 'Download QR Code']) {
      await expect(ui.button(page, name)).toBeInViewport({ ratio: 1 });
    }
    const download = async (name: string, fileName: string) => {
      const file = await ui.download(page, ui.button(page, name));
      expect(file.suggestedFilename()).toBe(fileName);
      await expect(page.getByText(`${fileName} saved`)).toBeInViewport({ ratio: 1 });
      return readFile(await file.path());
    };
    const { data, width, height } = PNG.sync.read(await download('Download QR Code', 'MY_QR.png'));
    expect([width, height]).toEqual([256, 256]);
    expect(jsQR(new Uint8ClampedArray(data), width, height)?.data).toBe(address);
    await expect(page.getByText('MY_QR.png saved')).toBeHidden();
    await expect(page.getByText('Tap to enlarge')).toBeInViewport({ ratio: 1 });
    const svg = await download('Download for print', 'MY_QR.svg');
    await page.goto('about:blank');
    await page.setContent(svg.toString());
    await expectQrCode(page, address);
  });
});

test('Copy Link: copies over plain HTTP', async ({ page, server, owner }) => {
  ui.expectErrors(page, /Cross-Origin-Opener-Policy header has been ignored/);
  const alerts = ui.collectAlerts(page);
  // Not a secure context, as a self-hosted service without TLS.
  const origin = `http://plain.test:${new URL(server.origin).port}`;
  await storeSession(page, { ...server, origin }, owner);
  await page.goto(`${origin}/dashboard`);
  expect(await page.evaluate(() => isSecureContext || 'clipboard' in navigator)).toBe(false);
  await expect(ui.heading(page, 'Recent Connections')).toBeVisible();
  await expect(page.getByRole('switch')).toHaveCount(0);
  await ui.button(page, 'Copy Link').click();
  const address = `${origin}/user/${owner._id}`;
  await expect.poll(() => alerts).toEqual([`Copied: ${address}`]);
  await expect(ui.button(page, 'Copy Link')).toBeFocused();
  await expect(page.locator('textarea')).toHaveCount(0);
  await page.goto('/healthz');
  expect(await ui.readClipboard(page)).toBe(address);
});

test('Share: gets the link, then the home screen is offered', async ({ page, server, owner }) => {
  const alerts = ui.collectAlerts(page);
  const main = page.locator('.my-card .ui-button-main');
  // Without a share sheet nothing happens.
  await page.addInitScript('Object.defineProperty(navigator, "share", { configurable: true })');
  await page.goto('/dashboard');
  await expect(main).toHaveText('Copy Link');
  await ui.button(page, 'Share').click();
  await ui.expectTexts(page, 'Welcome Asha');
  expect(alerts).toEqual([]);
  const shared: unknown[] = [];
  await page.exposeFunction('share', (data: unknown) => void shared.push(data));
  await page.addInitScript(`
    const value = (data) => window.share(data);
    Object.defineProperty(Navigator.prototype, 'share', { value });
    delete navigator.share;
  `);
  const canInstall = () =>
    page.evaluate(() => {
      const event = new Event('beforeinstallprompt', { cancelable: true });
      Object.assign(event, { prompt: async () => (document.title = 'installing') });
      window.dispatchEvent(event);
    });
  const offer = ui.button(page, 'Put it on your home screen');
  await page.reload();
  await expect(main).toHaveText('Share');
  await canInstall();
  await expect(offer).toHaveCount(0);
  await ui.button(page, 'Share').click();
  await ui.expectTexts(page, 'Opens your QR code, even without a network.');
  const url = `${server.origin}/user/${owner._id}`;
  expect(shared).toEqual([expect.objectContaining({ url })]);
  expect(JSON.stringify(shared)).toContain('Hey Check Out My Digital Business Card at Tessera');
  await offer.click();
  await expect(page).toHaveTitle('installing');
  await expect(offer).toHaveCount(0);
  await page.reload();
  await expect(main).toHaveText('Share');
  await canInstall();
  await ui.button(page, 'Share').click();
  await expect.poll(() => shared).toHaveLength(2);
  await expect(offer).toHaveCount(0);
});

test('Share: on iOS a sentence says how it gets on the home screen', async ({ page }) => {
  await page.addInitScript('navigator.standalone = false; navigator.share = async () => undefined');
  await page.goto('/dashboard');
  await ui.button(page, 'Share').click();
  const how = page.getByText('tap Share, then “Add to Home Screen”');
  await expect(how).toBeVisible();
  await ui.button(page, 'Close').click();
  await expect(how).toHaveCount(0);
});
