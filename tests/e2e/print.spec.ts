import type { Locator, Page } from '@playwright/test';
import { extractText } from 'unpdf';

import { expect, test } from '#tests/support/browser-test.ts';
import { FULL_CARD, FULL_EXTRAS } from '#tests/support/owner.ts';
import * as ui from '#tests/support/ui.ts';

const PAPERS = ['A4', 'Letter'] as const;
/** The card with everything on it ends just below the first page at some of these lengths, whatever the font. */
const BIO_LENGTHS = [0, 200, 250, 300, 350, 400, 450, 500, 550, 2000];
const LINKS = [
  ...Object.values(FULL_CARD.socialMediaHandles).filter((value) => value.startsWith('https:')),
  ...FULL_EXTRAS.links.map(({ url }) => url.replace('https://', '')),
];

/** Returns a bio of different words, so that a missing one is noticed. */
const bioOfLength = (length: number) =>
  Array.from({ length: length / 5 }, (_, at) => String(1000 + at)).join(' ');

const textAfter = (one: Locator) =>
  one.evaluate((node) => getComputedStyle(node, '::after').content);

/** Returns the text of each printed page, without spaces and line breaks. */
async function printPages(page: Page, format: (typeof PAPERS)[number]): Promise<string[]> {
  const pdf = await page.pdf({ preferCSSPageSize: true, format });
  const { text } = await extractText(new Uint8Array(pdf), { mergePages: false });
  return text.map((one) => one.replaceAll(/\s/g, ''));
}

test('card: is printed on one page with all addresses and its QR code', async ({ page, owner }) => {
  await page.goto(`/user/${owner._id}`);
  await expect(page.getByText('Read more')).toHaveCount(0);
  await expect(ui.link(page, 'Save')).toBeVisible();
  const qr = page.locator('main > img');
  const ofQr = (name: 'currentSrc' | 'naturalWidth') => () =>
    qr.evaluate((image: HTMLImageElement, key) => image[key], name);
  expect(await ofQr('currentSrc')()).toBe('');
  await page.emulateMedia({ media: 'print' });
  await expect(ui.link(page, 'Save')).toBeHidden();
  await expect.poll(ofQr('naturalWidth')).toBeGreaterThan(20);
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  // The printed name ends with its address.
  const linkedIn = page.getByRole('link', { name: 'LinkedIn' });
  await expect(linkedIn).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  expect(await textAfter(page.locator('[data-print]'))).toBe(`"${FULL_CARD.email}"`);
  expect(await textAfter(linkedIn)).toBe(`"${FULL_CARD.socialMediaHandles.LinkedIn}"`);
  expect(await textAfter(page.getByRole('main'))).toBe(`"${page.url()}"`);
  for (const paper of PAPERS) expect(await printPages(page, paper)).toHaveLength(1);
});

test('card: Print stands beside it on a screen from 760 px', async ({ page, owner }) => {
  await page.goto(`/user/${owner._id}`);
  await page.evaluate(() => {
    window.print = () => void (document.title = 'printed');
  });
  await ui.button(page, 'Print').click();
  await expect(page).toHaveTitle('printed');
  await page.setViewportSize({ width: 759, height: 900 });
  await expect(ui.button(page, 'Print')).toBeHidden();
});

test.describe('with all extras', () => {
  test.use({ environment: { CARD_EXTRAS: 'all' } });

  test('print: has all text of the card at any length, and no empty page', async ({
    page,
    owner,
    call,
  }) => {
    await call('/user/:id/extras', FULL_EXTRAS);
    const { name, email } = FULL_CARD;
    const { gstin, email: secondEmail } = FULL_EXTRAS;
    const failures = [];
    for (const length of BIO_LENGTHS) {
      const bio = bioOfLength(length);
      await call('/user/updateUser/:id', { ...FULL_CARD, bio });
      await page.goto(`/user/${owner._id}`);
      const url = page.url();
      const parts = [name, email, secondEmail, gstin, url, ...LINKS, ...bio.split(' ')];
      for (const paper of PAPERS) {
        const pages = await printPages(page, paper);
        const lengths = pages.map((text) => text.length);
        const missing = parts.filter((part) => !pages.join('').includes(part.replace(' ', '')));
        // A page with nothing but the URL below the card is as good as empty.
        if (missing.length > 0 || Math.min(...lengths) <= url.length || pages.length > 2)
          failures.push({ length, paper, lengths, missing });
      }
    }
    expect(failures).toEqual([]);
  });
});
