import type { Page } from '@playwright/test';

import { CATALOGUES } from '#domain/language/catalogues.ts';
import { TRANSLATIONS, languageDirection } from '#domain/language/language.ts';
import type { Translation } from '#domain/language/language.ts';
import { fillText } from '#domain/language/plural.ts';
import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import { latinLines } from '#tests/support/latin-words.ts';
import { expectAccessible, expectLayouts } from '#tests/support/overlap.ts';
import { FULL_CARD } from '#tests/support/owner.ts';
import * as ui from '#tests/support/ui.ts';

/** `npm run hardening -- screens` sets it. */
const LANGUAGES: readonly Translation[] = process.env['WHOLE_MATRIX']
  ? TRANSLATIONS
  : ['hi', 'ta', 'ur'];
const LAYOUTS = [
  { width: 320, fontPx: 16 },
  { width: 390, fontPx: 32 },
  { width: 1280, fontPx: 16 },
];

test.use({ environment: { LANGUAGES: TRANSLATIONS.join(), VIEWS: 'analytics' } });

/** Every text that can be seen or heard, without what the owner wrote. */
async function latinLeft(page: Page): Promise<readonly string[]> {
  const text = await page.evaluate(() => {
    const labels = Array.from(
      document.querySelectorAll('[aria-label], [alt], [title]'),
      (element) =>
        ['aria-label', 'alt', 'title'].map((name) => element.getAttribute(name) ?? '').join('\n'),
    );
    return [document.title, document.body.innerText, ...labels].join('\n');
  });
  const { socialMediaHandles: _, bio, ...card } = FULL_CARD;
  const written = [
    ...Object.values(card),
    ...bio.split('\n'),
    'Rao & Partners Archi...',
    'asha.rao@rao-partner...',
    'meera@courtyard.in',
    'Asha',
    'AR',
  ];
  return latinLines(text, written);
}

async function checkPage(page: Page): Promise<void> {
  expect(await latinLeft(page)).toEqual([]);
  await expectAccessible(page);
  await expectLayouts(page, LAYOUTS);
}

for (const language of LANGUAGES) {
  const { card, page: texts, signin, code } = CATALOGUES[language];

  test.describe(() => {
    test.use({ locale: `${language}-IN` });

    test(`card in ${language}: reads, and sends a contact`, async ({ page, owner }) => {
      await page.goto(`/user/${owner._id}`);
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(page.locator('html')).toHaveAttribute('dir', languageDirection(language));
      await expect(page.getByRole('navigation', { name: texts.language })).toBeVisible();
      await expect(ui.link(page, card.save)).toBeVisible();
      await checkPage(page);
      const alerts = ui.collectAlerts(page);
      await ui.button(page.getByRole('article'), card.connect).click();
      const popup = ui.dialog(page, card.connect);
      const send = ui.button(popup, card.connect);
      await send.click();
      await expect.poll(() => alerts).toEqual([texts.incomplete]);
      await popup.getByRole('textbox', { name: texts.name }).fill('Ravi');
      await popup.getByRole('textbox', { name: texts.mobile }).fill('98450 12345');
      expect(await latinLeft(page)).toEqual([]);
      await send.click();
      await expect.poll(() => alerts).toEqual([texts.incomplete, texts.sent]);
      await ui.expectTexts(page, fillText(card.sentTo, { name: 'Asha' }));
      expect(await latinLeft(page)).toEqual([]);
    });
  });

  test(`login page in ${language}: asks for a code and takes it`, async ({ page }) => {
    const { answer } = CATALOGUES[language];
    await page.evaluate(() => localStorage.clear());
    await page.goto(`/login?lang=${language}`);
    const phone = ui.textbox(page, code.phone);
    await phone.fill('12');
    await ui.button(page, code.sendCode).click();
    await ui.expectTexts(page, answer.phoneTenDigits);
    await checkPage(page);
    await phone.fill(`98111${String(TRANSLATIONS.indexOf(language)).padStart(2, '0')}222`);
    await ui.button(page, code.sendCode).click();
    await ui.expectTexts(page, code.enterCode);
    await ui.textbox(page, code.code).fill('000000');
    await ui.expectTexts(page, answer.codeWrong);
    expect(await latinLeft(page)).toEqual([]);
    await expect(ui.heading(page, signin.headline)).toBeVisible();
  });
}

test('language: a link in one keeps it up to the login page', async ({ page, server, owner }) => {
  await page.goto('/dashboard');
  const alerts = ui.collectAlerts(page);
  await page.getByRole('combobox', { name: 'Copy link in' }).selectOption('தமிழ்');
  const address = `${server.origin}/user/${owner._id}`;
  await expect.poll(() => alerts).toEqual([`Copied: ${address}?lang=ta`]);
  await page.evaluate(() => localStorage.clear());
  await page.goto(address);
  await ui.link(page.getByRole('navigation', { name: 'Language' }), 'தமிழ்').click();
  await expect(page).toHaveURL(/\?lang=ta$/);
  const { createCard } = CATALOGUES.ta.page;
  await ui.link(page, fillText(createCard, { product: 'Tessera' })).click();
  await expect(page).toHaveURL(/\/login\?lang=ta$/);
  await ui.link(page, 'English').click();
  await expect(ui.button(page, 'Send code')).toBeVisible();
});
