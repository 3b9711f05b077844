import { setTimeout as delay } from 'node:timers/promises';

import { PALETTES, idPalette } from '#domain/palette.ts';
import type { Palette } from '#domain/palette.ts';
import { ownPalette } from '#domain/own-palette.ts';
import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import * as ui from '#tests/support/ui.ts';

/** A logo of a width that only its viewBox has. */
const SVG = {
  name: 'logo.svg',
  mimeType: 'image/svg+xml',
  buffer: Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="50"><path d="M0 0h200v50z"/></svg>',
  ),
};

const bothTones = ({ deep }: Palette) => [deep.light, deep.dark];

test.beforeEach(async ({ page }) => {
  await page.goto('/dashboard/edit');
  await ui.link(page, 'Appearance').click();
  await expect(page.getByRole('group', { name: 'Look' })).toBeVisible();
});

test('appearance: a look is everywhere at once, and is undone', async ({ page, owner, call }) => {
  const accentProperties = (selector: string) =>
    page
      .locator(selector)
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).getPropertyValue('--accent')));
  const previews = () => accentProperties('.appearance-frame');
  const stored = () => call('/user/:id/appearance');
  const look = (name: string) => page.getByRole('radio', { name });
  await expect(look('From photo')).toBeChecked();
  await expect.poll(previews).toEqual(bothTones(idPalette(owner._id)));
  await look('Quiet').click();
  await ui.expectTexts(page, 'Saved');
  expect(await stored()).toEqual({ palette: 'quiet', hue: null, swatch: null, logo: null });
  await page.getByLabel('Colour', { exact: true }).fill(ownPalette(20).deep.light);
  await expect(look('Own colour')).toBeChecked();
  await expect.poll(stored).toEqual({ palette: 'own', hue: 20, swatch: null, logo: null });
  await expect.poll(previews).toEqual(bothTones(ownPalette(20)));
  await page.goto('/dashboard');
  await expect.poll(() => accentProperties('.owner-card')).toEqual([ownPalette(20).deep.light]);
  await page.goBack();
  await look('Original').click();
  await ui.expectTexts(page, 'Saved');
  // It is undone before it is stored.
  await page.route('**/appearance', (route) => delay(1000).then(() => route.continue()), {
    times: 1,
  });
  await look('Quiet').click();
  const undo = ui.button(page, 'Undo');
  for (const palette of ['id', 'own']) {
    await undo.click();
    await expect.poll(stored).toMatchObject({ palette, hue: 20 });
  }
  await expect(undo).toBeDisabled();
  await expect.poll(previews).toEqual(bothTones(ownPalette(20)));
  await look('Terracotta').click();
  await expect(look('Terracotta')).toBeChecked();
  await expect.poll(stored).toMatchObject({ palette: 'id', swatch: 0 });
  await expect.poll(previews).toEqual(PALETTES.slice(0, 1).flatMap(bothTones));
  await undo.click();
  await expect.poll(stored).toMatchObject({ palette: 'own', hue: 20, swatch: null });
});

test('appearance: an SVG becomes the logo, its removal is undone', async ({ page, owner }) => {
  const add = ui.button(page, 'Add logo');
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), add.click()]);
  await chooser.setFiles(SVG);
  const remove = ui.button(page, 'Remove logo');
  await expect(remove).toBeVisible();
  await remove.click();
  await expect(add).toBeVisible();
  await ui.button(page, 'Undo').click();
  await expect(remove).toBeVisible();
  await page.goto(`/user/${owner._id}`);
  await expect(page.locator('article p img')).toHaveJSProperty('naturalWidth', 336);
});
