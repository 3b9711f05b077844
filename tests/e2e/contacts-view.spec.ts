import { readFile } from 'node:fs/promises';

import { expect, test } from '#tests/support/browser-test.ts';
import { waitForOfflineCopy } from '#tests/support/offline-copy.ts';
import { sendRequest } from '#tests/support/owner.ts';
import type { Owner } from '#tests/support/owner.ts';
import type { RunningServer } from '#tests/support/server.ts';

const NOTICE = 'Asha calls you back within a week.';
const HOSTILE = '<img src=x onerror=alert(1)> "Eve"';

test.use({ environment: { VIEWS: 'contacts', CONNECT_NOTICE: NOTICE } });

async function leave(server: RunningServer, owner: Owner, contact: object): Promise<void> {
  await sendRequest(server, '/profile/addContact', { body: { userID: owner._id, contact } });
}

test('contacts view: an owner finds a visitor, adds a note and tags, deletes with undo, and exports', async ({
  ownerPage: page,
  server,
  owner,
  expectErrors,
}) => {
  expectErrors(/did not get through/);
  await page.goto(`${server.origin}/dashboard/contacts`);
  await expect(page.getByRole('heading', { name: 'Contacts' })).toBeVisible();
  await expect(page.getByText('Nobody has left their details yet.')).toBeVisible();
  await expect(page.getByRole('search')).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Export CSV' })).toHaveCount(0);

  await test.step('a visitor sees the notice and connects', async () => {
    await page.goto(`${server.origin}/user/${owner._id}`);
    await page.getByRole('button', { name: 'Connect' }).click();
    const popup = page.getByRole('dialog', { name: 'Connect' });
    await expect(popup.getByText(NOTICE)).toBeVisible();
    await popup.getByRole('textbox', { name: 'Name' }).fill('René Dupont');
    await popup.getByRole('textbox', { name: 'Mobile' }).fill('98765 43210');
    const alerted = page.waitForEvent('dialog').then((dialog) => dialog.accept());
    await popup.getByRole('button', { name: 'Connect' }).click();
    await alerted;
    await expect(popup).toBeHidden();
  });
  await leave(server, owner, { name: HOSTILE, email: 'eve@example.com', companyName: '=1+1' });
  await leave(server, owner, { name: 'मीरा देशपांडे', mobile: '+44 20 7946 0958' });

  await page.goto(`${server.origin}/dashboard/contacts`);
  const search = page.getByRole('textbox', { name: 'Search contacts' });
  const rene = page.getByRole('button', { name: 'René Dupont' });
  const article = page.getByRole('article');

  await test.step('searches, and clears a search without a result', async () => {
    await search.fill('rene');
    await expect(page.getByRole('button', { name: HOSTILE })).toBeHidden();
    await expect(rene).toBeVisible();
    await search.fill('nobody at all');
    await expect(page.getByText('No contact with')).toBeVisible();
    await page.getByRole('button', { name: 'Show all contacts' }).click();
    await expect(search).toHaveValue('');
    await expect(page.getByRole('button', { name: HOSTILE })).toBeVisible();
    await page.getByRole('combobox', { name: 'Order' }).selectOption('By name');
    const rows = page.locator('[data-contact]');
    await expect(rows).toHaveText([HOSTILE, 'René Dupont', 'मीरा देशपांडे']);
  });

  await test.step('opens a contact by keyboard', async () => {
    await rene.focus();
    await page.keyboard.press('Enter');
    await expect(article.getByRole('heading', { name: 'René Dupont' })).toBeFocused();
    await expect(article.getByText('with the notice of version')).toBeVisible();
    const link = (name: string) => article.getByRole('link', { name });
    await expect(link('Call')).toHaveAttribute('href', 'tel:9876543210');
    await expect(link('Whatsapp')).toHaveAttribute('href', 'https://wa.me/919876543210');
    await expect(article.getByText('98765 43210', { exact: true })).toBeVisible();
  });

  await test.step('a note survives a failure, and is stored with tags', async () => {
    const note = article.getByRole('textbox', { name: 'Private note' });
    await page.route('**/api/contacts/saveNote/*', (route) => route.abort());
    await note.fill('Met at the fair.');
    await article.getByRole('button', { name: 'Save note' }).click();
    await expect(article.getByText('The service cannot be reached.')).toBeVisible();
    await page.unrouteAll();
    const save = article.getByRole('button', { name: 'Save note' });
    await page.route('**/api/contacts/saveNote/*', async (route) => {
      await note.fill('Met at the fair. Likes tea.');
      await route.continue();
    });
    const [saved] = await Promise.all([
      page.waitForResponse('**/api/contacts/saveNote/*'),
      save.click(),
    ]);
    expect(saved.request().postDataJSON()).toMatchObject({ note: 'Met at the fair.' });
    await expect(save).not.toHaveAttribute('aria-disabled');
    await expect(note).toHaveValue('Met at the fair. Likes tea.');
    await page.unrouteAll();
    await save.click();
    await expect(article.getByText('Saved.')).toBeVisible();
    await article.getByRole('textbox', { name: 'Add a tag' }).fill('Käufer');
    await page.keyboard.press('Enter');
    await expect(article.getByRole('button', { name: 'Remove Käufer' })).toBeVisible();
    await article.getByRole('button', { name: 'Close' }).click();
    await expect(rene).toBeFocused();
    await page.reload();
    await rene.click();
    await expect(note).toHaveValue('Met at the fair. Likes tea.');
    // A note is saved when it is left.
    const menu = page.getByRole('navigation', { name: 'Dashboard' });
    await note.fill('Met at the fair in June.');
    await menu.getByText('Home', { exact: true }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
    await menu.getByText('Contacts', { exact: true }).click();
    await rene.click();
    await expect(note).toHaveValue('Met at the fair in June.');
    // After a failure another view and Log out need a confirmation, and Cancel changes nothing.
    await page.route('**/api/contacts/saveNote/*', (route) => route.abort());
    await note.fill('Met at the fair in May.');
    await note.blur();
    await expect(article.getByText('The service cannot be reached.')).toBeVisible();
    for (const name of ['Home', 'Log out']) {
      const question = page.waitForEvent('dialog');
      const press = menu.getByText(name, { exact: true }).click();
      const dialog = await question;
      expect(dialog.message()).toBe('Leave without saving? A private note is not saved.');
      await dialog.dismiss();
      await press;
      await expect(page).toHaveURL(/\/dashboard\/contacts$/);
      await expect(note).toHaveValue('Met at the fair in May.');
    }
    expect(await page.evaluate(() => localStorage.getItem('sessionToken'))).not.toBeNull();
    await page.unrouteAll();
    await note.fill('Met at the fair. Likes tea.');
    const filter = page.getByRole('button', { name: 'Käufer 1' });
    await filter.click();
    await expect(page.getByText('1 found')).toBeVisible();
    await expect(page.getByRole('button', { name: HOSTILE })).toBeHidden();
    await filter.click();
    await expect(page.getByText('3 contacts')).toBeVisible();
    await article.getByRole('button', { name: 'Remove Käufer' }).click();
    await expect(article.getByRole('button', { name: 'Remove Käufer' })).toBeHidden();
    await expect(filter).toBeHidden();
  });

  await test.step('edits a typo, and keeps what came', async () => {
    await article.getByRole('button', { name: 'Edit contact' }).click();
    const field = (name: string) => article.getByRole('textbox', { name });
    await expect(field('Name')).toBeFocused();
    await field('Mobile').fill(' ');
    await field('Name').fill('René Dupond');
    await article.getByRole('button', { name: 'Save' }).click();
    await expect(article.getByText('A contact has a name, and a mobile')).toBeVisible();
    await field('Mobile').fill('98765 43210');
    await article.getByRole('button', { name: 'Save' }).click();
    await expect(article.getByRole('heading', { name: 'René Dupond' })).toBeFocused();
    await expect(article.getByText('Name as received')).toBeVisible();
    await expect(article.getByText('René Dupont')).toBeVisible();
    const row = page.getByRole('listitem').filter({ hasText: 'René Dupond' });
    await expect(row.getByRole('link', { name: 'Call René Dupond' })).toBeVisible();
    await expect(row.getByRole('link', { name: 'Whatsapp René Dupond' })).toBeVisible();
  });

  await test.step('saves files', async () => {
    const download = async (click: () => Promise<void>) => {
      const [file] = await Promise.all([page.waitForEvent('download'), click()]);
      return [file.suggestedFilename(), await readFile(await file.path(), 'utf8')] as const;
    };
    const save = article.getByRole('button', { name: 'Save to phone' });
    const [name, card] = await download(() => save.click());
    expect([name, /^TEL.*/m.exec(card)?.[0]]).toEqual([
      'René Dupond.vcf',
      'TEL;TYPE=CELL:+919876543210',
    ]);
    const [csvName, csv] = await download(() =>
      page.getByRole('link', { name: 'Export CSV' }).click(),
    );
    expect([csvName, csv.includes("'=1+1")]).toEqual(['contacts.csv', true]);
    await expect(page.getByText('Your file is saved.')).toBeVisible();
    await search.fill('eve@');
    await expect(page.getByRole('button', { name: 'René Dupond' })).toBeHidden();
    const [, cards] = await download(() =>
      page.getByRole('link', { name: 'Export vCard' }).click(),
    );
    expect(cards.match(/^FN:.*/gm)).toEqual([`FN:${HOSTILE}`]);
  });

  await test.step('deletes with undo, and then permanently', async () => {
    const hostile = page.getByRole('button', { name: HOSTILE });
    await hostile.click();
    await article.getByRole('button', { name: 'Delete contact' }).click();
    await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
    await expect(hostile).toBeHidden();
    await page.keyboard.press('Enter');
    await expect(hostile).toBeVisible();
    await article.getByRole('button', { name: 'Delete contact' }).click();
    await expect(hostile).toBeHidden();
    await page.goto(`${server.origin}/dashboard`);
    await expect(page.getByText('René Dupond')).toBeVisible();
    await expect(page.getByText('eve@example.com')).toBeHidden();
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('contacts view: pages follow the scrolling up to the held contacts, Back closes a contact, a failed list is loaded again', async ({
    ownerPage: page,
    context,
    server,
    owner,
    expectErrors,
  }) => {
    expectErrors(/did not get through/);
    await leave(server, owner, { name: 'The one', mobile: '98765 43210' });
    await page.route('**/api/contacts/findContacts/*', (route) => route.abort());
    await page.goto(`${server.origin}/dashboard/contacts`);
    await expect(page.getByText('Your contacts could not be loaded.')).toBeVisible();
    const requested = page.waitForRequest('**/api/contacts/findContacts/*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await requested;
    await expect(page.getByText('Your contacts could not be loaded.')).toBeVisible();
    await context.setOffline(true);
    await expect(page.getByText('Your contacts need a network.')).toBeVisible();
    await page.unrouteAll();
    let areHeldDeleted = false;
    await page.route('**/api/contacts/findContacts/*', async (route) => {
      const query = route.request().postDataJSON() as { after?: string; held: boolean };
      const start = Number(query.after ?? 0);
      const one = { companyName: '', email: '', mobile: '1', note: '', tags: [], notice: '' };
      const kind = query.held ? 'Held' : 'Visitor';
      const contacts = Array.from(
        { length: query.held ? (areHeldDeleted ? 0 : 2) : 50 },
        (_, at) => ({
          ...one,
          _id: `${kind}${start + at}`,
          name: `${kind} ${start + at}`,
          receivedAt: '2026-01-15T09:00:00.000Z',
        }),
      );
      const next = start < 100 && !query.held ? String(start + 50) : '';
      await route.fulfill({ json: { contacts, next, heldCount: 2, keepDays: 90 } });
    });
    await page.route('**/api/contacts/deleteHeldContacts/*', async (route) => {
      areHeldDeleted = true;
      await route.fulfill({ json: {} });
    });
    await context.setOffline(false);
    await expect(page.getByText('Visitor 0', { exact: true })).toBeVisible();
    await expect(async () => {
      await page.mouse.wheel(0, 5000);
      await expect(page.getByText('Visitor 149', { exact: true })).toBeVisible({ timeout: 500 });
    }).toPass();
    await expect(page.getByText('Contacts are deleted after 90 days.')).toBeVisible();
    await expect(page.getByText('Held 0')).toHaveCount(0);
    await page.getByRole('button', { name: 'Show 2 more' }).click();
    await expect(page.getByRole('button', { name: 'Held 1' })).toBeVisible();
    const held = page.getByRole('region', { name: 'Held contacts' });
    await expect(held.getByText('The last 2 are held')).toBeVisible();
    await expect(held.getByRole('listitem')).toHaveCount(2);
    await expect(page.getByRole('button', { name: 'Show 2 more' })).toHaveCount(0);
    page.once('dialog', (dialog) => void dialog.accept());
    await held.getByRole('button', { name: 'Delete all held' }).click();
    await expect(held).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'Contacts', exact: true })).toBeFocused();
    await expect(page.getByText('Visitor 149', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: /^Show \d/ })).toHaveCount(0);
    await page.unrouteAll();

    await page.reload();
    await page.getByRole('button', { name: 'The one' }).click();
    const dialog = page.getByRole('dialog', { name: 'The one' });
    await expect(dialog.getByRole('link', { name: 'Call' })).toBeVisible();
    await page.goBack();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL(/\/dashboard\/contacts$/);
    await page.getByRole('button', { name: 'The one' }).click();
    await dialog.getByRole('button', { name: 'Delete contact' }).click();
    await expect(dialog).toBeHidden();
    const search = page.getByRole('textbox', { name: 'Search contacts' });
    await expect(page.getByText('Nobody has left their details yet.')).toBeVisible();
    await expect(search).toBeHidden();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(dialog).toBeVisible();
    await expect(search).toBeVisible();
  });
});

