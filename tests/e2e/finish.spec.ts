import { collectAlerts, expect, test } from '#tests/support/browser-test.ts';
import {
  FULL_CARD,
  createOwner,
  signInOwner,
  storeSession,
  uploadPhoto,
} from '#tests/support/owner.ts';

test('Edit Profile: shows a live preview beside the form on a wide screen', async ({
  page,
  server,
  phone,
}) => {
  await signInOwner({ page, server, phone });
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto('/dashboard/edit');
  const preview = page.locator('.edit-preview');
  await page.getByRole('textbox', { name: 'Designation' }).fill('Partner');
  await expect(preview.getByText('Partner', { exact: true })).toBeVisible();
  await page.setViewportSize({ width: 800, height: 900 });
  await expect(preview).toBeHidden();
});

test('onboarding: the strip on a phone shows designation, company and networks', async ({
  page,
  server,
  phone,
}) => {
  await signInOwner({ page, server, phone });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/ftue');
  const strip = page.getByRole('complementary', { name: 'Your card so far' });
  await expect(strip.getByText('Principal Architect')).toBeInViewport({ ratio: 1 });
  await expect(strip.getByText('Rao & Partners Archi...')).toBeInViewport({ ratio: 1 });
  await expect(strip.locator('.social-tile .icon')).toHaveCount(12);
  await expect(strip.locator('.social-tile .icon').last()).toBeInViewport({ ratio: 1 });
});

test('scroll: a full load of another page starts at its top', async ({ page, server, phone }) => {
  await signInOwner({ page, server, phone });
  await page.setViewportSize({ width: 390, height: 600 });
  for (const path of ['/dashboard/edit', '/dashboard', '/dashboard/edit']) {
    await page.goto(path);
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await page.mouse.move(200, 300);
    await page.mouse.wheel(0, 400);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(100);
  }
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByText('Welcome Asha')).toBeInViewport();
});

test('menu: the phone’s Back closes the drawer', async ({ page, server, phone }) => {
  await signInOwner({ page, server, phone });
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

test('menu: has the policies and support at its foot', async ({ page, server, phone }) => {
  await signInOwner({ page, server, phone });
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Menu' }).click();
  const menu = page.getByRole('navigation', { name: 'Dashboard' });
  await expect(menu.getByRole('link', { name: 'Privacy' })).toHaveAttribute(
    'href',
    '/privacy_policy',
  );
  await expect(menu.getByRole('link', { name: 'Support' })).toHaveAttribute(
    'href',
    'mailto:support@example.com',
  );
});

test('Add a photo: is offered until there is one, and a photo can be removed', async ({
  page,
  server,
  phone,
}) => {
  const owner = await signInOwner({ page, server, phone });
  await page.goto('/dashboard');
  const add = page.getByRole('link', { name: 'Add a photo' });
  await expect(add).toHaveAttribute('href', '/dashboard/edit');
  await uploadPhoto(server, owner);
  await page.goto('/dashboard');
  await page.getByRole('img', { name: 'Asha Rao' }).waitFor();
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

test('Remove photo: a failure is shown in the pop-up, and the photo stays', async ({
  page,
  server,
  phone,
  expectErrors,
}) => {
  expectErrors(/removeProfileImage\/:id did not get through/);
  const owner = await createOwner(server, phone, FULL_CARD);
  await uploadPhoto(server, owner);
  await storeSession(page, server, owner);
  await page.route('**/removeProfileImage/*', (route) => route.abort());
  await page.goto('/dashboard/edit');
  await page.getByRole('button', { name: 'Edit photo' }).click();
  await page.getByRole('button', { name: 'Remove photo' }).click();
  await expect(page.getByText('The photo was not removed. Try again.')).toBeVisible();
  await expect(page.getByRole('img', { name: 'Asha Rao' })).toBeAttached();
});

test('Connect: says what is needed and where it goes, and hints without blocking', async ({
  page,
  server,
  phone,
}) => {
  const owner = await createOwner(server, phone, FULL_CARD);
  await page.goto(`/user/${owner._id}`);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  const popup = page.getByRole('dialog', { name: 'Connect' });
  await expect(popup).toContainText('Name, and a mobile number or an e-mail');
  await expect(popup).toContainText('They go to Asha Rao.');
  await expect(popup.getByRole('link', { name: 'Privacy policy' })).toHaveAttribute(
    'href',
    '/privacy_policy',
  );
  const hint = popup.getByText('This does not look like a phone number.');
  await expect(hint).toBeHidden();
  await popup.getByRole('textbox', { name: 'Name' }).fill('Ravi');
  const mobile = popup.getByRole('textbox', { name: 'Mobile' });
  await mobile.pressSequentially('12a');
  await popup.getByRole('textbox', { name: 'Email' }).pressSequentially('ravi at home');
  await popup.getByRole('textbox', { name: 'Company' }).focus();
  await expect(hint).toBeVisible();
  await expect(popup.getByText('This does not look like an email address.')).toBeVisible();
  await mobile.fill('+91 (98450) 12-345');
  await expect(hint).toBeHidden();
  await mobile.fill('12a');
  const alerts = collectAlerts(page);
  await popup.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect.poll(() => alerts).toEqual(['Contact Send Successfully']);
});

const IN_APP_BROWSERS = [
  'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP1A; wv) AppleWebKit/537.36 Chrome/130.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Mobile/15E148 Twitter for iPhone/10.2',
  'Mozilla/5.0 (Linux; Android 14) Chrome/130.0 Telegram-Android/10.5',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Safari Line/14.1.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0) musical_ly_33.1.0 BytedanceWebview/d8a21c6',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0) Mobile/15E148 TeamsMobile-iOS',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0) Mobile/15E148 MicroMessenger/8.0.42',
];
const BROWSERS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36',
];

test('in-app browsers: show a note with Copy link; others do not', async ({
  browser,
  server,
  phone,
}) => {
  const owner = await createOwner(server, phone, FULL_CARD);
  const shown: boolean[] = [];
  for (const userAgent of [...IN_APP_BROWSERS, ...BROWSERS]) {
    const context = await browser.newContext({
      userAgent,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    await page.goto(`${server.origin}/user/${owner._id}`);
    const copy = page.getByRole('button', { name: 'Copy link' });
    shown.push(await copy.isVisible());
    if (await copy.isVisible()) {
      await copy.click();
      await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
    }
    await context.close();
  }
  expect(shown).toEqual([...IN_APP_BROWSERS.map(() => true), ...BROWSERS.map(() => false)]);
});

test('login page: the hint names the countries that codes are sent to', async ({ page }) => {
  await page.goto('/login');
  await expect(
    page.getByText('Codes are sent to numbers of India. Without a country code, +91 is assumed.'),
  ).toBeVisible();
});
