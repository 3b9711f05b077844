import type { Route } from '@playwright/test';

import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import { goToSocials } from '#tests/support/screens.ts';
import { FULL_CARD } from '#tests/support/owner.ts';
import * as ui from '#tests/support/ui.ts';

const SAVE_CALL = '**/api/user/updateUser/*';

test.use({ card: {} });

test.beforeEach(async ({ page, phone }) => {
  await page.goto(`/ftue?phone=%2B91${phone}`);
});

test('onboarding: the preview follows the input, and takes a photo', async ({ page, phone }) => {
  const steps = page.getByRole('navigation', { name: 'Steps' });
  await expect(steps).toHaveText('Personal Info > Company Info > Add Socials');
  const spaced = `+91 ${phone.slice(0, 5)} ${phone.slice(5)}`;
  const note = `Your card will show ${spaced}. Change it any time in Edit Profile.`;
  await ui.expectTexts(page, note, 'Your name');
  await expect(page.getByText('Unknown')).toHaveCount(0);
  await ui.textbox(page, 'Name').fill('आशा राव');
  await ui.expectTexts(page, 'आशा राव');
  await ui.button(page, 'Edit photo').click();
  await ui.choosePhoto(page);
  await ui.button(page, 'Save').click();
  await ui.expectTexts(page, 'Photo saved');
  await expect(page.getByRole('img', { name: 'आशा राव' })).toBeVisible();
  await expect(ui.textbox(page, 'Name')).toHaveValue('आशा राव');
});

