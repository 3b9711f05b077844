import type { Page } from '@playwright/test';

import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import { FULL_CARD, uploadPhoto } from '#tests/support/owner.ts';
import { createWalletKeys } from '#tests/support/wallet-keys.ts';
import * as ui from '#tests/support/ui.ts';

const socialMediaHandles = { Web: 'https://rao.example/?a=1&b=2' };
const card = { ...FULL_CARD, name: 'Asha <b>Rao</b>', phone: '98765 43210', socialMediaHandles };

test.use({ card });

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

test('NFC: a tag gets the address, or the page says why not', async ({ page, server, owner }) => {
  await addNfc(page, ['NotAllowedError', 'NetworkError']);
  await page.goto('/dashboard');
  await ui.button(page, 'Write to an NFC tag').click();
  const popup = ui.dialog(page, 'NFC tag');
  for (const cause of ['The browser may not use NFC.', 'Hold it still, and try again.']) {
    await ui.expectTexts(popup, cause);
    await ui.button(popup, 'Try again').click();
  }
  await ui.expectTexts(popup, 'The tag is written.');
  expect(await page.evaluate(() => (window as unknown as { written: unknown }).written)).toEqual([
    { records: [{ recordType: 'url', data: `${server.origin}/user/${owner._id}` }] },
  ]);
  await page.keyboard.press('Escape');
  await expect(popup).toBeHidden();
});

test('e-mail signature: is copied as HTML and as text', async ({ page, server, owner }) => {
  await uploadPhoto(server, owner);
  await page.goto('/dashboard');
  await ui.link(page, 'E-mail signature').click();
  await expect(ui.heading(page, 'E-mail signature')).toBeVisible();
  await expect(page.getByRole('img', { name: card.name })).toHaveJSProperty('naturalWidth', 224);
  const mail = ui.link(page, 'Mail me the link');
  await expect(mail).toBeHidden();
  await page.setViewportSize({ width: 390, height: 664 });
  await ui.expectTexts(page, 'Open this page on your computer');
  await expect(mail).toHaveAttribute(
    'href',
    /^mailto:asha\.rao@rao-partners\.example\?.*%2Fdashboard%2Fsignature$/,
  );
  await ui.button(page, 'Copy signature').click();
  await ui.expectTexts(page, 'The signature is copied.');
  await page.goto('/healthz');
  const [html, text] = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const read = async (type: string) => (await item?.getType(type))?.text() ?? '';
    return [await read('text/html'), await read('text/plain')];
  });
  const address = `${server.origin}/user/${owner._id}`;
  expect(text).toBe(
    [
      card.name,
      'Principal Architect, Rao & Partners Architects',
      '98765 43210',
      card.email,
      `My digital business card: ${address}`,
      'Website: https://rao.example/?a=1&b=2',
    ].join('\n'),
  );
  for (const part of [
    '<table role="presentation"',
    `src="${address}/photo.jpg"`,
    'Asha &lt;b&gt;Rao&lt;/b&gt;',
    `href="${address}"`,
    'href="tel:9876543210"',
    'border-left: 3px solid',
  ]) {
    expect(html).toContain(part);
  }
  expect(html).not.toMatch(/class=|<style|javascript:|#c8401f|rgb\(200, 64, 31\)/);
  // No text has a colour of its own, so that it is readable in a dark mail program too.
  expect(html?.match(/(?<!border-left: 3px solid )(?:#|rgb)[^;"]*/g) ?? []).toEqual([]);
});

const walletTest = test.extend({
  server: async ({ serve }, use) => {
    const keys = createWalletKeys();
    await use(await serve({ ...keys.apple, ...keys.google }));
    keys.dispose();
  },
});

walletTest(
  'wallets: the dashboard has their links with their settings',
  async ({ page, owner }) => {
    await page.goto('/dashboard');
    for (const [name, href] of [
      ['Apple', `/user/${owner._id}/card.pkpass`],
      ['Google', /^https:\/\/pay\.google\.com\/gp\/v\/save\/ey/],
    ] as const) {
      await expect(ui.link(page, `Add to ${name} Wallet`)).toHaveAttribute('href', href);
    }
    const pass = await page.request.get(`/user/${owner._id}/card.pkpass`);
    expect(pass.headers()['content-type']).toBe('application/vnd.apple.pkpass');
  },
);
