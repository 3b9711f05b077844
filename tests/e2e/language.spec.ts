import type { Page } from '@playwright/test';

import { CATALOGUES } from '#domain/language/catalogues.ts';
import { TRANSLATION_LANGUAGES, languageDirection } from '#domain/language/language.ts';
import type { TranslationLanguage } from '#domain/language/language.ts';
import { fillText } from '#domain/language/plural.ts';
import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import { latinLines } from '#tests/support/latin-words.ts';
import { expectAccessible, expectLayouts } from '#tests/support/overlap.ts';
import { FULL_CARD } from '#tests/support/owner.ts';
import * as ui from '#tests/support/ui.ts';

/** `npm run hardening -- screens` sets it. */
const LANGUAGES: readonly TranslationLanguage[] = process.env['WHOLE_MATRIX']
  ? TRANSLATION_LANGUAGES
  : ['hi', 'ta', 'ur'];
const LAYOUTS = [320, 390, 1280].map((width) => ({ width, fontPx: width === 390 ? 32 : 16 }));

test.use({ environment: { LANGUAGES: TRANSLATION_LANGUAGES.join(), VIEWS: 'analytics' } });

/** Every text that can be seen or heard, without what the owner wrote. */
async function latinLeft(page: Page): Promise<readonly string[]> {
  const text = await page.evaluate(() => {
    const labels = ['aria-label', 'alt', 'title'].flatMap((name) =>
      Array.from(document.querySelectorAll(`[${name}]`), (one) => one.getAttribute(name)),
    );
    return [document.title, document.body.innerText, ...labels].join('\n');
  });
  const { socialMediaHandles: _, bio, ...card } = FULL_CARD;
  const cut = ['Rao & Partners Archi...', 'asha.rao@rao-partner...', 'Asha', 'AR'];
  const example = 'meera@studio.example';
  return latinLines(text, [...Object.values(card), ...bio.split('\n'), ...cut, example]);
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
      const starts = await page.locator('.contact-value').evaluateAll((all) =>
        all.map((one) => {
          const { left, right } = one.getBoundingClientRect();
          return document.dir === 'rtl' ? right : left;
        }),
      );
      expect(new Set(starts).size).toBe(1);
      await checkPage(page);
      const alerts = ui.collectAlerts(page);
      await ui.button(page.getByRole('article'), card.connect).click();
      const popup = ui.dialog(page, card.connect);
      const send = ui.button(popup, card.connect);
      await send.click();
      await expect.poll(() => alerts).toEqual([texts.incomplete]);
      await ui.fill(popup, { [texts.name]: 'Ravi', [texts.mobile]: '98450 12345' });
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
    await phone.fill(`98111${String(TRANSLATION_LANGUAGES.indexOf(language)).padStart(2, '0')}222`);
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
  await page.getByRole('combobox', { name: 'Link in another language' }).selectOption('தமிழ்');
  const address = `${server.origin}/user/${owner._id}`;
  await expect.poll(() => alerts).toEqual([`Copied: ${address}?lang=ta`]);
  await page.evaluate(() => localStorage.clear());
  await page.goto(address);
  const menu = page.locator('nav summary');
  await menu.click();
  await ui.link(page.getByRole('navigation', { name: 'Language' }), 'தமிழ்').click();
  await expect(page).toHaveURL(/\?lang=ta$/);
  const { createCard } = CATALOGUES.ta.page;
  await ui.link(page, fillText(createCard, { product: 'Tessera' })).click();
  await expect(page).toHaveURL(/\/login\?lang=ta$/);
  await menu.click();
  await ui.link(page, 'English').click();
  await expect(ui.button(page, 'Send code')).toBeVisible();
});

const TAMIL = { name: 'ஆஷா ராவ்', designation: 'கட்டிடக் கலைஞர்' };
const HOSTILE = '<img src=x onerror=alert(1)> "ராவ்"';

test('translations: one is written, shown and removed', async ({ page, call }) => {
  ui.expectErrors(page, /translations answered 412/, /translations answered 503/);
  const stored = () => call('/user/:id/translations');
  const field = (name: string) => ui.textbox(page, name);
  await page.goto('/dashboard/edit');
  await ui.link(page, 'Add another language').click();
  await expect(ui.heading(page, 'Other languages')).toBeVisible();
  const language = page.getByRole('combobox', { name: 'Language of this translation' });
  await language.selectOption('தமிழ்');
  await ui.fill(page, { Name: TAMIL.name, Designation: TAMIL.designation });
  const preview = page.locator('.translations-preview');
  await expect(preview.locator('.card-name')).toHaveText(TAMIL.name);
  await expect(preview.locator('.card-role')).toContainText('Rao & Partners');
  await expect(preview).toContainText('சேமி');
  await expect(field('Company Name')).toHaveAttribute('placeholder', FULL_CARD.companyName);
  // What was typed in each language stays until it is saved.
  await language.selectOption('اردو');
  await expect(field('Name')).toHaveValue('');
  await field('About').fill(HOSTILE);
  await expect(preview.locator('.card-bio')).toHaveText(HOSTILE);
  await language.selectOption('தமிழ்');
  await expect(field('Name')).toHaveValue(TAMIL.name);
  const empty = { name: '', designation: '', companyName: '', bio: '' };
  const hindi = { ...empty, language: 'hi', name: 'आशा राव' };
  page.once('dialog', (question) => void question.dismiss());
  await ui.button(page, 'Back').click();
  await ui.failCalls(page, '**/api/user/*/translations', { status: 503 });
  await ui.button(page, 'Save').click();
  await ui.expectTexts(page, 'Not saved yet');
  await page.unrouteAll();
  // Another device saves meanwhile.
  await call('/user/:id/translations', { translations: [hindi] });
  await ui.button(page, 'Save').click();
  await ui.expectTexts(page, /^Saved$/);
  const urdu = { ...empty, language: 'ur', bio: HOSTILE };
  const all = [hindi, { ...empty, ...TAMIL, language: 'ta' }, urdu];
  expect(await stored()).toEqual({ translations: all });
  await ui.button(page, 'Remove').click();
  await ui.expectTexts(page, /^Removed$/);
  expect(await stored()).toEqual({ translations: [all[0], all[2]] });
  await expect(field('Name')).toHaveValue('');
  await ui.button(page, 'Undo').click();
  await ui.expectTexts(page, /^Saved$/);
  expect(await stored()).toEqual({ translations: all });
  await ui.button(page, 'Back').click();
  await expect(page).toHaveURL(/\/dashboard\/edit$/);
});
