import { addLink, collectAlerts, expect, test } from '#tests/support/browser-test.ts';
import { FULL_CARD, sendRequest, uploadPhoto } from '#tests/support/owner.ts';

test('Edit Profile: changes are saved', async ({ ownerPage: page, server, owner }) => {
  const alerts = collectAlerts(page);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Edit Card' }).click();
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Asha Rao');
  await expect(page.getByRole('textbox', { name: 'About' })).toHaveAttribute('rows', '5');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Asha\tMenon');
  await page.getByRole('textbox', { name: 'About' }).fill('Line one\nLine two');
  await page.getByRole('textbox', { name: 'Designation' }).fill('Partner');
  for (const [network, typed] of [
    ['YouTube', '  youtube.com/@asha '],
    ['Whatsapp', ''],
  ] as const) {
    await page.getByRole('button', { name: network, exact: true }).click();
    await addLink(page, typed);
  }

  const update = page.getByRole('button', { name: 'Update Changes' });
  await expect(update).toHaveCount(2);
  await update.first().click();
  await expect.poll(() => alerts).toEqual(['Data updated successfully']);
  await expect(page.getByRole('textbox', { name: 'Designation' })).toHaveValue('Partner');
  const { Whatsapp: _, ...handles } = FULL_CARD.socialMediaHandles;
  expect(await sendRequest(server, `/user/${owner._id}`)).toEqual({
    ...FULL_CARD,
    _id: owner._id,
    profilePhoto: '',
    name: 'Asha Menon',
    designation: 'Partner',
    bio: 'Line one\nLine two',
    socialMediaHandles: { ...handles, YouTube: 'https://youtube.com/@asha' },
  });
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByText('Welcome Asha')).toBeVisible();
});

test('Edit Profile: a failed save shows no alert and keeps the input', async ({
  ownerPage: page,
  expectErrors,
}) => {
  expectErrors(/answered 500/);
  const alerts = collectAlerts(page);
  await page.goto('/dashboard/edit');
  await page.getByRole('textbox', { name: 'Designation' }).fill('Partner');
  await page.route('**/updateUser/*', (route) =>
    route.fulfill({ status: 500, json: { error: 'internal', message: 'No.' } }),
  );
  const failed = page.waitForResponse('**/updateUser/*');
  await page.getByRole('button', { name: 'Update Changes' }).first().click();
  await failed;
  await expect(page.getByRole('textbox', { name: 'Designation' })).toHaveValue('Partner');
  await expect(page.getByRole('button', { name: 'Update Changes' }).first()).toBeEnabled();
  expect(alerts).toEqual([]);

  const note = page.getByText('Unsaved changes').first();
  await expect(note).toBeVisible();
  await page.getByRole('textbox', { name: 'Company' }).fill('Rao');
  await expect(note).toBeVisible();
  await page.unroute('**/updateUser/*');
  await page.getByRole('button', { name: 'Update Changes' }).first().click();
  await expect.poll(() => alerts).toEqual(['Data updated successfully']);
  await expect(note).toBeHidden();
});

test('Edit Profile: an emptied phone and name show what visitors will see', async ({
  ownerPage: page,
}) => {
  const alerts = collectAlerts(page);
  await page.goto('/dashboard/edit');
  const notes = {
    Phone: 'This card is not ready yet. It has no phone number yet.',
    Name: 'Without a name, visitors will see “Unknown”.',
  };
  for (const [field, note] of Object.entries(notes)) {
    const input = page.getByRole('textbox', { name: field, exact: true });
    await input.fill('');
    await input.blur();
    await expect(input).toHaveAccessibleDescription(note);
  }
  await page.getByRole('button', { name: 'Update Changes' }).first().click();
  await expect.poll(() => alerts).toEqual(['Data updated successfully']);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.locator('.card-notes').getByText(notes.Phone)).toBeVisible();
  await expect(page.getByText(notes.Name)).toBeVisible();
  await page.getByRole('link', { name: 'Complete your card' }).click();
  await expect(page.getByRole('textbox', { name: 'Phone' })).toHaveAccessibleDescription(
    notes.Phone,
  );
});

test('Edit Profile: shows a live preview beside the form on a wide screen', async ({
  ownerPage: page,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto('/dashboard/edit');
  const preview = page.locator('.edit-preview');
  await page.getByRole('textbox', { name: 'Designation' }).fill('Partner');
  await expect(preview.getByText('Partner', { exact: true })).toBeVisible();
  await page.getByRole('textbox', { name: 'Phone', exact: true }).fill('+442071838750');
  await expect(preview.getByText('+44 20 7183 8750')).toBeVisible();
  await page.setViewportSize({ width: 800, height: 900 });
  await expect(preview).toBeHidden();
});

test('Remove photo: a failure is shown in the pop-up, and the photo stays', async ({
  ownerPage: page,
  server,
  expectErrors,
  owner,
}) => {
  expectErrors(/removeProfileImage\/:id did not get through/);
  await uploadPhoto(server, owner);
  await page.route('**/removeProfileImage/*', (route) => route.abort());
  await page.goto('/dashboard/edit');
  await page.getByRole('button', { name: 'Edit photo' }).click();
  await page.getByRole('button', { name: 'Remove photo' }).click();
  await expect(page.getByText('The photo was not removed. Try again.')).toBeVisible();
  await expect(page.getByRole('img', { name: 'Asha Rao' })).toBeAttached();
});

const ACCENT = 'rgb(200, 64, 31)';

test('Edit Profile: at most one Update Changes is filled, once something has changed', async ({
  ownerPage: page,
}) => {
  const fills = () =>
    page
      .getByRole('button', { name: 'Update Changes' })
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
  const filled = async () => (await fills()).map((colour) => colour === ACCENT);
  for (const [width, height, expected] of [
    [1280, 900, [true, false]],
    [390, 844, [false, true]],
    [390, 400, [true, false]],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto('/dashboard/edit');
    const about = page.getByRole('textbox', { name: 'About' });
    await about.waitFor();
    expect(await filled()).toEqual([false, false]);
    await about.fill('New');
    await expect.poll(filled).toEqual(expected);
    await about.fill(FULL_CARD.bio);
    await expect.poll(filled).toEqual([false, false]);
  }
});

test('Edit Profile: the note Offline covers nothing, and queued changes are muted', async ({
  ownerPage: page,
  context,
}) => {
  await page.setViewportSize({ width: 320, height: 568 });
  await page.goto('/dashboard/edit');
  await page.getByRole('textbox', { name: 'About' }).fill('New');
  const bar = await page.getByRole('banner').boundingBox();
  await context.setOffline(true);
  const note = page.getByText('Offline', { exact: true });
  await expect(note).toBeVisible();
  expect(await page.getByRole('banner').boundingBox()).toEqual(bar);
  const box = await note.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(bar?.height ?? 0);
  await page.getByRole('button', { name: 'Update Changes' }).last().click();
  const kept = page.getByText('Kept on this device. Sent when you are online.');
  await expect(kept).toBeVisible();
  const muted = await kept.evaluate((one) => getComputedStyle(one).color);
  await expect(page.getByText('Unsaved changes')).toHaveCSS('color', muted);
});
