import type { Page } from '@playwright/test';

import { BROWSER_STORAGE, PERSISTED_REPLIES } from '#domain/browser-storage.ts';
import { expect, test } from '#tests/support/browser-test.ts';
import { sendRequest } from '#tests/support/owner.ts';
import * as ui from '#tests/support/ui.ts';

test.use({
  environment: {
    VIEWS: 'contacts,analytics',
    CONNECT_NOTICE: 'dpdp',
    DPDP_CONTACT: 'Meera Iyer, privacy@example.com',
    CARD_EXTRAS: 'all',
    LANGUAGES: 'hi',
  },
  serviceWorkers: 'allow',
});

type Place = keyof typeof BROWSER_STORAGE;

/** Returns the names of everything in the browser, by where it is. */
const storedNames = async (page: Page): Promise<Readonly<Record<Place, readonly string[]>>> => ({
  ...(await page.evaluate(async () => ({
    localStorage: Object.keys(localStorage),
    sessionStorage: Object.keys(sessionStorage),
    caches: await caches.keys(),
  }))),
  database: Object.keys(await ui.storedEntries(page)),
  cookies: (await page.context().cookies()).map(({ name }) => name),
});

const isNamed = (stored: string, name: string) =>
  /[-/ _]$/.test(name) ? stored.includes(name) : stored === name;

const keptReplies = async (page: Page) => {
  const text = ((await ui.storedEntries(page))['queries'] ?? '{}') as string;
  const { clientState } = JSON.parse(text) as {
    clientState?: { queries: { meta: { kept: string } }[] };
  };
  return (clientState?.queries ?? []).map(({ meta }) => meta.kept).toSorted();
};

test('privacy policy: lists what a browser stores after a day of use', async ({
  page,
  server,
  phone,
}) => {
  ui.expectErrors(page, /addContacts.* did not get through/);
  const seen = new Map<Place, Set<string>>();
  const look = async () => {
    for (const [place, names] of Object.entries(await storedNames(page)))
      seen.set(place as Place, new Set([...(seen.get(place as Place) ?? []), ...names]));
  };
  await test.step('signs in, and sets up a card', async () => {
    await page.goto('/login');
    await ui.textbox(page, 'Phone number').fill(phone);
    await ui.button(page, 'Send code').click();
    const code = ui.textbox(page, 'Code');
    await expect(code).toBeVisible();
    await look();
    await code.fill(await server.codeFor(`+91${phone}`));
    await page.waitForURL(/\/ftue/);
    await ui.textbox(page, 'Name').fill('Asha Rao');
    await expect.poll(() => ui.storedKeys(page)).toContain('draft-');
    await look();
    for (const title of ['Where you work', 'Add Socials', 'Welcome Asha']) {
      await ui.button(page, 'Next').click();
      await expect(ui.heading(page, title)).toBeVisible();
    }
  });
  const { _id } = await ui.readSession(page);
  await test.step('a visitor leaves details', async () => {
    const contact = { name: 'Ravi', mobile: '98450 12345' };
    await sendRequest(server, '/profile/addContact', { body: { userID: _id, contact } });
  });
  await test.step('shares the card, and writes to contacts', async () => {
    const alerted = page.waitForEvent('dialog').then((alert) => alert.accept());
    await ui.button(page, 'Copy Link').click();
    await alerted;
    const { homeScreen } = BROWSER_STORAGE.localStorage;
    await page.waitForFunction((key) => localStorage.getItem(key) !== null, homeScreen);
    await page.goto('/dashboard/edit');
    await ui.waitForKept(page, '/user/:id/extras');
    await page.goto('/dashboard/contacts');
    await ui.waitForKept(page, '/contacts/findContacts/:id');
    await ui.button(page, 'Ravi').click();
    await ui.textbox(page, 'Add a tag').fill('Architect');
    await ui.button(page, 'Add').click();
    await ui.expectTexts(page.getByRole('article'), 'Architect');
    await ui.failCalls(page, '**/api/contacts/addContacts/*');
    await ui.button(page, 'Add contact').click();
    await ui.addContact(page, { Name: 'Meera', Mobile: '98450 54321', Event: 'Pune Fair' });
    await ui.expectTexts(page, '1 waiting');
    await page.goto('/dashboard');
    await ui.expectTexts(page, 'Ravi');
    const caches = async () => (await storedNames(page)).caches.toSorted();
    await expect.poll(caches).toEqual(['owner', 'pages']);
    await expect.poll(() => keptReplies(page)).toEqual(PERSISTED_REPLIES.toSorted());
    await look();
  });
  await test.step('starts a table', async () => {
    await page.goto('/dashboard/table');
    await ui.button(page, 'Start a table').click();
    await ui.dialog(page, 'QR code').waitFor();
    await look();
  });
  await test.step('opens a card, and leaves details', async () => {
    await page.goto(`/user/${_id}`);
    const alerted = page.waitForEvent('dialog').then((alert) => alert.accept());
    await ui.leaveDetails(page);
    await alerted;
    await expect(ui.link(page, 'See or withdraw what you left')).toBeVisible();
    await look();
  });

  for (const [place, names] of Object.entries(BROWSER_STORAGE)) {
    const stored = [...(seen.get(place as Place) ?? [])];
    const listed: readonly string[] = Object.values(names);
    // A third party's login widget, a company's login, a dialog that has sent a code, and an upgrade have these.
    const { presentPhone, interrupted, ownerCode, reloaded } = BROWSER_STORAGE.sessionStorage;
    const { oidc } = BROWSER_STORAGE.cookies;
    const unused = new Set<string>([presentPhone, interrupted, oidc, ownerCode, reloaded]);
    const used = listed.filter((name) => !unused.has(name));
    const isListed = (one: string) => listed.some((name) => isNamed(one, name));
    const isUsed = (name: string) => stored.some((one) => isNamed(one, name));
    expect(
      stored.filter((one) => !isListed(one)),
      place,
    ).toEqual([]);
    expect(
      used.filter((name) => !isUsed(name)),
      place,
    ).toEqual([]);
  }
  await page.goto('/privacy_policy');
  const section = page.getByRole('region', { name: 'What your browser stores' });
  await expect(section).toContainText(
    'the newest 10 visitors who left their details, or all who are new, with their names, companies, emails and phones',
  );
  const all = Object.values(BROWSER_STORAGE).flatMap((names) => Object.keys(names));
  const elsewhere = ['counted', 'receipt', 'interrupted', 'oidc'];
  await expect(section.locator('li')).toHaveCount(all.length - elsewhere.length);
});