test('onboarding: Back, the arrow and a reload keep the input', async ({ page }) => {
  await expect(ui.textbox(page, 'Name')).toBeFocused();
  await goToSocials(page);
  await ui.button(page, 'Back').click();
  await expect(ui.heading(page, 'Where you work')).toBeVisible();
  await page.goBack();
  for (let press = 0; press < 2; press += 1) {
    await ui.button(page, 'Back').click();
    await expect(ui.heading(page, 'Welcome')).toBeVisible();
  }
  await goToSocials(page);
  await page.reload();
  await expect(ui.heading(page, 'Add Socials')).toBeVisible();
  await page.goto(page.url());
  await expect(ui.textbox(page, 'Name')).toHaveValue(FULL_CARD.name);
  await goToSocials(page);
  await ui.button(page, 'Add more').click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.reload();
  await expect(ui.heading(page, 'Add Socials')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await ui.button(page, 'Back').click();
  await expect(ui.heading(page, 'Where you work')).toBeVisible();
  await ui.button(page, 'Next').click();
  await expect(ui.heading(page, 'Add Socials')).toBeVisible();
  await page.goBack();
  await expect(ui.heading(page, 'Where you work')).toBeVisible();
  await page.goBack();
  await expect(ui.heading(page, 'Welcome')).toBeVisible();
});

test('onboarding tiles: typed handles are added to the defaults', async ({ page, phone }) => {
  const alerts = ui.collectAlerts(page);
  await goToSocials(page);
  await ui.button(page, 'Whatsapp').click();
  const popup = ui.dialog(page, 'Connect your socials');
  const entry = popup.getByPlaceholder('Paste your Whatsapp Number here');
  await ui.button(popup, `Use ${phone.slice(0, 5)} ${phone.slice(5)}`).click();
  await expect(entry).toHaveValue(phone);
  await entry.fill('12345');
  await ui.button(popup, 'Save').click();
  const invalid = 'Invalid Phone Number: Should be a 10-digit phone number';
  await expect.poll(() => alerts).toEqual([invalid]);
  await ui.button(popup, 'Cancel').click();
  await ui.button(page, 'LinkedIn').click();
  await expect(page.locator('html')).toHaveCSS('overflow-y', 'hidden');
  await popup.getByRole('textbox').fill('not a link at all');
  await ui.button(popup, 'Save').click();
  await expect(popup.getByRole('textbox')).toHaveAccessibleDescription(/link/);
  await ui.addLink(page, 'linkedin.com/in/asha');
  await expect(page.locator('html')).not.toHaveCSS('overflow-y', 'hidden');
  await ui.button(page, 'Add more').click();
  const catalogue = ui.dialog(page, 'Add more').getByRole('button', { name: /^Add / });
  await expect(catalogue).toHaveCount(8);
  await ui.button(page, 'Add YouTube').click();
  await ui.addLink(page, 'youtube.com/@asha');
  const tiles = page.locator('.tiles .tile-name');
  const all = ['Whatsapp', 'LinkedIn', 'X', 'Facebook', 'YouTube', 'Add more'];
  await expect(tiles).toHaveText(all);
  await ui.button(page, 'Back').click();
  await ui.heading(page, 'Where you work').waitFor();
  await ui.button(page, 'Next').click();
  await expect(tiles).toHaveText(all);
  await page.reload();
  await expect(tiles).toHaveText(all);
});

test('onboarding: without a name the next steps say so, and lead back to it', async ({ page }) => {
  await ui.textbox(page, 'Email').fill('asha@gmail');
  for (const steps of [['Where you work'], ['Where you work', 'Add Socials']]) {
    for (const title of steps) {
      await ui.button(page, 'Next').click();
      await expect(ui.heading(page, title)).toBeFocused();
      const wrong = "asha@gmail: This doesn't look like";
      await ui.expectTexts(page, /^Visitors will see Unknown\.$/, wrong);
    }
    await ui.button(page, 'Add your name').click();
    await expect(ui.textbox(page, 'Name')).toBeFocused();
  }
  await ui.button(page, 'Next').click();
  await ui.button(page, 'Correct it').click();
  await expect(ui.textbox(page, 'Email')).toBeFocused();
  await ui.textbox(page, 'Email').fill('asha@rao.example');
  await ui.textbox(page, 'Name').fill('Asha');
  await ui.button(page, 'Next').click();
  await expect(ui.heading(page, 'Where you work')).toBeFocused();
  await expect(page.locator('.step-notes')).toHaveCount(0);
});

const isMoving = (elements: readonly Element[]) =>
  elements.some((element) => getComputedStyle(element).animationName !== 'none');

test('onboarding: a double press saves once, and a failed save is repeated', async ({ page }) => {
  ui.expectErrors(page, /answered 503/);
  // A page before onboarding in the history.
  await page.goto('/privacy_policy');
  await page.goto('/ftue');
  await ui.textbox(page, 'Name').fill(FULL_CARD.name);
  const pressTwice = (name: string) =>
    ui.button(page, name).evaluate((element: HTMLButtonElement) => {
      element.click();
      element.click();
    });
  await pressTwice('Next');
  await expect(ui.heading(page, 'Where you work')).toBeVisible();
  await pressTwice('Next');
  await expect(ui.heading(page, 'Add Socials')).toBeVisible();
  await pressTwice('Back');
  await expect(ui.heading(page, 'Where you work')).toBeVisible();
  await page.goBack();
  await expect(ui.heading(page, 'Welcome')).toBeVisible();
  await goToSocials(page);

  await ui.failCalls(page, SAVE_CALL, { status: 503, error: 'unavailable', message: 'Try again.' });
  await ui.button(page, 'Next').click();
  await ui.expectTexts(page, 'Not saved yet Try again.');
  await expect(ui.heading(page, 'Add Socials')).toBeVisible();
  await page.unrouteAll();
  const saves: Route[] = [];
  await page.route(SAVE_CALL, (route) => void saves.push(route));
  await pressTwice('Next');
  await ui.expectTexts(page, 'Setting up your Digital Business Card');
  const settling = page.locator('.settling');
  await expect(settling).toContainText('Asha');
  await expect.poll(() => settling.locator('*').evaluateAll(isMoving)).toBe(true);
  await expect.poll(() => saves.length).toBe(1);
  await page.setViewportSize({ width: 390, height: 844 });
  await saves[0]?.continue();
  await expect(ui.heading(page, 'Welcome Asha')).toBeVisible();
  await expect(page.getByText('Your card is ready.')).toBeVisible();
  for (const name of ['Add a photo', 'Share'])
    await expect(ui.button(page, name)).toBeInViewport({ ratio: 1 });
  expect(saves).toHaveLength(1);
  await page.goBack();
  await expect(page).toHaveURL('/privacy_policy');
});

test('onboarding: shows what was saved, and keeps it', async ({ page, call }) => {
  ui.expectErrors(page, /answered 412/);
  await call('/user/updateUser/:id', { ...FULL_CARD, name: 'Asha' });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  const strip = page.getByRole('complementary', { name: 'Your card so far' });
  for (const text of ['Principal Architect', 'Rao & Partners Archi...'])
    await expect(strip.getByText(text)).toBeInViewport({ ratio: 1 });
  await expect(strip.locator('.social-tile .icon')).toHaveCount(12);
  await expect(strip.locator('.social-tile .icon').last()).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1280, height: 900 });
  // Another device saves meanwhile.
  const elsewhere = { bio: 'Hello', phone: '080 2345 6789', email: 'asha@new.example' };
  await call('/user/updateUser/:id', { ...elsewhere, name: 'Elsewhere' });
  for (const typed of ['', FULL_CARD.email]) await ui.textbox(page, 'Email').fill(typed);
  await goToSocials(page);
  await ui.button(page, 'Next').click();
  await page.waitForURL(/\/dashboard/);
  await page.getByText('Nobody has left their details yet.').waitFor();
  expect(await call('/user/:id')).toMatchObject({ ...elsewhere, name: 'Asha Rao' });
  await expect.poll(() => ui.storedKeys(page)).not.toContain('onboarding');
});

test('onboarding: the third step previews its networks side by side', async ({ page }) => {
  await goToSocials(page);
  const socials = page.locator('.preview .card-socials');
  // The tiles that stand for networks until there are some.
  const drawn = await page
    .locator('.preview .card-body')
    .evaluate((body) => Number.parseFloat(getComputedStyle(body, '::after').width));
  expect(drawn).toBeGreaterThan(250);
  await ui.button(page, 'LinkedIn').click();
  await ui.addLink(page, 'linkedin.com/in/rao');
  for (const [width, least] of [
    [1280, 250],
    [390, 200],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    expect((await socials.boundingBox())?.width).toBeGreaterThan(least);
  }
});
