import { readFile } from 'node:fs/promises';

import type { Page } from '@playwright/test';
import { PNG } from 'pngjs';

import { expect, test } from '#tests/support/browser-test.ts';
import { FULL_CARD, sendRequest, signInOwner } from '#tests/support/owner.ts';
import type { Owner } from '#tests/support/owner.ts';
import { jpegFile } from '#tests/support/picture.ts';
import { expectQrCode } from '#tests/support/qr-code.ts';
import type { RunningServer } from '#tests/support/server.ts';

test('dashboard: greets the owner, and links to the card, the policies and support', async ({
  page,
  server,
  phone,
}) => {
  const owner = await signInOwner(
    { page, server, phone },
    { ...FULL_CARD, phone: '+442071838750' },
  );
  await page.goto('/dashboard/');
  await expect(page.getByText('Welcome Asha')).toBeVisible();
  await expect(page.getByText('Start building connections!')).toBeVisible();
  await expect(page.getByText('+44 20 7183 8750')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Edit Card' })).toBeVisible();
  const preview = page.getByRole('link', { name: 'Preview Card' });
  await expect(preview).toHaveAttribute('href', new RegExp(`/user/${owner._id}$`));
  await expect(preview).toHaveAttribute('target', '_blank');
  await expect(page.getByText('Recent Connections')).toBeVisible();
  await expect(page.getByRole('link', { name: 'See all' })).toHaveAttribute('href', /\/dashboard$/);
  // This browser has no NFC, and this server no wallet.
  await expect(page.getByRole('button', { name: 'Write to an NFC tag' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: /Wallet/ })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Open Contacts' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Menu' }).click();
  const menu = page.getByRole('navigation', { name: 'Dashboard' });
  await expect(menu.getByRole('link', { name: 'Account and data' })).toHaveAttribute(
    'href',
    '/dashboard/account',
  );
  await expect(menu.getByRole('link', { name: 'Privacy' })).toBeHidden();
  await menu.getByRole('button', { name: 'Legal' }).click();
  await expect(menu.getByRole('link', { name: 'Privacy' })).toHaveAttribute(
    'href',
    '/privacy_policy',
  );
  await expect(menu.getByRole('link', { name: 'Support' })).toHaveAttribute(
    'href',
    'mailto:support@example.com',
  );
});

const makeContacts = (kind: string, length: number) =>
  Array.from({ length }, (_, index) => ({
    _id: `${kind}${String(index).padStart(4, '0')}`,
    name: `${kind} ${index + 1}`,
    companyName: '',
    email: '',
    mobile: '98450 12345',
  }));

async function fakeContacts(
  page: Page,
  { count, heldCount }: { count: number; heldCount: number },
) {
  const lists = { true: makeContacts('Held', heldCount), false: makeContacts('Visitor', count) };
  await page.route('**/api/profile/getContacts/*', async (route) => {
    const query = new URL(route.request().url()).searchParams;
    const list = lists[query.get('held') === 'true' ? 'true' : 'false'];
    const before = query.get('before');
    const start = list.findIndex(({ _id }) => _id === before) + 1;
    await route.fulfill({
      json: list.slice(start, start + Number(query.get('limit'))),
      headers: before === null ? { 'X-Held-Contacts': String(heldCount) } : {},
    });
  });
}

