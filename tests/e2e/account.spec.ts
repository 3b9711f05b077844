import type { Locator, Page } from '@playwright/test';
import { Webhook } from 'standardwebhooks';

import { expect, test } from '#tests/support/browser-test.ts';
import { createOwner, sendRequest, storeSession } from '#tests/support/owner.ts';
import { expectQrCode } from '#tests/support/qr-code.ts';
import * as ui from '#tests/support/ui.ts';

const PHONE = '9876512345';
const NEW_PHONE = '9876512346';
const NEWEST = '9876512347';
const THIRD = '9876512348';
const ADDRESS_PHONE = '9876512349';
const ACCOUNT_CALL = '**/api/account/getAccount/*';

const codeOf = (group: Locator) => ui.textbox(group, 'Code');

async function send(group: Locator, text = 'Sent to'): Promise<void> {
  await ui.button(group, 'Send code').click();
  await ui.expectTexts(group, text);
}

/** Answers the calls for codes with tokens that the service does not know. */
const fakeCodes = (page: Page, phone: string) => {
  const json = { challenge: 'c', token: 't', phone, resendAfterSeconds: 30, lifeSeconds: 300 };
  return page.route('**/api/otp/**', (route) => route.fulfill({ json }));
};

test('account: is downloaded, gets another phone, and is deleted', async ({ page, server }) => {
  ui.expectErrors(page, /answered 400/, /answered 403/, /answered 409/);
  ui.expectErrors(page, /did not get through/);
  const owner = await createOwner(server, PHONE, { name: 'Asha' });
  await storeSession(page, server, owner);
  await page.goto('/dashboard/edit');
  await ui.link(page, 'Account and data').click();
  await ui.expectTexts(page, 'this device');
  await test.step('downloads everything', async () => {
    const file = await ui.download(page, ui.link(page, 'Download everything'));
    expect(file.suggestedFilename()).toBe('account-data.zip');
    await ui.expectTexts(page, 'Your file is saved.');
    await ui.failCalls(page, '**/api/account/downloadAccount/*');
    await ui.link(page, 'Download everything').click();
    await ui.expectTexts(page, "We can't reach the service.");
  });
  const popup = ui.dialog(page, 'Change login phone');
  const present = popup.getByRole('group', { name: 'Present number' });
  const next = popup.getByRole('group', { name: 'New number' });
  const newPhone = ui.textbox(next, 'New phone number');
  const change = ui.button(popup, 'Change');
  let attempts = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/otp/verify')) attempts += 1;
  });
  await test.step('each number needs its code, and the code of the present one is verified once', async () => {
    await ui.button(page, 'Change login phone').click();
    await ui.expectTexts(present, 'Your login phone ends with 2345.');
    await expect(ui.button(present, 'Send code')).toBeFocused();
    await expect(popup.getByRole('link', { name: '@' })).toHaveAttribute('href', /^mailto:/);
    await send(next, 'Enter your phone number.');
    await newPhone.fill('nonsense');
    await send(next, 'Enter the ten digits of your mobile number.');
    for (const group of [present, next]) await expect(codeOf(group)).toBeHidden();
    await expect(change).toBeDisabled();
    await send(present, 'Sent to •••• 2345.');
    await expect(codeOf(present)).toBeFocused();
    const code = await server.codeFor(`+91${PHONE}`);
    await codeOf(present).fill(code === '000000' ? '000001' : '000000');
    await ui.expectTexts(present, "That code doesn't match.");
    await expect(change).toBeDisabled();
    expect(attempts).toBe(1);
    await codeOf(present).fill(code);
    await ui.expectTexts(present, 'This number is verified.');
    await expect(codeOf(present)).toHaveAttribute('readonly');
    await codeOf(present).press('Enter');
    await expect(change).toBeDisabled();
    expect(attempts).toBe(2);
  });
  await test.step('a number with an account is rejected with a sentence, and another one can be tried', async () => {
    const message = 'This number already has an account.';
    const taken = { status: 409, error: 'phone_taken', message };
    await ui.failCalls(page, '**/api/account/changePhone/*', taken);
    await fakeCodes(page, NEW_PHONE);
    await newPhone.fill(NEW_PHONE);
    await send(next);
    await codeOf(next).fill('123456');
    await change.click();
    await ui.expectTexts(popup, message);
    await page.unrouteAll();
    // The token belongs to the phone that its code was sent to.
    await ui.button(next, 'Change number').click();
    await expect(change).toBeDisabled();
    await newPhone.fill(NEWEST);
  });
  await test.step('changes the login phone with both tokens', async () => {
    await send(next);
    await codeOf(next).fill(await server.codeFor(`+91${NEWEST}`));
    const sent = page.waitForRequest('**/api/account/changePhone/*');
    await expect(change).toBeFocused();
    await page.keyboard.press('Enter');
    const token = expect.stringMatching(/^[\w-]{43}$/);
    expect((await sent).postDataJSON()).toEqual({ token, newToken: token });
    await ui.expectTexts(page, "You've changed your login phone", '2347');
    await expect(popup).toBeHidden();
    expect(await sendRequest(server, `/user/${owner._id}`)).toMatchObject({ name: 'Asha' });
  });
  await test.step('tokens that have expired end no session: both numbers are verified again', async () => {
    await ui.button(page, 'Change login phone').click();
    await fakeCodes(page, THIRD);
    await send(present);
    await codeOf(present).fill('123456');
    await newPhone.fill(THIRD);
    await send(next);
    await codeOf(next).fill('123456');
    await change.click();
    await ui.expectTexts(popup, "Your phone isn't verified, or no longer is.");
    await page.unrouteAll();
    await ui.expectTexts(present, 'Your login phone ends with 2347.');
    await expect(newPhone).toHaveValue('');
    await expect(change).toBeDisabled();
    await page.keyboard.press('Escape');
    await expect(popup).toBeHidden();
    await ui.expectTexts(page, 'this device');
  });
  await test.step('logs out everywhere else', async () => {
    await page.route(ACCOUNT_CALL, async (route) => {
      const response = await route.fetch();
      const json = (await response.json()) as { sessions: object[] };
      const second = { device: 'Safari on iOS', signedInAt: 'x', usedAt: 'x', isCurrent: false };
      await route.fulfill({ json: { ...json, sessions: [...json.sessions, second] } });
    });
    await page.reload();
    await ui.expectTexts(page, 'Safari on iOS');
    await page.unrouteAll();
    await ui.button(page, 'Log out everywhere else').click();
    await ui.expectTexts(page, "You're logged out everywhere else.");
    await expect(page.getByText('Safari on iOS')).toBeHidden();
    // If the list cannot be loaded again, the old one stays.
    await ui.failCalls(page, ACCOUNT_CALL);
    const failed = page.waitForEvent('requestfailed', (one) => /getAccount/.test(one.url()));
    await ui.button(page, 'Log out everywhere else').click();
    await failed;
    await ui.expectTexts(page, "You're logged out everywhere else.", 'this device');
    await page.unrouteAll();
  });
  await test.step('deletes the account', async () => {
    const deletion = ui.dialog(page, 'Delete my account');
    await ui.button(page, 'Delete my account').click();
    await ui.expectTexts(deletion, 'a link preview that a chat has kept');
    await expect(ui.button(deletion, 'Send code')).toBeFocused();
    await expect(ui.button(deletion, 'Change number')).toHaveCount(0);
    await expect(ui.button(deletion, 'Delete')).toBeDisabled();
    await ui.button(deletion, 'Send code').click();
    await ui.expectTexts(deletion, 'Sent to •••• 2347.');
    const sent = server.output().split('OTP ').length;
    await ui.button(deletion, 'Cancel').click();
    await ui.button(page, 'Delete my account').click();
    await ui.button(deletion, 'Send code').click();
    const wait = /^Wait \d+ seconds? before you request another code\.$/;
    await ui.expectTexts(deletion, wait, 'Sent to •••• 2347.');
    expect(server.output().split('OTP ')).toHaveLength(sent);
    await codeOf(deletion).fill(await server.codeFor(`+91${NEWEST}`));
    await ui.button(deletion, 'Delete').click();
    const sentence = "We can't reach a link preview that a chat has kept.";
    await ui.expectTexts(page, `Your account is deleted. ${sentence}`);
    expect(page.url()).toBe(`${server.origin}/`);
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
  });
  expect((await page.goto(`/user/${owner._id}`))?.status()).toBe(404);
  await ui.expectTexts(page, 'User does not exist');
});

