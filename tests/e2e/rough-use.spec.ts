import type { Page, Route } from '@playwright/test';

import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import { goToSocials } from '#tests/support/screens.ts';
import { storeSession } from '#tests/support/owner.ts';
import * as ui from '#tests/support/ui.ts';

const SAVE_CALL = '**/api/user/updateUser/*';
const USER_CALL = '**/api/user/*';
const designation = (page: Page) => ui.textbox(page, 'Designation');

/** Returns a function that counts how often the tab has loaded a document since this call. */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on('domcontentloaded', () => (loads += 1));
  return () => loads;
}

for (const [status, body, sentence] of [
  [403, '<h1>Forbidden</h1>', 'A proxy rejected this request.'],
  [500, '', "The service couldn't answer. Try again in a moment."],
  [201, '', 'A proxy answered instead of the service. Try again.'],
] as const) {
  test(`Edit Profile: a save that is answered ${status} without our JSON says so, and keeps session and input`, async ({
    page,
  }) => {
    if (status !== 201) ui.expectErrors(page, /answered/);
    const alerts = ui.collectAlerts(page);
    await page.route(SAVE_CALL, (route) => route.fulfill({ status, body }));
    await page.goto('/dashboard/edit');
    await designation(page).fill('Partner');
    await ui.updateChanges(page);
    await ui.expectTexts(page.locator('.edit-end'), `Not saved yet ${sentence}`);
    await page.reload();
    await expect(designation(page)).toHaveValue('Partner');
    expect(alerts).toEqual([]);
  });
}

test('Edit Profile: Back does not open a page again that its arrow has closed', async ({
  page,
}) => {
  await page.goto('/privacy_policy');
  await page.goto('/dashboard');
  await ui.link(page, 'Edit Card').click();
  await ui.link(page, 'Appearance').click();
  await expect(ui.heading(page, 'Appearance')).toBeVisible();
  await page.reload();
  for (const title of ['Edit Profile', 'Welcome Asha']) {
    await ui.button(page, 'Back').click();
    await expect(ui.heading(page, title)).toBeVisible();
  }
  await page.goBack();
  await expect(page).toHaveURL('/privacy_policy');
  await page.goto('/dashboard/edit');
  await ui.button(page, 'Back').click();
  await expect(ui.heading(page, 'Welcome Asha')).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL('/privacy_policy');
});

test('dashboard: has the name that another tab has saved', async ({ page, context }) => {
  await page.goto('/dashboard');
  await ui.expectTexts(page, 'Welcome Asha');
  const other = await context.newPage();
  ui.collectAlerts(other);
  await other.goto('/dashboard/edit');
  await ui.textbox(other, 'Name').fill('Meera Iyer');
  await ui.updateChanges(other);
  await ui.expectTexts(page, 'Welcome Meera');
  await other.close();
});

for (const key of ['_id', null]) {
  test(`Edit Profile: without ${key ?? 'its storage'}, removed by hand, a save leads to the login page`, async ({
    page,
  }) => {
    const paths: string[] = [];
    page.on('request', (request) => paths.push(new URL(request.url()).pathname));
    await page.goto('/dashboard/edit');
    await designation(page).fill('Partner');
    await page.evaluate((name) => {
      if (name === null) localStorage.clear();
      else localStorage.removeItem(name);
    }, key);
    await ui.updateChanges(page);
    await ui.waitForLoginPage(page);
    expect(paths.filter((path) => /\/user\/(updateUser\/)?$/.test(path))).toEqual([]);
  });
}

test("'Log out' with unsaved text asks once after a double click", async ({ page }) => {
  await page.goto('/dashboard/edit');
  await designation(page).fill('Partner');
  await expect.poll(() => ui.storedKeys(page)).toContain('draft-edit');
  await page.goto('/dashboard');
  await ui.button(page, 'Menu').click();
  const questions: string[] = [];
  page.on('dialog', (dialog) => {
    questions.push(dialog.message());
    void dialog.dismiss();
  });
  await ui.button(page, 'Log out').dblclick();
  await expect.poll(() => questions).toHaveLength(1);
  await ui.button(page, 'Menu').click();
  await ui.button(page, 'Log out').click();
  await expect.poll(() => questions).toHaveLength(2);
});

