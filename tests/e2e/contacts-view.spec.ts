import { readFile } from 'node:fs/promises';

import type { Locator, Page, Route } from '@playwright/test';

import type { findContacts } from '#contract/contacts-view.ts';
import type { Reply } from '#contract/endpoint.ts';
import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import * as ui from '#tests/support/ui.ts';

const NOTICE = 'Asha calls you back within a week.';
const HOSTILE = '<img src=x onerror=alert(1)> "Eve"';
const NOTE_CALL = '**/api/contacts/saveNote/*';
const FIND_CALL = '**/api/contacts/findContacts/*';
const UNREACHABLE = "We can't reach the service.";

test.use({ environment: { VIEWS: 'contacts', CONNECT_NOTICE: NOTICE } });

const rowsOf = (page: Page | Locator) => page.locator('[data-contact]');
const searchOf = (page: Page) => ui.textbox(page, 'Search contacts');

test('contacts view: contacts are found and edited', async ({ page, owner, addContact }) => {
  ui.expectErrors(page, /did not get through/);
  await page.goto('/dashboard/contacts');
  await ui.expectTexts(page, 'Nobody has left their details yet.');
  await expect(page.getByRole('search')).toHaveCount(0);
  await expect(ui.button(page, 'More')).toHaveCount(0);
  await expect(ui.link(page, 'Share your card')).toHaveAttribute('href', '/dashboard');
  await test.step('a visitor sees the notice and connects', async () => {
    await page.goto(`/user/${owner._id}`);
    const alerted = page.waitForEvent('dialog').then((alert) => alert.accept());
    await expect(page.locator('dialog')).toContainText(NOTICE);
    await ui.leaveDetails(page, { Name: 'René Dupont', Mobile: '98765 43210' });
    await alerted;
  });
  await addContact({ name: HOSTILE, email: 'eve@example.com', companyName: '=1+1' });
  await addContact({ name: 'मीरा देशपांडे', mobile: '+44 20 7946 0958' });
  await page.goto('/dashboard');
  await expect(ui.link(page, 'Contacts')).toHaveAccessibleDescription('3 new');
  await ui.link(page, '3 new').click();
  await expect(ui.link(page, 'Contacts')).not.toHaveAccessibleDescription(/new/);
  const search = searchOf(page);
  const rene = ui.button(page, 'René Dupont');
  const hostile = ui.button(page, HOSTILE);
  const article = page.getByRole('article');
  const note = ui.textbox(article, 'Private note');
  await test.step('searches, and clears a search without a result', async () => {
    await search.fill('rene');
    await expect(hostile).toBeHidden();
    await expect(rene).toBeVisible();
    await search.fill('nobody at all');
    await ui.expectTexts(page, 'No contact with');
    await ui.button(page, 'Show all contacts').click();
    await expect(search).toHaveValue('');
    await page.getByRole('combobox', { name: 'Order' }).selectOption('By name');
    await expect(rowsOf(page)).toHaveText([HOSTILE, 'René Dupont', 'मीरा देशपांडे']);
  });
  await test.step('opens a contact by keyboard', async () => {
    await rene.focus();
    await page.keyboard.press('Enter');
    await expect(ui.heading(article, 'René Dupont')).toBeFocused();
    await ui.expectTexts(article, 'Received today', /^98765 43210$/);
    await expect(ui.link(article, 'Call')).toHaveAttribute('href', 'tel:+919876543210');
    const chat = /^https:\/\/wa\.me\/919876543210\?text=/;
    await expect(ui.link(article, 'Write on WhatsApp')).toHaveAttribute('href', chat);
  });
  await test.step('a note survives a failure, and is stored with tags', async () => {
    const retry = ui.button(article, 'Try again');
    await ui.failCalls(page, NOTE_CALL);
    await note.fill('Met at the fair.');
    await ui.expectTexts(article, UNREACHABLE);
    await page.unrouteAll();
    const typeMeanwhile = async (route: Route) => {
      await note.fill('Met at the fair. Likes tea.');
      await route.continue();
    };
    await page.route(NOTE_CALL, typeMeanwhile, { times: 1 });
    const [saved] = await Promise.all([page.waitForResponse(NOTE_CALL), retry.click()]);
    expect(saved.request().postDataJSON()).toMatchObject({ note: 'Met at the fair.' });
    await expect(note).toHaveValue('Met at the fair. Likes tea.');
    await expect(note).toBeFocused();
    await ui.expectTexts(article, /^Saved$/);
    await ui.textbox(article, 'Add a tag').fill('Käufer');
    await page.keyboard.press('Enter');
    await expect(ui.button(article, 'Remove Käufer')).toBeVisible();
    await ui.button(article, 'Close').click();
    await expect(rene).toBeFocused();
    await page.reload();
    await hostile.click();
    await ui.button(article, 'Add Käufer').click();
    await expect(ui.textbox(article, 'Add a tag')).toBeFocused();
    await ui.button(article, 'Remove Käufer').click();
    await expect(ui.button(article, 'Add Käufer')).toBeVisible();
    await rene.click();
    await expect(note).toHaveValue('Met at the fair. Likes tea.');
  });
  await test.step('a note is saved when it is left; after a failure that needs a confirmation', async () => {
    const menu = page.getByRole('navigation', { name: 'Dashboard' });
    await note.fill('Met at the fair in June.');
    await menu.getByText('Home', { exact: true }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
    await menu.getByText('Contacts', { exact: true }).click();
    await rene.click();
    await expect(note).toHaveValue('Met at the fair in June.');
    await ui.failCalls(page, NOTE_CALL);
    await note.fill('Met at the fair in May.');
    await note.blur();
    await ui.expectTexts(article, UNREACHABLE);
    for (const [name, text] of [
      ['Home', "Leave without saving? A private note isn't saved yet."],
      ['Log out', "Log out without saving? You'll lose your changes."],
    ] as const) {
      const asked = page.waitForEvent('dialog');
      const press = menu.getByText(name, { exact: true }).click();
      const question = await asked;
      expect(question.message()).toBe(text);
      await question.dismiss();
      await press;
      await expect(page).toHaveURL(/\/dashboard\/contacts$/);
      await expect(note).toHaveValue('Met at the fair in May.');
    }
    expect(await page.evaluate(() => localStorage.getItem('sessionToken'))).not.toBeNull();
    await page.unrouteAll();
    await note.fill('Met at the fair. Likes tea.');
  });
  await test.step('a tag filters, until it is removed; no answer older than a note replaces it', async () => {
    const filter = ui.button(page, 'Käufer 1');
    await filter.click();
    await ui.expectTexts(page, '1 found');
    await expect(hostile).toBeHidden();
    const saveMeanwhile = async (route: Route) => {
      const response = await route.fetch();
      await note.fill('Likes tea.\u0000');
      await ui.expectTexts(article, /^Saved$/);
      await route.fulfill({ response });
    };
    await page.route(FIND_CALL, saveMeanwhile, { times: 1 });
    const [older] = await Promise.all([page.waitForRequest(FIND_CALL), filter.click()]);
    await older.response();
    await ui.expectTexts(page, '3 contacts');
    await expect(note).toHaveValue('Likes tea.');
    await ui.button(article, 'Remove Käufer').click();
    await expect(ui.button(article, 'Remove Käufer')).toBeHidden();
    await expect(filter).toBeHidden();
  });
  await test.step('edits a typo, and keeps what came', async () => {
    await ui.button(article, 'Edit contact').click();
    await expect(ui.textbox(article, 'Name')).toBeFocused();
    await ui.textbox(article, 'Mobile').fill(' ');
    await ui.textbox(article, 'Name').fill('René Dupond');
    await ui.button(article, 'Save').click();
    await ui.expectTexts(article, 'A contact needs a name, and a mobile');
    await ui.textbox(article, 'Email').fill('rené@x.example');
    await ui.button(article, 'Save').click();
    const write = ui.link(page, 'Email René Dupond');
    await expect(write).toHaveAttribute('href', /^mailto:ren/);
    await ui.button(article, 'Edit contact').click();
    await ui.textbox(article, 'Mobile').fill('98765 43210');
    await ui.textbox(article, 'Email').fill('');
    await ui.button(article, 'Save').click();
    await expect(write).toBeHidden();
    await expect(ui.heading(article, 'René Dupond')).toBeFocused();
    await ui.expectTexts(article, 'Name as received', 'René Dupont');
    await expect(ui.link(page, 'Call René Dupond')).toBeVisible();
    await expect(ui.link(page, 'WhatsApp René Dupond')).toBeVisible();
  });
  await test.step('saves files', async () => {
    const card = await ui.download(page, ui.button(article, 'Save to phone'));
    expect(card.suggestedFilename()).toBe('René Dupond.vcf');
    await ui.button(page, 'More').click();
    const csv = await ui.download(page, ui.link(page, 'Export CSV'));
    expect(csv.suggestedFilename()).toBe('contacts.csv');
    await ui.expectTexts(page, 'Your file is saved.');
    await search.fill('eve@');
    await expect(ui.button(page, 'René Dupond')).toBeHidden();
    await ui.button(page, 'More').click();
    const cards = await ui.download(page, ui.link(page, 'Export vCard'));
    const names = (await readFile(await cards.path(), 'utf8')).match(/^FN:.*/gm);
    expect(names).toEqual([`FN:${HOSTILE}`]);
  });
  await test.step('deletes with undo, and then permanently', async () => {
    await hostile.click();
    await ui.button(article, 'Delete contact').click();
    await expect(ui.button(page, 'Undo')).toBeFocused();
    await expect(hostile).toBeHidden();
    await page.keyboard.press('Enter');
    await expect(hostile).toBeVisible();
    await ui.button(article, 'Delete contact').click();
    await expect(hostile).toBeHidden();
    await page.goto('/dashboard');
    await ui.expectTexts(page, 'René Dupond');
    await expect(page.getByText('eve@example.com')).toBeHidden();
  });
});

test('contacts view: several chosen are tagged, exported and deleted with undo', async ({
  page,
  addContact,
}) => {
  for (const name of ['Ravi', 'Meera', 'Asha']) await addContact({ name, mobile: '1' });
  await page.goto('/dashboard/contacts');
  await ui.chooseMore(page, 'Select');
  const chosen = page.getByRole('form', { name: 'Chosen contacts' });
  await page.getByRole('checkbox', { name: 'Choose Ravi' }).check();
  await ui.button(page, 'Asha').click();
  await ui.expectTexts(chosen, '2 chosen');
  await ui.button(chosen, 'Tag').click();
  await ui.textbox(chosen, 'Tag for the chosen').fill('Fair');
  await page.keyboard.press('Enter');
  await ui.expectTexts(chosen, 'Done.');
  await expect(ui.button(page, 'Fair 2')).toBeVisible();
  const file = await ui.download(page, ui.button(chosen, 'Export'));
  const csv = await readFile(await file.path(), 'utf8');
  expect([/Ravi.*Fair/.test(csv), /Asha.*Fair/.test(csv), csv.includes('Meera')]).toEqual([
    true,
    true,
    false,
  ]);
  await ui.button(chosen, 'Delete').click();
  await expect(rowsOf(page)).toHaveText(['Meera']);
  await ui.expectTexts(page, '2 contacts are deleted.');
  await expect(ui.button(page, 'Undo')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(rowsOf(page)).toHaveText(['Asha', 'Meera', 'Ravi']);
  await expect(chosen).toBeHidden();
});

test.describe('at a later time', () => {
  test.use({ timezoneId: 'Asia/Kolkata' });

  test("contacts view: 'as of' is the time of the reply, not of a later change on the device", async ({
    page,
    addContact,
  }) => {
    ui.expectErrors(page, /did not get through/);
    await addContact({ name: 'Ravi', mobile: '1' });
    await page.clock.install({ time: '2026-01-15T09:00:00+05:30' });
    await page.goto('/dashboard/contacts');
    await ui.button(page, 'Ravi').click();
    await page.clock.setSystemTime('2026-01-15T09:30:00+05:30');
    await ui.failCalls(page, FIND_CALL);
    await ui.textbox(page, 'Add a tag').fill('Fair');
    await page.keyboard.press('Enter');
    await expect(ui.button(page, 'Remove Fair')).toBeVisible();
    await ui.expectTexts(page, /What you see is as of 15 Jan 2026, 9:0\d am\./);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('contacts view: its pages follow the scrolling', async ({ page, context, addContact }) => {
    ui.expectErrors(page, /did not get through/);
    await addContact({ name: 'The one', mobile: '98765 43210' });
    // A busy browser reports an older state together with the present one.
    await page.addInitScript(() => {
      window.IntersectionObserver = class extends IntersectionObserver {
        constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
          const older = { isIntersecting: false } as IntersectionObserverEntry;
          super((entries, observer) => callback([older, ...entries], observer), options);
        }
      };
    });
    await ui.failCalls(page, FIND_CALL);
    await page.goto('/dashboard/contacts');
    await ui.expectTexts(page, "We couldn't load your contacts.");
    await context.setOffline(true);
    await ui.expectTexts(page, 'Your contacts need a network.');
    await page.unrouteAll();
    let heldCount = 2;
    await page.route(FIND_CALL, async (route) => {
      const query = route.request().postDataJSON() as { after?: string; held: boolean };
      const start = Number(query.after ?? 0);
      const receivedAt = '2026-01-15T09:00:00.000Z';
      const texts = { companyName: '', email: '', mobile: '1', note: '', notice: '', receivedAt };
      const contacts = Array.from({ length: query.held ? heldCount : 50 }, (_, at) => {
        const name = `${query.held ? 'Held' : 'Visitor'} ${start + at}`;
        return { ...texts, _id: name, name, tags: [] };
      });
      const next = start < 100 && !query.held ? String(start + 50) : '';
      await route.fulfill({ json: { contacts, next, heldCount, keepDays: 90 } });
    });
    await page.route('**/api/contacts/deleteHeldContacts/*', async (route) => {
      heldCount = 0;
      await route.fulfill({ json: {} });
    });
    await context.setOffline(false);
    const last = page.getByText('Visitor 149', { exact: true });
    await ui.expectTexts(page, /^Visitor 0$/);
    await expect(async () => {
      const more = ui.button(page, 'Show more');
      if (await more.isVisible()) await more.scrollIntoViewIfNeeded({ timeout: 500 });
      await expect(last).toBeVisible({ timeout: 500 });
    }).toPass();
    await ui.expectTexts(page, 'Contacts are deleted after 90 days.');
    await expect(page.getByText('Held 0')).toHaveCount(0);
    await ui.button(page, 'Show 2 more').click();
    const held = page.getByRole('region', { name: 'Held contacts' });
    await expect(ui.button(held, 'Held 1')).toBeVisible();
    await expect(rowsOf(held)).toHaveCount(2);
    await expect(ui.button(page, 'Show 2 more')).toHaveCount(0);
    page.once('dialog', (question) => void question.accept());
    await ui.button(held, 'Delete all held').click();
    await expect(held).toHaveCount(0);
    await expect(ui.heading(page, 'Contacts')).toBeFocused();
    await expect(last).toBeVisible();
    await page.unrouteAll();
    await page.reload();
    await ui.button(page, 'The one').click();
    const contact = ui.dialog(page, 'The one');
    await expect(ui.link(contact, 'Call')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(contact).toBeHidden();
    await expect(page).toHaveURL(/\/dashboard\/contacts$/);
    await ui.button(page, 'The one').click();
    await ui.button(contact, 'Delete contact').click();
    await expect(contact).toBeHidden();
    await ui.expectTexts(page, 'Nobody has left their details yet.');
    await expect(searchOf(page)).toBeHidden();
    await ui.button(page, 'Undo').click();
    await expect(contact).toBeVisible();
    await expect(searchOf(page)).toBeVisible();
  });
});

test('contacts view: what another device has saved since the list was loaded stays', async ({
  page,
  addContact,
  call,
}) => {
  await addContact({ name: 'Ravi', mobile: '98450 12345' });
  const find = () => call<Reply<typeof findContacts>>('/contacts/findContacts/:id', {});
  await page.goto('/dashboard/contacts');
  await ui.button(page, 'Ravi').click();
  const article = page.getByRole('article');
  await ui.button(article, 'Edit contact').click();
  const { _id: contact, name, mobile } = (await find()).contacts[0] ?? {};
  await call('/contacts/saveNote/:id', { contact, note: 'By phone' });
  await call('/contacts/saveTags/:id', { contact, tags: ['Fair'] });
  await call('/contacts/editContact/:id', { contact, details: { name, mobile, email: 'r@x' } });
  await ui.textbox(article, 'Company').fill('Kumar Steel');
  await ui.button(article, 'Save').click();
  const note = ui.textbox(article, 'Private note');
  await note.fill('Likes tea.');
  await note.blur();
  await expect(note).toHaveValue('By phone\nLikes tea.');
  await ui.textbox(article, 'Add a tag').fill('Roof');
  await page.keyboard.press('Enter');
  await expect(ui.button(article, 'Remove Roof')).toBeVisible();
  expect((await find()).contacts).toMatchObject([
    { email: 'r@x', companyName: 'Kumar Steel', tags: ['Roof', 'Fair'] },
  ]);
});

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('contacts view: has the newest without a network, and loads an open one again', async ({
    page,
    context,
    addContact,
    call,
  }) => {
    ui.expectErrors(page, /did not get through/);
    await addContact({ name: 'Ravi Kumar', mobile: '98765 43210' });
    await addContact({ name: 'Meera', email: 'meera@example.com' });
    await page.goto('/dashboard');
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await ui.link(page, 'Open Contacts').click();
    await expect(ui.heading(page, 'Contacts')).toBeVisible();
    await ui.waitForKept(page, '/contacts/findContacts/:id');
    await page.goBack();
    await ui.button(page.getByRole('table'), 'Ravi Kumar').click();
    await expect(page).toHaveURL(/\/dashboard\/contacts$/);
    await expect(page.getByRole('article', { name: 'Ravi Kumar' })).toBeVisible();
    await page.goBack();
    await ui.button(page.getByRole('table'), 'Meera').click();
    await expect(page.getByRole('article', { name: 'Meera' })).toBeVisible();

    await context.setOffline(true);
    await page.goto('/dashboard/contacts');
    await ui.expectTexts(page, "You're offline. These are your newest");
    await expect(rowsOf(page)).toHaveText(['Meera', 'Ravi Kumar']);
    await expect(ui.link(page, 'Call Ravi Kumar')).toBeVisible();
    await ui.button(page, 'Ravi Kumar').click();
    const contact = await rowsOf(page).last().getAttribute('data-contact');
    const note = ui.textbox(page, 'Private note');
    await note.fill('Likes tea.');
    await note.blur();
    await ui.expectTexts(page, UNREACHABLE);
    await page.reload();
    await ui.expectTexts(page, "Ravi Kumar: The private note isn't saved yet.");
    await ui.button(page, 'Open').click();
    await expect(note).toHaveValue('Likes tea.');
    await searchOf(page).fill('43210');
    await ui.expectTexts(page, 'Your contacts need a network.');

    await call('/contacts/saveNote/:id', { contact, note: 'By phone' });
    await addContact({ name: 'Asha 43210', mobile: '1' });
    await context.setOffline(false);
    await expect(rowsOf(page)).toHaveText(['Asha 43210', 'Ravi Kumar']);
    await expect(page.getByText("You're offline.")).toHaveCount(0);
    await ui.button(page.getByRole('article'), 'Try again').click();
    await ui.expectTexts(page.getByRole('article'), /^Saved$/);
    await page.reload();
    await ui.button(page, 'Ravi Kumar').click();
    await expect(note).toHaveValue('By phone\nLikes tea.');
    await expect(page.getByText("isn't saved yet")).toHaveCount(0);
    await ui.expectTexts(page, 'Log out removes them.');
    await ui.button(page, 'Log out').click();
    await expect(ui.textbox(page, 'Phone number')).toBeVisible();
    await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([]);
  });
});

for (const viewport of [
  { width: 390, height: 844 },
  { width: 360, height: 640 },
  { width: 320, height: 568 },
])
  test.describe(() => {
    test.use({ viewport, timezoneId: 'Asia/Kolkata' });

    test(`contacts view at ${viewport.width} px: begins with people, opens its tools, and selects in one row`, async ({
      page,
      addContact,
      call,
    }) => {
      for (const name of ['Ravi', 'Meera', 'Asha'])
        await addContact({ name, mobile: '98450 12345', email: 'a@x.example' });
      const find = '/contacts/findContacts/:id';
      const { contacts } = await call<{ contacts: { _id: string }[] }>(find, {});
      const ids = contacts.map(({ _id }) => _id);
      await call('/contacts/changeContacts/:id', { contacts: ids, tag: 'Fair' });
      const timeZone = 'Asia/Kolkata';
      const today = new Date().toLocaleDateString('sv', { timeZone });
      for (const [index, day] of ['2026-01-05', today, '2030-01-05'].entries())
        await call('/contacts/setReminder/:id', { contact: ids[index], day, timeZone });
      await page.goto('/dashboard/contacts');
      const rows = page.locator('.contact-list tr:has([data-contact])');
      await expect(rows).toHaveCount(3);
      expect((await rows.first().boundingBox())?.y).toBeLessThan(240);
      await test.step('To do is one line that opens', async () => {
        const toDo = page.getByRole('region', { name: 'To do' });
        expect((await toDo.boundingBox())?.height).toBeLessThan(60);
        await toDo.getByText('3, 1 overdue, 1 today').click();
        await expect(toDo.getByRole('listitem')).toHaveCount(3);
        await toDo.getByText('3, 1 overdue, 1 today').click();
      });
      await test.step('Escape and a press elsewhere close the menu, and the tags come with a search', async () => {
        const more = ui.button(page, 'More');
        await more.click();
        await expect(ui.link(page, 'Export vCard')).toBeVisible();
        await page.keyboard.press('Escape');
        await expect(ui.link(page, 'Export vCard')).toBeHidden();
        await expect(more).toBeFocused();
        await more.click();
        await ui.heading(page, 'Contacts').click();
        await expect(ui.link(page, 'Export vCard')).toBeHidden();
        await expect(ui.button(page, 'Fair 3')).toHaveCount(0);
        await searchOf(page).focus();
        await expect(ui.button(page, 'Fair 3')).toBeVisible();
      });
      await test.step('the bar has one row and covers nobody', async () => {
        await ui.chooseMore(page, 'Select');
        await page.getByRole('checkbox', { name: 'Choose Ravi' }).check();
        const bar = page.getByRole('form', { name: 'Chosen contacts' });
        for (const isTagging of [false, true]) {
          if (isTagging) await ui.button(bar, 'Tag').click();
          const box = await bar.boundingBox();
          expect(box?.height).toBeLessThan(60);
          expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(
            (await rows.first().boundingBox())?.y ?? 0,
          );
        }
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(
          viewport.width,
        );
        await ui.button(bar, 'Close').click();
        await expect(ui.button(bar, 'Tag')).toBeFocused();
        await ui.button(bar, 'Close').click();
        await expect(bar).toHaveCount(0);
      });
      await test.step('a contact has three equal buttons', async () => {
        await ui.button(page, 'Ravi').click();
        const contact = ui.dialog(page, 'Ravi');
        const boxes = await Promise.all(
          ['Write on WhatsApp', 'Call', 'Write an email'].map(async (name) =>
            ui.link(contact, name).boundingBox(),
          ),
        );
        expect(new Set(boxes.map((box) => `${box?.y} ${Math.round(box?.width ?? 0)}`)).size).toBe(
          1,
        );
      });
    });
  });
