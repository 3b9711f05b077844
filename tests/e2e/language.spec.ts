import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';

import { CATALOGUES } from '#domain/language/catalogues.ts';
import { TRANSLATIONS, languageDirection } from '#domain/language/language.ts';
import type { Translation } from '#domain/language/language.ts';
import { fillText } from '#domain/language/plural.ts';
import { expect, test } from '#tests/support/browser-test.ts';
import { latinLines } from '#tests/support/latin-words.ts';
import { contentWidth, findOverlaps } from '#tests/support/overlap.ts';
import { FULL_CARD } from '#tests/support/owner.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
declare const axe: { run: () => Promise<AxeResults> };

/** `npm run hardening -- screens` sets it. */
const LANGUAGES: readonly Translation[] = process.env['WHOLE_MATRIX']
  ? TRANSLATIONS
  : ['hi', 'ta', 'ur'];
const LAYOUTS = [
  { width: 320, fontPx: 16 },
  { width: 390, fontPx: 32 },
  { width: 1280, fontPx: 16 },
];
const LAYOUT_HEIGHT_PX = 4000;

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
  await page.evaluate(AXE);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await page.evaluate(() => axe.run());
    const serious = violations.filter(({ tags }) => tags.some((tag) => tag.startsWith('wcag')));
    expect(serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  }
  for (const { width, fontPx } of LAYOUTS) {
    await page.setViewportSize({ width, height: LAYOUT_HEIGHT_PX });
    const content = await contentWidth(page, fontPx);
    expect(content, `width at ${width} px`).toBeLessThanOrEqual(width);
    expect(await findOverlaps(page), `overlaps at ${width} px`).toEqual([]);
  }
}

for (const language of LANGUAGES) {
  const { card, page: texts, signin, code } = CATALOGUES[language];

  test.describe(() => {
    test.use({ locale: `${language}-IN` });

    test(`card in ${language}: reads, and sends a contact`, async ({ page, server, owner }) => {
      await page.goto(`${server.origin}/user/${owner._id}`);
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(page.locator('html')).toHaveAttribute('dir', languageDirection(language));
      await expect(page.getByRole('navigation', { name: texts.language })).toBeVisible();
      await expect(page.getByRole('link', { name: card.save, exact: true })).toBeVisible();
      await checkPage(page);

      const alerts: string[] = [];
      page.on('dialog', (dialog) => {
        alerts.push(dialog.message());
        void dialog.accept();
      });
      await page.getByRole('article').getByRole('button', { name: card.connect }).click();
      const popup = page.getByRole('dialog', { name: card.connect });
      const send = popup.getByRole('button', { name: card.connect });
      await send.click();
      await expect.poll(() => alerts).toEqual([texts.incomplete]);
      await popup.getByRole('textbox', { name: texts.name }).fill('Ravi');
      await popup.getByRole('textbox', { name: texts.mobile }).fill('98450 12345');
      expect(await latinLeft(page)).toEqual([]);
      await send.click();
      await expect.poll(() => alerts).toEqual([texts.incomplete, texts.sent]);
      await expect(page.getByText(fillText(card.sentTo, { name: 'Asha' }))).toBeVisible();
      expect(await latinLeft(page)).toEqual([]);
    });
  });

  test(`login page in ${language}: asks for a code and takes it`, async ({ page, server }) => {
    await page.goto(`${server.origin}/login?lang=${language}`);
    const phone = page.getByRole('textbox', { name: code.phone });
    await phone.fill('12');
    await page.getByRole('button', { name: code.sendCode }).click();
    await expect(page.getByText(CATALOGUES[language].answer.phoneTenDigits)).toBeVisible();
    await checkPage(page);
    const number = `98111${String(TRANSLATIONS.indexOf(language)).padStart(2, '0')}222`;
    await phone.fill(number);
    await page.getByRole('button', { name: code.sendCode }).click();
    await expect(page.getByText(code.enterCode)).toBeVisible();
    await page.getByRole('textbox', { name: code.code }).fill('000000');
    await expect(page.getByText(CATALOGUES[language].answer.codeWrong)).toBeVisible();
    expect(await latinLeft(page)).toEqual([]);
    await expect(page.getByRole('heading', { name: signin.headline })).toBeVisible();
  });
}

test('language: the row leads to the other languages, and their addresses to the login page', async ({
  page,
  server,
  owner,
}) => {
  await page.goto(`${server.origin}/user/${owner._id}`);
  await page
    .getByRole('navigation', { name: 'Language' })
    .getByRole('link', { name: 'தமிழ்' })
    .click();
  await expect(page).toHaveURL(/\?lang=ta$/);
  const { createCard } = CATALOGUES.ta.page;
  await page.getByRole('link', { name: fillText(createCard, { product: 'Tessera' }) }).click();
  await expect(page).toHaveURL(/\/login\?lang=ta$/);
  await page.getByRole('link', { name: 'English' }).click();
  await expect(page.getByRole('button', { name: 'Send code' })).toBeVisible();
});

test('dashboard: Copy link in copies the link to the card in a language', async ({
  ownerPage: page,
  server,
  owner,
}) => {
  await page.goto(`${server.origin}/dashboard`);
  const alert = page.waitForEvent('dialog');
  const copying = page.getByRole('combobox', { name: 'Copy link in' }).selectOption('தமிழ்');
  const dialog = await alert;
  expect(dialog.message()).toBe(`Copied: ${server.origin}/user/${owner._id}?lang=ta`);
  await dialog.accept();
  await copying;
});
