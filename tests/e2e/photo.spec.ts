import type { Locator, Page, Route } from '@playwright/test';
import sharp from 'sharp';

import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import { cameraJpeg, jpegFile, topAndBottom, twoHalves } from '#tests/support/picture.ts';
import * as ui from '#tests/support/ui.ts';

const UPLOAD_CALL = '**/uploadProfileImage';

/** The next form that a page sends; the test runner cannot read the files in it. */
const sentForm = (page: Page) =>
  page.evaluate(async () => {
    const form = await new Promise<FormData>((resolve) => {
      window.XMLHttpRequest = class extends XMLHttpRequest {
        override send(sent: FormData) {
          resolve(sent);
          super.send(sent);
        }
      };
    });
    const image = form.get('image') as File;
    const bytes = [...new Uint8Array(await image.arrayBuffer())];
    return { _id: form.get('_id'), type: image.type, bytes };
  });

const editor = (page: Page) => ui.dialog(page, 'Edit photo');
const chooseFile = (page: Page, file: Parameters<Locator['setInputFiles']>[0]) =>
  editor(page).locator('input[type=file]').setInputFiles(file);
const save = (page: Page) => ui.button(editor(page), 'Save').click();
const shownPhoto = (page: Page) => page.locator('img[src^="/photos/"]').first();
const file = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer });

test.beforeEach(async ({ page }) => {
  await page.goto('/dashboard/edit');
  await ui.button(page, 'Edit photo').click();
});

test('photo: is cropped, saved and shown everywhere', async ({ page, server, owner, call }) => {
  const alerts = ui.collectAlerts(page);
  await ui.expectTexts(editor(page), 'upload any jpg, png file under 10 Mb');
  const camera = await cameraJpeg({ width: 3000, height: 4000 });
  await chooseFile(page, file('camera.jpg', 'image/jpeg', camera));
  await save(page);
  await expect(shownPhoto(page)).toBeVisible();
  await expect(editor(page)).toBeHidden();
  // The next save has the version of the new photo, so one request is enough.
  const saves: number[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/updateUser/')) saves.push(response.status());
  });
  await ui.textbox(page, 'Designation').fill('Partner');
  await ui.updateChanges(page);
  await expect.poll(() => alerts).toEqual(['Data updated successfully']);
  expect(saves).toEqual([200]);
  const { profilePhoto } = await call<{ profilePhoto: string }>('/user/:id');
  const response = await page.request.get(new URL(profilePhoto, server.origin).href);
  const bytes = await response.body();
  const { width, height } = await sharp(bytes).metadata();
  expect(width).toBe(height);
  expect(await topAndBottom(bytes)).toEqual(['red', 'blue']);
  await page.goto(`/user/${owner._id}`);
  await expect(shownPhoto(page)).not.toHaveJSProperty('naturalWidth', 0);
  // The preload in the head, and no second file.
  const requests = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/photos/'))
      .map((entry) => (entry as PerformanceResourceTiming).initiatorType),
  );
  expect(requests).toEqual(['link']);
});

/** In the middle of `box`, with the fingers `gap` pixels apart. */
async function touch(box: Locator, type: string, gap: number | null) {
  await box.evaluate(
    (target, { name, px }) => {
      const { left, top, width, height } = target.getBoundingClientRect();
      const points = px === null ? [] : [-px / 2, px / 2];
      const touches = points.map((x, identifier) => {
        const clientX = left + width / 2 + x;
        return new Touch({ identifier, target, clientX, clientY: top + height / 2 });
      });
      target.dispatchEvent(new TouchEvent(name, { touches, bubbles: true }));
    },
    { name: type, px: gap },
  );
}