test('Recent Connections: shows ten; See all loads the others page by page, and then the held ones', async ({
  ownerPage: page,
}) => {
  await fakeContacts(page, { count: 115, heldCount: 60 });
  await page.goto('/dashboard');
  const rows = page.getByRole('table').getByRole('row');
  const more = page.getByRole('button', { name: 'Show more', exact: true });
  const held = page.getByRole('button', { name: 'Show 60 more', exact: true });
  await expect(rows).toHaveCount(11);
  await expect(rows.first()).toHaveText('NameCompanyEmailPhone no.');
  await expect(rows.nth(1)).toContainText('Visitor 1');
  await expect(more).toHaveCount(0);
  await page.getByRole('link', { name: 'See all' }).click();
  await expect(page).toHaveURL(/\/dashboard\/?$/);
  await expect(rows).toHaveCount(61);
  await expect(rows.nth(11)).toBeFocused();
  await more.click();
  await expect(rows).toHaveCount(111);
  await expect(held).toHaveCount(0);
  await more.click();
  await expect(rows).toHaveCount(116);
  await expect(rows.last()).toContainText('Visitor 115');
  await expect(more).toHaveCount(0);
  await held.click();
  const section = page.getByRole('region', { name: 'Held contacts' });
  const heldRows = section.getByRole('row');
  await expect(heldRows).toHaveCount(51);
  await expect(heldRows.nth(1)).toContainText('Held 1');
  await expect(heldRows.nth(1)).toBeFocused();
  await more.click();
  await expect(heldRows).toHaveCount(61);
  await expect(section.getByText('The last 60 are held')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Show (more|[0-9])/ })).toHaveCount(0);
  await page.route('**/api/contacts/deleteHeldContacts/*', async (route) => {
    await fakeContacts(page, { count: 15, heldCount: 0 });
    await route.fulfill({ json: {} });
  });
  page.on('dialog', (dialog) => void dialog.accept());
  await section.getByRole('button', { name: 'Delete all held' }).click();
  await expect(section).toHaveCount(0);
  await expect(rows).toHaveCount(16);
  await expect(page.getByRole('button', { name: /^Show (more|[0-9])/ })).toHaveCount(0);
});

test('See all: loads the older ones after a list that was empty at the start', async ({
  ownerPage: page,
}) => {
  await page.clock.install();
  await fakeContacts(page, { count: 0, heldCount: 0 });
  await page.goto('/dashboard');
  const rows = page.getByRole('table').getByRole('row');
  await expect(rows.nth(0)).toContainText('Phone no.');
  await expect(rows.nth(1)).toContainText('Nobody has left their details yet.');
  await expect(rows).toHaveCount(2);
  await fakeContacts(page, { count: 12, heldCount: 0 });
  await page.clock.runFor(30_000);
  await expect(rows).toHaveCount(11);
  await page.getByRole('link', { name: 'See all' }).click();
  await expect(rows.nth(11)).toContainText('Visitor 11');
  await expect(rows).toHaveCount(13);
});

test('See all: a page that cannot be loaded has Try again', async ({
  ownerPage: page,
  expectErrors,
}) => {
  expectErrors(/did not get through/);
  await fakeContacts(page, { count: 15, heldCount: 0 });
  await page.goto('/dashboard');
  const rows = page.getByRole('table').getByRole('row');
  await expect(rows).toHaveCount(11);
  await page.route('**/api/profile/getContacts/*', (route) => route.abort(), { times: 1 });
  await page.getByRole('link', { name: 'See all' }).click();
  await expect(page.getByText('More connections could not be loaded.')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(rows).toHaveCount(16);
  await expect(page.getByRole('button', { name: /^Show (more|[0-9])/ })).toHaveCount(0);
});

const connect = (server: RunningServer, owner: Owner, name: string) =>
  sendRequest(server, '/profile/addContact', {
    body: { userID: owner._id, contact: { name, mobile: '+91 (98450) 12345' } },
  });

test('Recent Connections: a new one appears after 30 seconds and, by one request, on return to the tab, not while it is hidden', async ({
  ownerPage: page,
  server,
  owner,
}) => {
  await page.clock.install();
  await page.goto('/dashboard');
  await page.getByText('Nobody has left their details yet.').waitFor();
  await connect(server, owner, 'Ravi');
  await page.clock.runFor(30_000);
  const rows = page.getByRole('table').getByRole('row');
  await expect(rows.nth(1)).toContainText('Ravi');
  await expect(page.getByText('New connections: 1')).toBeAttached();
  await connect(server, owner, 'Meera');
  let requestCount = 0;
  page.on('request', (request) => void (requestCount += Number(/getContacts/.test(request.url()))));
  // A return to the tab is both.
  await page.evaluate(() => {
    document.dispatchEvent(new Event('visibilitychange'));
    window.dispatchEvent(new Event('focus'));
  });
  await expect(rows.nth(1)).toContainText('Meera');
  await expect(rows).toHaveCount(3);
  expect(requestCount).toBe(1);
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' });
  });
  await page.clock.runFor(120_000);
  expect(requestCount).toBe(1);
});