test('card link: is chosen, shared and removed', async ({ page, server }) => {
  ui.expectErrors(page, /answered 400/);
  const alerts = ui.collectAlerts(page);
  const owner = await createOwner(server, ADDRESS_PHONE, { name: 'Asha' });
  await storeSession(page, server, owner);
  await page.goto('/dashboard/account');
  const group = page.getByRole('group', { name: 'Card link' });
  const address = ui.textbox(group, 'Card link');
  await ui.expectTexts(group, `${new URL(server.origin).host}/@`);
  await address.fill('आशा');
  await ui.button(group, 'Save link').click();
  await expect(address).toHaveAccessibleDescription(/the letters a to z/);
  await expect(ui.button(group, 'Remove link')).toBeHidden();
  await address.fill('Asha-Rao');
  await address.press('Enter');
  await expect(address).toHaveValue('asha-rao');
  await expect(address).toHaveAccessibleDescription(/Saved/);
  const link = `${server.origin}/@asha-rao`;
  await page.goto('/dashboard');
  await ui.button(page, 'Copy Link').click();
  await expect.poll(() => alerts).toEqual([`Copied: ${link}`]);
  await expectQrCode(page, `${server.origin}/user/${owner._id}`);
  await page.goto('/dashboard/signature');
  await expect(ui.link(page, 'My digital business card')).toHaveAttribute('href', link);
  await page.goto(link);
  await expect(ui.heading(page, 'Asha')).toBeVisible();
  await page.goto('/dashboard/account');
  await ui.button(group, 'Remove link').click();
  await ui.expectTexts(group, /what you had before: @asha-rao/);
  await expect(address).toHaveValue('');
  expect((await page.request.get(link)).status()).toBe(404);
});

