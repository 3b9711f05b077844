import type { Page } from '@playwright/test';

import { expect, test } from '#tests/support/browser-test.ts';
import {
  FULL_CARD,
  createOwner,
  signInOwner,
  storeSession,
  uploadPhoto,
} from '#tests/support/owner.ts';
import { startServer } from '#tests/support/server.ts';
import { createWalletKeys } from '#tests/support/wallet-keys.ts';

/** Adds a fake of Web NFC that records what is written, and fails with each of `errors` first. */
async function addNfc(page: Page, errors: string[]): Promise<void> {
  await page.addInitScript((names) => {
    const written: unknown[] = [];
    Object.assign(window, {
      written,
      NDEFReader: class {
        async write(message: unknown): Promise<void> {
          const name = names.shift();
          if (name !== undefined) throw new DOMException('no', name);
          written.push(message);
        }
      },
    });
  }, errors);
}

test('NFC: writes the address of the card to a tag, and a failure shows its cause', async ({
  ownerPage: page,
  server,
  owner,
}) => {
  await addNfc(page, ['NotAllowedError', 'NetworkError']);
  await page.goto(`${server.origin}/dashboard`);
  await page.getByRole('button', { name: 'Write to an NFC tag' }).click();
  const dialog = page.getByRole('dialog', { name: 'NFC tag' });
  await expect(dialog.getByText('The browser may not use NFC.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(dialog.getByText('Hold it still, and try again.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(dialog.getByText('The tag is written.')).toBeVisible();
  expect(await page.evaluate(() => (window as unknown as { written: unknown }).written)).toEqual([
    { records: [{ recordType: 'url', data: `${server.origin}/user/${owner._id}` }] },
  ]);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test('e-mail signature: is copied as HTML and as plain text', async ({
  page,
  server,
  phone,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const owner = await signInOwner(
    { page, server, phone },
    {
      ...FULL_CARD,
      name: 'Asha <b>Rao</b>',
      phone: '98765 43210',
      socialMediaHandles: { Web: 'https://rao.example/?a=1&b=2' },
    },
  );
  await uploadPhoto(server, owner);
  await page.goto(`${server.origin}/dashboard`);
  await page.getByRole('link', { name: 'E-mail signature' }).click();
  await expect(page.getByRole('heading', { name: 'E-mail signature' })).toBeVisible();
  const photo = page.getByRole('img', { name: 'Asha <b>Rao</b>' });
  await expect(photo).toHaveJSProperty('naturalWidth', 224);
  await expect(page.getByRole('link', { name: 'Mail me the link' })).toBeHidden();
  await page.setViewportSize({ width: 390, height: 664 });
  await expect(page.getByText('Open this page on your computer')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Mail me the link' })).toHaveAttribute(
    'href',
    /^mailto:asha\.rao@rao-partners\.example\?.*%2Fdashboard%2Fsignature$/,
  );
  await page.getByRole('button', { name: 'Copy signature' }).click();
  await expect(page.getByText('The signature is copied.')).toBeVisible();
  await page.goto(`${server.origin}/healthz`);
  const [html, text] = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const read = async (type: string) => (await item?.getType(type))?.text() ?? '';
    return [await read('text/html'), await read('text/plain')];
  });
  const link = `${server.origin}/user/${owner._id}`;
  expect(text).toBe(
    [
      'Asha <b>Rao</b>',
      'Principal Architect, Rao & Partners Architects',
      '98765 43210',
      'asha.rao@rao-partners.example',
      `My digital business card: ${link}`,
      'Website: https://rao.example/?a=1&b=2',
    ].join('\n'),
  );
  expect(html).toContain('<table role="presentation"');
  expect(html).toContain(`src="${link}/photo.jpg"`);
  expect(html).toContain('Asha &lt;b&gt;Rao&lt;/b&gt;');
  expect(html).toContain(`href="${link}"`);
  expect(html).toContain('href="tel:9876543210"');
  expect(html).not.toMatch(/class=|<style|javascript:/);
  expect(html).toContain('border-left: 3px solid');
  expect(html).not.toMatch(/#c8401f|rgb\(200, 64, 31\)/);
  // No text has a colour of its own, so that it is readable in a dark mail program too.
  expect(html?.match(/(?<!border-left: 3px solid )(?:#|rgb)[^;"]*/g) ?? []).toEqual([]);
});

test('wallets: the dashboard has their links with their settings', async ({ page, phone }) => {
  const keys = createWalletKeys();
  const server = await startServer({ ...keys.apple, ...keys.google });
  try {
    const owner = await createOwner(server, phone, FULL_CARD);
    await storeSession(page, server, owner);
    await page.goto(`${server.origin}/dashboard`);
    const apple = page.getByRole('link', { name: 'Add to Apple Wallet' });
    await expect(apple).toHaveAttribute('href', `/user/${owner._id}/card.pkpass`);
    const google = page.getByRole('link', { name: 'Add to Google Wallet' });
    await expect(google).toHaveAttribute('href', /^https:\/\/pay\.google\.com\/gp\/v\/save\/ey/);
    const pass = await page.request.get(`${server.origin}/user/${owner._id}/card.pkpass`);
    expect(pass.headers()['content-type']).toBe('application/vnd.apple.pkpass');
    expect((await pass.body()).subarray(0, 2).toString()).toBe('PK');
    // The calls of an open page would fail when its server ends.
    await page.goto('about:blank');
  } finally {
    await server.dispose();
    keys.dispose();
  }
});