test('Recent Connections: is above the advertisement, with links and the time of arrival', async ({
  ownerPage: page,
  server,
  owner,
}) => {
  await connect(server, owner, 'Ravi');
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/dashboard');
    const row = page.getByRole('table').getByRole('row').nth(1);
    await expect(row.getByRole('link', { name: '+91 98450 12345' })).toHaveAttribute(
      'href',
      'tel:+919845012345',
    );
    await expect(row.getByRole('cell').first()).toHaveText(/^RaviToday, \d+:\d\d\s[ap]m$/);
    const advertisement = page.getByRole('img', { name: /Smart business cards/ });
    await advertisement.scrollIntoViewIfNeeded();
    const [table, picture, card] = await Promise.all([
      page.getByRole('table').boundingBox(),
      advertisement.boundingBox(),
      page.getByRole('article', { name: 'Your card' }).boundingBox(),
    ]);
    expect(picture?.y).toBeGreaterThan((table?.y ?? 0) + (table?.height ?? 0));
    const area = (box: typeof card) => (box?.width ?? 0) * (box?.height ?? 0);
    expect(area(picture) * 3).toBeLessThan(area(card));
  }
});

test('menu: the phone’s Back closes the drawer', async ({ ownerPage: page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/dashboard');
  const menu = page.getByRole('button', { name: 'Menu' });
  await menu.click();
  await expect(menu).toHaveAttribute('aria-expanded', 'true');
  await page.goBack();
  await expect(menu).toHaveAttribute('aria-expanded', 'false');
  await expect(page).toHaveURL(/\/dashboard$/);
  await menu.click();
  await page.getByRole('link', { name: 'Contacts' }).click();
  await expect(page.getByText('Comming Soon')).toBeVisible();
  await page.goBack();
  await expect(page.getByText('Welcome Asha')).toBeVisible();
  await expect(menu).toHaveAttribute('aria-expanded', 'false');
});

test('Add a photo: is offered until there is one, and a photo can be removed', async ({
  ownerPage: page,
  owner,
}) => {
  await page.goto('/dashboard');
  const add = page.getByRole('button', { name: 'Add a photo' });
  await add.click();
  await page
    .getByRole('dialog', { name: 'Edit photo' })
    .getByRole('button', { name: 'Cancel' })
    .click();
  await add.click();
  const picture = await jpegFile({ width: 600, height: 600 });
  await page.locator('input[type=file]').setInputFiles(picture);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Photo saved')).toBeFocused();
  await expect(page.getByRole('img', { name: 'Asha Rao' })).toBeVisible();
  await expect(add).toHaveCount(0);

  await page.goto('/dashboard/edit');
  await page.getByRole('button', { name: 'Edit photo' }).click();
  await page.getByRole('button', { name: 'Remove photo' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('img', { name: 'Asha Rao' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Edit photo' }).click();
  await expect(page.getByRole('button', { name: 'Remove photo' })).toHaveCount(0);
  const card = await page.request.get(`/api/user/${owner._id}`);
  expect(await card.json()).toMatchObject({ profilePhoto: '' });
});

test('new connection: has a row below the greeting until it is pressed, or was seen for 5 seconds', async ({
  ownerPage: page,
  server,
  owner,
}) => {
  await page.setViewportSize({ width: 390, height: 664 });
  await page.clock.install();
  await connect(server, owner, 'Ravi');
  await page.goto('/dashboard');
  const row = (name: string) =>
    page.getByRole('button', { name: `${name}, just now`, exact: true });
  await expect(row('Ravi')).toBeInViewport({ ratio: 1 });
  const heading = page.getByRole('heading', { name: 'My Card' });
  const place = await heading.boundingBox();
  await page.clock.runFor(5_000);
  await expect(row('Ravi')).toHaveCount(0);
  expect(await heading.boundingBox()).toEqual(place);
  await page.reload();
  await page.getByRole('button', { name: 'Ravi' }).waitFor();
  await expect(row('Ravi')).toHaveCount(0);

  await connect(server, owner, 'Meera');
  await page.clock.runFor(30_000);
  await row('Meera').click();
  await expect(page.getByRole('dialog', { name: 'Meera' })).toBeVisible();
  await expect(row('Meera')).toHaveCount(0);
});

test('Recent Connections: a press on a person opens a sheet with the contact file', async ({
  ownerPage: page,
  server,
  owner,
}) => {
  await connect(server, owner, 'Ravi');
  const code = {
    userID: owner._id,
    contact: { name: 'Meera', mobile: '**21*98450#', email: 'm@a.example' },
  };
  await sendRequest(server, '/profile/addContact', { body: code });
  await page.goto('/dashboard');
  const open = async (name: string) => {
    const person = page.getByRole('table').getByRole('button', { name });
    await person.click();
    const sheet = page.getByRole('dialog', { name });
    const download = page.waitForEvent('download');
    await sheet.getByRole('button', { name: 'Save to phone' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe(`${name}.vcf`);
    await expect(sheet.getByText('Open the file to add it to your contacts')).toBeVisible();
    const links = await sheet
      .getByRole('link')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
    await expect(person).toBeFocused();
    return { links, text: (await readFile(await file.path(), 'utf8')).split('\r\n') };
  };
  const ravi = await open('Ravi');
  expect(ravi.links).toEqual(['tel:+919845012345', 'https://wa.me/919845012345']);
  expect(ravi.text).toContain('TEL;TYPE=CELL:+919845012345');
  const meera = await open('Meera');
  expect(meera.links).toEqual(['mailto:m@a.example']);
  expect(meera.text).toContain('NOTE:**21*98450#');
});

test.describe('on a phone with a device pixel ratio of 3', () => {
  test.use({ viewport: { width: 390, height: 664 }, deviceScaleFactor: 3 });

  test('dashboard: Share, Copy Link and Download QR Code are in the first view of a phone, and a download of 256 pixels says so', async ({
    ownerPage: page,
    server,
    owner,
  }) => {
    await page.goto('/dashboard');
    const download = page.getByRole('button', { name: 'Download QR Code' });
    for (const name of ['Share', 'Copy Link', 'Download QR Code']) {
      await expect(page.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
    }
    const saved = page.waitForEvent('download');
    await download.click();
    const { width, height } = PNG.sync.read(await readFile(await (await saved).path()));
    expect([width, height]).toEqual([256, 256]);
    await expect(page.getByText('MY_QR.png saved')).toBeInViewport({ ratio: 1 });
    await expect(page.getByText('MY_QR.png saved')).toBeHidden();
    await expect(page.getByText('Tap to enlarge')).toBeInViewport({ ratio: 1 });

    const print = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download for print' }).click();
    const file = await print;
    expect(file.suggestedFilename()).toBe('MY_QR.svg');
    await expect(page.getByText('MY_QR.svg saved')).toBeVisible();
    await page.goto('about:blank');
    await page.setContent(await readFile(await file.path(), 'utf8'));
    await expectQrCode(page, `${server.origin}/user/${owner._id}`);
  });
});

const CAN_INSTALL = `
  const event = new Event('beforeinstallprompt', { cancelable: true });
  event.prompt = async () => (document.title = 'installing');
  window.dispatchEvent(event);
`;

test('Share: passes the sentence and the link to the device; the first one is followed by an offer of the home screen', async ({
  ownerPage: page,
  server,
  owner,
}) => {
  const shared: unknown[] = [];
  await page.exposeFunction('share', (data: unknown) => void shared.push(data));
  await page.addInitScript('navigator.share = (data) => window.share(data)');
  const canInstall = () => page.evaluate(CAN_INSTALL);
  const offer = page.getByRole('button', { name: 'Put it on your home screen' });
  await page.goto('/dashboard');
  const share = page.getByRole('button', { name: 'Share', exact: true });
  await share.waitFor();
  await canInstall();
  await expect(offer).toHaveCount(0);
  await share.click();
  await expect(page.getByText('It opens /dashboard, with or without network.')).toBeVisible();
  const url = `${server.origin}/user/${owner._id}`;
  expect(shared).toEqual([expect.objectContaining({ url })]);
  expect(JSON.stringify(shared)).toContain('Hey Check Out My Digital Business Card at Tessera');
  await offer.click();
  await expect(page).toHaveTitle('installing');
  await expect(offer).toHaveCount(0);
  await page.reload();
  await share.waitFor();
  await canInstall();
  await share.click();
  await expect.poll(() => shared).toHaveLength(2);
  await expect(offer).toHaveCount(0);
});

test('home screen: on iOS a sentence says how', async ({ ownerPage: page }) => {
  await page.addInitScript('navigator.standalone = false; navigator.share = async () => undefined');
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const how = page.getByText('tap Share, then “Add to Home Screen”');
  await expect(how).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(how).toHaveCount(0);
});
