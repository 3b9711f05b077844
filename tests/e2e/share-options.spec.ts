import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import { FULL_CARD, uploadPhoto } from '#tests/support/owner.ts';
import { createWalletKeys } from '#tests/support/wallet-keys.ts';
import * as ui from '#tests/support/ui.ts';

const socialMediaHandles = { Web: 'https://rao.example/?a=1&b=2' };
const card = { ...FULL_CARD, name: 'Asha <b>Rao</b>', phone: '98765 43210', socialMediaHandles };

const keys = createWalletKeys();
keys.dispose();

test.use({ card, environment: { ...keys.apple, ...keys.google } });

test('dashboard: writes an NFC tag, and has the wallets', async ({ page, server, owner }) => {
  // A fake of Web NFC that fails twice.
  await page.addInitScript(() => {
    const names = ['NotAllowedError', 'NetworkError'];
    const signals: AbortSignal[] = [];
    class NDEFReader {
      async write(written: unknown, { signal }: { readonly signal: AbortSignal }): Promise<void> {
        signals.push(signal);
        const name = names.shift();
        if (name !== undefined) throw new DOMException('no', name);
        Object.assign(window, { written });
      }
    }
    Object.assign(window, { NDEFReader, signals });
  });
  await page.goto('/dashboard');
  const pass = `/user/${owner._id}/card.pkpass`;
  const save = /^https:\/\/pay\.google\.com\/gp\/v\/save\/ey/;
  await expect(ui.link(page, 'Add to Apple Wallet')).toHaveAttribute('href', pass);
  await expect(ui.link(page, 'Add to Google Wallet')).toHaveAttribute('href', save);
  await ui.button(page, 'Write to an NFC tag').click();
  const popup = ui.dialog(page, 'NFC tag');
  for (const cause of ["Your browser can't use NFC here.", 'Hold it still, and try again.']) {
    await ui.expectTexts(popup, cause);
    await ui.button(popup, 'Try again').click();
  }
  await ui.expectTexts(popup, 'Done. A phone that touches the tag');
  expect(await page.evaluate('window.written')).toEqual({
    records: [{ recordType: 'url', data: `${server.origin}/user/${owner._id}` }],
  });
  await page.keyboard.press('Escape');
  await expect(popup).toBeHidden();
  // Only the newest write of two presses goes on, until the dialog is closed.
  await ui.button(page, 'Write to an NFC tag').evaluate((button: HTMLElement) => {
    button.click();
    button.click();
  });
  const goOn = () => page.evaluate('window.signals.slice(-2).map(({ aborted }) => !aborted)');
  await expect.poll(goOn).toEqual([false, true]);
  await ui.button(popup, 'Close').click();
  expect(await goOn()).toEqual([false, false]);
});

test('e-mail signature: is copied as HTML and as text', async ({ page, server, owner }) => {
  await uploadPhoto(server, owner);
  await page.goto('/dashboard');
  await ui.link(page, 'E-mail signature').click();
  await expect(ui.heading(page, 'E-mail signature')).toBeVisible();
  await expect(page.getByRole('img', { name: card.name })).toHaveJSProperty('naturalWidth', 224);
  const mail = ui.link(page, 'Email me the link');
  await expect(mail).toBeHidden();
  await page.setViewportSize({ width: 390, height: 664 });
  await ui.expectTexts(page, 'Open this page on your computer');
  const mailLink = /^mailto:asha\.rao@rao-partners\.example\?.*%2Fdashboard%2Fsignature$/;
  await expect(mail).toHaveAttribute('href', mailLink);
  await ui.button(page, 'Copy signature').click();
  await ui.expectTexts(page, 'Signature copied.');
  await page.goto('/healthz');
  const address = `${server.origin}/user/${owner._id}`;
  const text = await ui.readClipboard(page);
  expect(text).toContain(`\n98765 43210\n${card.email}\nMy digital business card: ${address}\n`);
  const html = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    return (await item?.getType('text/html'))?.text() ?? '';
  });
  for (const part of [
    '<table role="presentation"',
    `src="${address}/photo.jpg"`,
    'Asha &lt;b&gt;Rao&lt;/b&gt;',
    `href="${address}"`,
    'href="tel:+919876543210"',
    'border-left: 3px solid',
  ]) {
    expect(html).toContain(part);
  }
  expect(html).not.toMatch(/class=|<style|javascript:|#c8401f|rgb\(200, 64, 31\)/);
  // No text has a colour of its own, so that it is readable in a dark mail program too.
  expect(html.match(/(?<!border-left: 3px solid )(?:#|rgb)[^;"]*/g) ?? []).toEqual([]);
});