test('photo crop: a square JPEG of 100 to 1,296 pixels is sent', async ({ page, owner }) => {
  const crop = editor(page).locator('.ReactCrop__crop-selection');
  const width = async () => (await crop.boundingBox())?.width ?? 0;
  const handle = editor(page).getByRole('button', { name: /bottom right/ });
  const makeSmallest = async () => {
    await handle.focus();
    for (let press = 0; press < 30; press += 1) await handle.press('Shift+ArrowLeft');
  };
  const pinch = async () => {
    const first = await width();
    await touch(crop, 'touchstart', 100);
    await touch(crop, 'touchmove', 50);
    await touch(crop, 'touchend', null);
    await expect.poll(width).toBeCloseTo(first / 2, 0);
    expect(await handle.boundingBox()).toMatchObject({ width: 44, height: 44 });
    await editor(page).getByRole('slider', { name: 'Zoom' }).press('End');
  };
  for (const [size, action, side] of [
    [{ width: 400, height: 120 }, makeSmallest, 100],
    [{ width: 600, height: 600 }, pinch, 100],
    [{ width: 3_000, height: 4_000 }, async () => undefined, 1_296],
  ] as const) {
    await ui.choosePhoto(page, size);
    await editor(page).getByRole('img', { name: 'The file you chose' }).waitFor();
    await action();
    const sent = sentForm(page);
    await save(page);
    const { bytes, ...form } = await sent;
    const { format, width: sentWidth, height } = await sharp(Buffer.from(bytes)).metadata();
    expect(form).toEqual({ _id: owner._id, type: 'image/jpeg' });
    expect([format, sentWidth, height]).toEqual(['jpeg', side, side]);
    await expect(editor(page)).toBeHidden();
    await ui.button(page, 'Edit photo').click();
  }
});

test('photo upload: can be cancelled, and repeated after a failure', async ({ page }) => {
  ui.expectErrors(page, /did not get through/, /answered 503/);
  const alerts = ui.collectAlerts(page);
  await page.route(UPLOAD_CALL, () => undefined);
  await ui.choosePhoto(page);
  await save(page);
  await expect(editor(page).getByRole('progressbar', { name: 'Upload' })).toBeVisible();
  await ui.button(editor(page), 'Cancel').click();
  await expect(editor(page)).toBeHidden();
  await expect(shownPhoto(page)).toBeHidden();
  await ui.failCalls(page, UPLOAD_CALL);
  await ui.button(page, 'Edit photo').click();
  await ui.choosePhoto(page);
  await save(page);
  await ui.expectTexts(editor(page), "Your photo didn't get through.");
  await page.unrouteAll();
  // What the service rejects is shown meanwhile.
  await ui.failCalls(page, UPLOAD_CALL, { status: 503 });
  await save(page);
  await expect(editor(page)).toBeHidden();
  await expect(page.locator('img[src^="blob:"]').first()).toBeVisible();
  await page.unrouteAll();
  const held: Route[] = [];
  await page.route(UPLOAD_CALL, (route) => void held.push(route));
  await ui.button(page, 'Try again').click();
  await expect(page.getByRole('status').filter({ hasText: 'Sending the photo' })).toBeVisible();
  await expect.poll(() => held.length).toBe(1);
  await held[0]?.continue();
  await expect(shownPhoto(page)).toBeVisible();
  await expect(page.getByText('may not have been saved')).toBeHidden();
  await ui.button(page, 'Back').click();
  await expect(shownPhoto(page)).toBeVisible();
  expect(alerts).toEqual([]);
});

test('photo file: what is wrong is said, and another can be chosen', async ({ page }) => {
  const alerts = ui.collectAlerts(page);
  const { buffer } = await jpegFile({ width: 600, height: 600 });
  const cut = Buffer.concat([buffer.subarray(0, 200)], 10_000_000);
  const [heic, heicNote] = [Buffer.from('ftypheic'), "This browser can't open HEIC photos."];
  for (const [name, type, content, note] of [
    ['large.jpg', 'image/jpeg', Buffer.alloc(10_000_001), '*file size exceeded'],
    ['cut.jpg', 'image/jpeg', cut, "We can't read this file. Choose a JPG or PNG."],
    ['IMG_1.HEIC', 'image/jpeg', heic, heicNote],
    ['photo', 'image/heif', heic, heicNote],
    ['IMG_2.jpg', 'image/jpeg', Buffer.from('\0\0\0\x18ftypmif1\0\0\0\0mif1heic'), heicNote],
  ] as const) {
    await chooseFile(page, file(name, type, content));
    await ui.expectTexts(editor(page), note);
    await expect(ui.button(editor(page), 'Save')).toBeDisabled();
  }
  expect(alerts).toEqual([]);
  for (const width of [99, 150]) {
    const small = await twoHalves({ width, height: 249 - width })
      .png()
      .toBuffer();
    await chooseFile(page, file('small.png', 'image/png', small));
    const message = 'Image should be atleast 100 x 100 pixels large';
    await expect.poll(() => alerts.splice(0)).toEqual([message]);
    await ui.expectTexts(editor(page), 'Choose a file');
  }
  await ui.choosePhoto(page, { width: 3_000, height: 4_000 });
  await expect(ui.button(editor(page), 'Save')).toBeEnabled();
  // Each of four blocks: together more than 40 MB.
  await page.evaluate(() => {
    const blob = new Blob([new Uint8Array(10_500_000)]);
    HTMLCanvasElement.prototype.toBlob = (callback) => callback(blob);
  });
  await save(page);
  await expect.poll(() => alerts).toEqual(['File size too large!']);
  await expect(editor(page)).toBeVisible();
});

