import { deferred, expect, test } from '#tests/support/browser-test.ts';
import { FULL_CARD, createOwner, sendRequest, storeSession } from '#tests/support/owner.ts';
import { expectQrCode } from '#tests/support/qr-code.ts';

const OPEN = { name: 'Show QR code full screen' } as const;
/** The smallest phones in use, without the browser's own bars. */
const PHONES = [
  { width: 360, height: 640 },
  { width: 375, height: 667 },
  { width: 390, height: 664 },
  { width: 412, height: 785 },
] as const;

test('QR code: is whole in the first view of every phone, also below notes', async ({
  page,
  server,
  phone,
}) => {
  const owner = await createOwner(server, phone, {
    ...FULL_CARD,
    name: 'Padmanabhan Ramakrishnan',
  });
  await storeSession(page, server, owner);
  const expectWholeCode = async (viewport: (typeof PHONES)[number]) => {
    await page.setViewportSize(viewport);
    await page.goto('/dashboard');
    await page.getByText('Start building connections!').waitFor();
    const box = await page.getByRole('button', OPEN).boundingBox();
    expect(box?.width).toBe(256);
    expect((box?.y ?? Infinity) + 256).toBeLessThanOrEqual(viewport.height);
    await expectQrCode(page, `${server.origin}/user/${owner._id}`);
  };
  for (const viewport of PHONES) await expectWholeCode(viewport);
  await sendRequest(server, `/user/updateUser/${owner._id}`, {
    token: owner.sessionToken,
    body: { name: '', phone: '' },
  });
  await expectWholeCode(PHONES[0]);
  await expect(page.getByRole('link', { name: 'Complete your card' })).toBeInViewport();
});

test('QR code: a press shows it as large as the screen with the name below, and a press anywhere closes it', async ({
  ownerPage: page,
  server,
  owner,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 664 });
  await page.goto('/dashboard');
  await page.getByRole('button', OPEN).click();
  const dialog = page.getByRole('dialog', { name: 'QR code', exact: true });
  await expect(dialog).toBeVisible();
  await expect(dialog).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(dialog.getByText('Asha Rao')).toBeInViewport({ ratio: 1 });
  const image = dialog.getByRole('img', { name: 'QR code of your card' });
  await expect.poll(async () => (await image.boundingBox())?.width).toBe(390);
  await expectQrCode(page, `${server.origin}/user/${owner._id}`);
  await page.mouse.click(20, 640);
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', OPEN)).toBeFocused();
});

test('QR code: Escape, the browser’s Back and the X close the full screen', async ({
  ownerPage: page,
}) => {
  await page.goto('/dashboard');
  const dialog = page.getByRole('dialog', { name: 'QR code', exact: true });
  const closings = [
    () => page.keyboard.press('Escape'),
    () => page.goBack(),
    () => page.getByRole('button', { name: 'Close' }).click(),
  ];
  for (const close of closings) {
    await page.getByRole('button', OPEN).click();
    await expect(dialog).toBeVisible();
    await close();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(page.getByText('Welcome Asha')).toBeVisible();
  }
});

test('QR code: is shown before the application and the profile have loaded', async ({
  ownerPage: page,
  server,
  owner,
}) => {
  await page.route(/\/assets\/main-.*\.js$/, () => undefined);
  await page.route('**/api/user/*', () => undefined);
  const link = `${server.origin}/user/${owner._id}`;
  await page.goto('/dashboard', { waitUntil: 'commit' });
  await expectQrCode(page, link);

  await page.goto('/dashboard?qr', { waitUntil: 'commit' });
  const dialog = page.getByRole('dialog', { name: 'QR code', exact: true });
  await expect(dialog.getByRole('img')).toBeInViewport({ ratio: 1 });
  await expectQrCode(page, link);
  await dialog.click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('QR code: the shortcut of the home screen opens it before the profile has loaded', async ({
  ownerPage: page,
  server,
  owner,
}) => {
  const profile = deferred();
  await page.route('**/api/user/*', async (route) => {
    await profile.promise;
    await route.continue();
  });
  const dialog = page.getByRole('dialog', { name: 'QR code', exact: true });
  const image = dialog.getByRole('img');
  for (const viewport of [PHONES[0], { width: 1280, height: 900 }]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      await page.goto('/dashboard?qr', { waitUntil: 'commit' });
      await expect(image).toBeVisible();
      await expectQrCode(page, `${server.origin}/user/${owner._id}`);
    }
  }
  const box = await image.boundingBox();
  profile.resolve();
  await expect(dialog.getByText('Asha Rao')).toBeInViewport({ ratio: 1 });
  expect(await image.boundingBox()).toEqual(box);
  await expect(dialog.getByText('Principal Architect')).toBeInViewport({ ratio: 1 });
  await expect(dialog.getByText('Rao & Partners Archi...')).toBeInViewport({ ratio: 1 });
  const focused = page.locator(':focus');
  await expect(focused).toHaveCSS('outline-style', 'none');
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByText('Welcome Asha')).toBeVisible();
});

test('QR code: the screen stays on while it is open', async ({ ownerPage: page }) => {
  await page.addInitScript(() => {
    const locks: { released: boolean }[] = [];
    const request = () => {
      const lock = {
        released: false,
        release: async () => {
          lock.released = true;
        },
      };
      locks.push(lock);
      return Promise.resolve(lock);
    };
    Object.assign(window, { locks });
    Object.defineProperty(navigator, 'wakeLock', { value: { request } });
  });
  const locks = () =>
    page.evaluate(() =>
      (window as unknown as { locks: { released: boolean }[] }).locks.map(({ released }) =>
        released ? 'released' : 'held',
      ),
    );
  const dialog = page.getByRole('dialog', { name: 'QR code', exact: true });
  await page.goto('/dashboard');
  await page.getByText('Welcome Asha').waitFor();
  expect(await locks()).toEqual([]);
  await page.getByRole('button', OPEN).click();
  await expect(dialog).toBeVisible();
  await expect.poll(locks).toEqual(['held']);
  // The browser releases the lock of a hidden page.
  await page.evaluate(() => {
    const [lock] = (window as unknown as { locks: { released: boolean }[] }).locks;
    document.dispatchEvent(new Event('visibilitychange'));
    if (lock) lock.released = true;
    // The second event is dispatched while the first one's request is pending.
    document.dispatchEvent(new Event('visibilitychange'));
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect.poll(locks).toEqual(['released', 'held', 'released']);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect.poll(locks).toEqual(['released', 'released', 'released']);
});