test.describe('storage', () => {
  for (const [name, open] of [
    [
      'is blocked',
      () => {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      },
    ],
    ['never answers', () => new EventTarget()],
  ] as const) {
    test(`Edit Profile: asks before typed text is lost if IndexedDB ${name}`, async ({ page }) => {
      ui.expectErrors(page, /could not be read/, /is in this page only/);
      await page.addInitScript((source) => {
        // eslint-disable-next-line no-eval -- the function of the table above
        IDBFactory.prototype.open = eval(`(${source})`) as typeof indexedDB.open;
      }, open.toString());
      await page.goto('/dashboard/edit');
      await designation(page).fill('Partner');
      const asked: string[] = [];
      page.on('dialog', (dialog) => {
        asked.push(dialog.type());
        void dialog.accept();
      });
      await page.reload();
      expect(asked).toEqual(['beforeunload']);
    });
  }
});

for (const [name, missing, open] of [
  ['Edit photo', 'photo-dialog', '/dashboard/edit'],
  ['Add a photo', 'photo-dialog', '/dashboard'],
] as const) {
  test(`'${name}': a pop-up whose code is lost stays closed and says so until the code arrives`, async ({
    page,
  }) => {
    await page.route(`**/assets/${missing}*`, (route) => route.abort());
    await page.goto(open);
    if (open === '/dashboard/edit') await designation(page).fill('Partner');
    await ui.button(page, name).click();
    await expect(page.getByRole('alert')).toHaveText(
      "We couldn't load this. Check your network, or reload the page.",
    );
    await expect(page.getByRole('dialog')).toHaveCount(0);
    if (open === '/dashboard/edit') await expect(designation(page)).toHaveValue('Partner');
    await page.unrouteAll();
    await ui.button(page, name).click();
    await expect(ui.dialog(page, 'Edit photo')).toBeVisible();
  });
}

/** The import of a chunk and its second attempt. */
const TWICE = { times: 2 };

test('Edit Profile: a missing chunk reloads the page once, and what was typed is in it', async ({
  page,
}) => {
  await page.goto('/dashboard/edit');
  await designation(page).fill('Partner');
  await expect.poll(() => ui.storedKeys(page)).toContain('draft-edit');
  const loads = countLoads(page);
  await page.route('**/assets/page-*', (route) => route.fulfill({ status: 404 }), TWICE);
  await page.reload();
  await expect(designation(page)).toHaveValue('Partner');
  await ui.expectTexts(page.locator('.edit-end'), 'Not saved yet');
  expect(loads()).toBe(2);
  // Another upgrade may follow in the same tab.
  await page.goto('/dashboard');
  await page.route('**/assets/page-*', (route) => route.fulfill({ status: 404 }), TWICE);
  await ui.link(page, 'Edit Card').click();
  await expect(designation(page)).toHaveValue('Partner');
  expect(loads()).toBe(4);
});

for (const [name, mayStore, isReached, count] of [
  ['stays missing', true, true, 2],
  ['is missing, and the browser stores nothing,', false, true, 1],
  ['cannot be loaded without the service', true, false, 1],
] as const) {
  test(`Edit Profile: a chunk that ${name} leads to the error screen after ${count} loads`, async ({
    page,
  }) => {
    if (!mayStore) ui.expectErrors(page, /was not stored/);
    if (!mayStore)
      await page.addInitScript(() => {
        const full = new DOMException('', 'QuotaExceededError');
        Storage.prototype.setItem = () => {
          throw full;
        };
      });
    await page.route('**/assets/page-*', (route) => route.fulfill({ status: 404 }));
    if (!isReached)
      await page.route(
        (url) => url.pathname === '/',
        (route) => route.abort(),
      );
    const loads = countLoads(page);
    await page.goto('/dashboard/edit');
    await expect(ui.heading(page, 'Unexpected Application Error!')).toBeVisible();
    expect(loads()).toBe(count);
    await page.unrouteAll();
    await ui.link(page, 'Start again').click();
    await ui.expectTexts(page, 'Welcome Asha');
  });
}