const sentPicture = async (page: Page) => {
  const sent = sentForm(page);
  await save(page);
  const { bytes } = await sent;
  await expect(editor(page)).toBeHidden();
  await ui.button(page, 'Edit photo').click();
  return Buffer.from(bytes);
};

/** For each EXIF orientation, the stored picture that it turns upright: turned by degrees, then flipped. */
const STORED = {
  1: [0, false],
  2: [180, true],
  3: [180, false],
  4: [0, true],
  5: [270, true],
  6: [270, false],
  7: [90, true],
  8: [90, false],
} as const;

async function store(picture: Buffer, [degrees, isFlipped]: readonly [number, boolean]) {
  const turned = await sharp(picture).rotate(degrees).png().toBuffer();
  return sharp(turned).flip(isFlipped).png().toBuffer();
}

/** The colours of the four quarters, row by row. */
async function corners(bytes: Buffer): Promise<string[]> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return [
    [0.25, 0.25],
    [0.75, 0.25],
    [0.25, 0.75],
    [0.75, 0.75],
  ].map(([x = 0, y = 0]) => {
    const at = (Math.floor(y * height) * width + Math.floor(x * width)) * channels;
    const colour = [...data.subarray(at, at + 3)];
    return ['red', 'green', 'blue'][colour.indexOf(Math.max(...colour))] ?? '';
  });
}

test('photo: a WebP is upright with each orientation, and the button turns any picture', async ({
  page,
}) => {
  const size = { width: 400, height: 400, channels: 3, background: '#ff0000' } as const;
  const part = (background: string, [left, top]: [number, number]) => ({
    input: { create: { ...size, width: 200, height: 200, background } },
    left,
    top,
  });
  const parts = [part('#00ff00', [200, 0]), part('#0000ff', [0, 200])];
  const png = await sharp({ create: size }).composite(parts).png().toBuffer();
  const upright = ['red', 'green', 'blue', 'red'];
  for (const [orientation, change] of Object.entries(STORED)) {
    const stored = await store(png, change);
    const metadata = { orientation: Number(orientation) };
    const webp = await sharp(stored).withMetadata(metadata).webp().toBuffer();
    await chooseFile(page, file('me.webp', 'image/webp', webp));
    expect([orientation, await corners(await sentPicture(page))]).toEqual([orientation, upright]);
  }
  await chooseFile(page, file('me.png', 'image/png', png));
  const turn = ui.button(editor(page), 'Turn');
  const shown = editor(page).getByRole('img', { name: 'The file you chose' });
  const first = await shown.getAttribute('src');
  await turn.click();
  await expect(shown).not.toHaveAttribute('src', first ?? '');
  await expect(ui.button(editor(page), 'Save')).toBeEnabled();
  expect(await corners(await sentPicture(page))).toEqual(['blue', 'red', 'red', 'green']);
});

test('photo: is sent as it is if the browser returns noise from a canvas', async ({ page }) => {
  await page.evaluate(() => {
    HTMLCanvasElement.prototype.toBlob = async (callback, type = 'image/png') => {
      const canvas = new OffscreenCanvas(16, 16);
      const context = canvas.getContext('2d');
      if (context) context.fillStyle = 'hsl(97 80% 50%)';
      context?.fillRect(0, 0, 8, 16);
      callback(await canvas.convertToBlob({ type }));
    };
  });
  const chosen = await jpegFile({ width: 600, height: 400 });
  await chooseFile(page, chosen);
  await ui.expectTexts(editor(page), "we'll send the whole photo");
  await expect(ui.button(editor(page), 'Turn')).toBeHidden();
  expect(await sentPicture(page)).toEqual(chosen.buffer);
});

test('photo: a 413 of a proxy, which is no JSON, says that the photo is too large', async ({
  page,
}) => {
  ui.expectErrors(page, /answered 413/);
  await page.route(UPLOAD_CALL, (route) =>
    route.fulfill({ status: 413, contentType: 'text/html', body: '<h1>413</h1>' }),
  );
  await ui.choosePhoto(page);
  await save(page);
  await ui.expectTexts(page.locator('main'), 'This photo is too large for the server.');
});