test('dashboard: Open Contacts leads to the view, and a press on a person opens the contact there', async ({
  ownerPage: page,
  server,
  owner,
}) => {
  await leave(server, owner, { name: 'Ravi', mobile: '98450 12345' });
  await leave(server, owner, { name: 'Meera', mobile: '98450 12346' });
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Open Contacts' }).click();
  await expect(page.getByRole('heading', { name: 'Contacts' })).toBeVisible();
  await page.goBack();
  await page.getByRole('table').getByRole('button', { name: 'Ravi' }).click();
  await expect(page).toHaveURL(/\/dashboard\/contacts$/);
  await expect(page.getByRole('article', { name: 'Ravi' })).toBeVisible();
  await page.goBack();
  await page.getByRole('button', { name: 'Meera, just now' }).click();
  await expect(page.getByRole('article', { name: 'Meera' })).toBeVisible();
});

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('contacts view: the newest contacts are found and called without a network, until log out', async ({
    ownerPage: page,
    context,
    server,
    owner,
    expectErrors,
  }) => {
    expectErrors(/did not get through/);
    await leave(server, owner, { name: 'Ravi Kumar', mobile: '98765 43210' });
    await leave(server, owner, { name: 'Meera', email: 'meera@example.com' });
    await page.goto(`${server.origin}/dashboard`);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await waitForOfflineCopy(page, '/last-contacts');
    await context.setOffline(true);
    await page.goto(`${server.origin}/dashboard/contacts`);
    await expect(page.getByText('You are offline. These are your newest')).toBeVisible();
    const rows = page.locator('[data-contact]');
    await expect(rows).toHaveText(['Meera', 'Ravi Kumar']);
    await page.getByRole('textbox', { name: 'Search contacts' }).fill('43210');
    await expect(rows).toHaveText(['Ravi Kumar']);
    await expect(page.getByRole('link', { name: 'Call Ravi Kumar' })).toBeVisible();

    await leave(server, owner, { name: 'Asha 43210', mobile: '1' });
    await context.setOffline(false);
    await expect(rows).toHaveText(['Asha 43210', 'Ravi Kumar']);
    await expect(page.getByText('You are offline.')).toHaveCount(0);
    await expect(page.getByText('Log out removes them.')).toBeVisible();
    await page.getByRole('button', { name: 'Log out' }).click();
    await expect(page.getByRole('textbox', { name: 'Phone number' })).toBeVisible();
    await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([]);
  });
});