test('handle: a link that is too long is rejected with a note', async ({ page, call }) => {
  const before = await call('/user/:id');
  await page.goto('/dashboard/edit');
  await ui.button(page, 'LinkedIn').click();
  const popup = ui.dialog(page, 'Connect your socials');
  const field = popup.getByRole('textbox');
  await ui.paste(page, field, `https://linkedin.com/in/${'a'.repeat(2100)}`);
  await ui.button(popup, 'Save').click();
  await expect(popup).toBeVisible();
  await expect(field).toHaveAccessibleDescription(/up to 2048 characters/);
  await field.fill('https://linkedin.com/in/asha');
  await ui.button(popup, 'Save').click();
  await expect(popup).toBeHidden();
  expect(await call('/user/:id')).toEqual(before);
});

test('photo: a card whose file is gone has the default picture, and so has the dashboard', async ({
  page,
  owner,
}) => {
  await page.goto('/dashboard/edit');
  await ui.button(page, 'Edit photo').click();
  await ui.choosePhoto(page);
  await ui.button(page, 'Save').click();
  await ui.expectTexts(page, 'Photo saved');
  await page.route('**/photos/*', (route) =>
    route.request().resourceType() === 'image' ? route.fulfill({ status: 404 }) : route.fallback(),
  );
  for (const path of ['/dashboard', '/dashboard/edit', `/user/${owner._id}`]) {
    await page.goto(path);
    await expect(page.locator('svg.portrait').first()).toContainText('AR');
    await expect(page.locator('img.portrait')).toHaveCount(0);
  }
});

test('Recent Connections: each value has the title of its column, on a phone too', async ({
  page,
  addContact,
}) => {
  await addContact({
    name: 'Ravi',
    mobile: '9876500000',
    email: 'r@x.example',
    companyName: 'Rao',
  });
  for (const [width, isTitled] of [
    [1280, false],
    [390, true],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/dashboard');
    await ui.button(page, 'Ravi').waitFor();
    const cells = page.getByRole('table').getByRole('cell');
    const names = ['Name Ravi', 'Company Rao', 'Email r@x.example', 'Phone no. 98765 00000'];
    for (const [at, name] of names.entries()) {
      const shown = isTitled ? name : name.replace(/^(Name|Company|Email|Phone no\.) /, '');
      await expect(cells.nth(at)).toHaveAccessibleName(new RegExp(`^${shown}`));
      const text = await cells.nth(at).locator('bdi').first().boundingBox();
      expect([name, (text?.width ?? 0) > 10]).toEqual([name, !isTitled || at === 0]);
    }
  }
});

test.describe('onboarding', () => {
  test.use({ card: { name: 'Asha', phone: '' } });

  test('phone: that of a link is not saved as the login phone', async ({ page, call }) => {
    await page.goto('/ftue?phone=%2B919999999999');
    await expect(ui.textbox(page, 'Name')).toHaveValue('Asha');
    await expect(page.getByText('Your card will show')).toHaveCount(0);
    await goToSocials(page);
    await ui.button(page, 'Next').click();
    await page.waitForURL(/\/dashboard/);
    expect(await call('/user/:id')).toMatchObject({ phone: '' });
  });
});

test.describe('onboarding that is saved', () => {
  test.use({ card: {} });

  test("steps: after a reload while it is saved, the card is not called 'Not saved yet'", async ({
    page,
    server,
    owner,
  }) => {
    await storeSession(page, server, owner);
    await page.goto('/ftue');
    await goToSocials(page);
    let saved = false;
    await page.route(SAVE_CALL, async (route) => {
      await route.fetch();
      saved = true;
    });
    await ui.button(page, 'Next').click();
    await expect.poll(() => saved).toBe(true);
    const reading: Route[] = [];
    await page.route(USER_CALL, (route) => void reading.push(route));
    await page.reload();
    await expect.poll(() => reading.length).toBe(1);
    await expect(page.getByText('Not saved yet')).toHaveCount(0);
    await reading[0]?.continue();
    await expect(page.getByText('Not saved yet')).toHaveCount(0);
  });
});
