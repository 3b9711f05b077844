import sharp from 'sharp';

import { collectAlerts, expect, test } from '#tests/support/browser-test.ts';
import { sendRequest } from '#tests/support/owner.ts';

async function picture(width: number, height: number) {
  const half = (background: string) =>
    sharp({ create: { width, height: height / 2, channels: 3, background } })
      .png()
      .toBuffer();
  return sharp({ create: { width, height, channels: 3, background: 'red' } }).composite([
    { input: await half('lime'), top: height / 2, left: 0 },
  ]);
}

test.beforeEach(async ({ ownerPage: page }) => {
  await page.goto('/dashboard/edit');
  await page.getByRole('button', { name: 'Edit photo' }).click();
});

test('photo: is chosen, cropped and saved, and shows at once everywhere', async ({
  page,
  server,
}) => {
  const alerts = collectAlerts(page);
  const popup = page.getByRole('dialog', { name: 'Edit photo' });
  await expect(popup.getByText('upload any jpg, png file under 10 Mb')).toBeVisible();
  const camera = await (
    await picture(4000, 3000)
  )
    .jpeg()
    .withMetadata({ orientation: 6 })
    .toBuffer();
  await popup
    .locator('input[type=file]')
    .setInputFiles({ name: 'camera.jpg', mimeType: 'image/jpeg', buffer: camera });
  const uploaded = page.waitForResponse('**/uploadProfileImage');
  await popup.getByRole('button', { name: 'Save' }).click();
  expect((await uploaded).status()).toBe(200);
  await expect(popup).toBeHidden();

  // The next save has the version of the new photo, so one request is enough.
  const saves: number[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/updateUser/')) saves.push(response.status());
  });
  await page.getByRole('textbox', { name: 'Designation' }).fill('Partner');
  await page.getByRole('button', { name: 'Update Changes' }).first().click();
  await expect.poll(() => alerts).toEqual(['Data updated successfully']);
  expect(saves).toEqual([200]);

  const _id = await page.evaluate(() => localStorage.getItem('_id') ?? '');
  const { profilePhoto } = await sendRequest<{ profilePhoto: string }>(server, `/user/${_id}`);
  expect(profilePhoto).not.toBe('');
  const file =
    profilePhoto
      .split('/')
      .at(-1)
      ?.replace(/\.\w+$/, '') ?? '?';
  await expect(page.locator(`img[src*="${file.slice(0, 16)}"]`).first()).toBeVisible();

  const response = await page.request.get(new URL(profilePhoto, server.origin).href);
  const { data, info } = await sharp(await response.body())
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(info.width).toBe(info.height);
  // Orientation 6 rotates the top of the file to the right: red is right, green is left.
  const middle = Math.floor(info.height / 2) * info.width;
  const left = [...data.subarray((middle + 10) * info.channels, (middle + 10) * info.channels + 2)];
  const right = [
    ...data.subarray(
      (middle + info.width - 10) * info.channels,
      (middle + info.width - 10) * info.channels + 2,
    ),
  ];
  expect(left[1]).toBeGreaterThan(200);
  expect(right[0]).toBeGreaterThan(200);

  const card = await page.context().newPage();
  await card.goto(`${server.origin}/user/${_id}`);
  const photo = card.locator(`img[src*="${file.slice(0, 16)}"]`).first();
  await expect(photo).toBeVisible();
  const width = () => photo.evaluate((image: HTMLImageElement) => image.naturalWidth);
  await expect.poll(width).toBeGreaterThan(0);
  // The preload in the head, and no second file.
  const requests = await card.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/photos/'))
      .map((entry) => (entry as PerformanceResourceTiming).initiatorType),
  );
  expect(requests).toEqual(['link']);
});

test('photo file: over 10,000,000 bytes shows the inline note', async ({ page }) => {
  const popup = page.getByRole('dialog', { name: 'Edit photo' });
  await popup.locator('input[type=file]').setInputFiles({
    name: 'large.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.alloc(10_000_001),
  });
  await expect(popup.getByText('*file size exceeded')).toBeVisible();
});

test('photo file: a side under 100 pixels shows the alert, and the file is cleared', async ({
  page,
}) => {
  const alerts = collectAlerts(page);
  const popup = page.getByRole('dialog', { name: 'Edit photo' });
  for (const [width, height] of [
    [80, 80],
    [150, 98],
    [99, 150],
  ] as const) {
    await popup.locator('input[type=file]').setInputFiles({
      name: 'small.png',
      mimeType: 'image/png',
      buffer: await (await picture(width, height)).png().toBuffer(),
    });
    const message = 'Image should be atleast 100 x 100 pixels large';
    await expect.poll(() => alerts.splice(0)).toEqual([message]);
    await expect(popup.getByText('Choose a file')).toBeVisible();
  }
});