const webhookTest = test.extend({
  server: async ({ serve, push }, use) =>
    use(await serve({ VIEWS: 'contacts', WEBHOOK_TEST_ORIGIN: push.origin })),
});

webhookTest(
  'other software: is connected, tested, gets a new secret, and is stopped',
  async ({ page, server, phone, owner, push }) => {
    const url = `${push.origin}/created/hook`;
    const group = page.getByRole('group', { name: 'Connect other software' });
    const [address, secret] = [ui.textbox(group, 'Webhook URL'), group.locator('code')];
    const popup = ui.dialog(page, 'Connect other software');
    const verify = async (name: string) => {
      await ui.button(group, name).click();
      // A second code is sent after 30 s.
      await expect(async () => {
        await ui.button(popup, 'Send code').click();
        await expect(codeOf(popup)).toBeVisible({ timeout: 2000 });
      }).toPass();
      await codeOf(popup).fill(await server.codeFor(`+91${phone}`));
      await ui.button(popup, name).click();
      await expect(popup).toBeHidden();
      await expect(secret).toHaveText(/^whsec_/);
      return secret.innerText();
    };
    ui.expectErrors(page, /answered 429/);
    await storeSession(page, server, owner);
    await page.goto('/dashboard/account');
    await expect(ui.button(group, 'Connect')).toBeHidden();
    await group.getByText('Set up a webhook').click();
    await expect(ui.button(group, 'Connect')).toBeDisabled();
    await address.fill(url);
    const first = await verify('Connect');
    await ui.button(group, 'Send a test').click();
    await ui.expectTexts(group, 'Test sent.', /test, today, .*: 201/);
    const [{ body, headers } = { body: '', headers: {} }] = push.received;
    const verified = new Webhook(first).verify(String(body), headers as Record<string, string>);
    expect(verified).toMatchObject({ type: 'test', data: { name: 'Test Contact' } });
    push.replyAs('created', 'broken');
    await ui.button(group, 'Send a test').click();
    await ui.expectTexts(group, 'The test failed: 500.', /test, today, .*: 500/);
    await expect(group.getByText('Test sent.')).toBeHidden();

    expect(await verify('New secret')).not.toBe(first);
    await page.reload();
    await group.getByText('Connected', { exact: true }).click();
    await expect(address).toHaveValue(url);
    await expect(secret).toBeHidden();
    await ui.button(group, 'Stop').click();
    await expect(address).toHaveValue('');
    await expect(ui.button(group, 'Send a test')).toBeHidden();
  },
);
