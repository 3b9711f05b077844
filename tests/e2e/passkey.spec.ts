import type { Page } from '@playwright/test';

import { runAdmin } from '#tests/support/admin.ts';
import { expect, ownerTest, test } from '#tests/support/browser-test.ts';
import * as ui from '#tests/support/ui.ts';
import { addAuthenticator } from '#tests/support/virtual-authenticator.ts';

const REJECTED = "That passkey doesn't work here. Use your phone number.";
const ACCOUNT = '/dashboard/account';
const removeButtons = (page: Page) => page.getByRole('button', { name: /^Remove .+, added \d/ });
const group = (page: Page) => page.getByRole('group', { name: 'Passkeys' });
const isAtHome = (page: Page) => expect(page).toHaveURL(/\/(?:dashboard|ftue)/);

/** Waits for the button, below which the browser may suggest a passkey for the phone field. */
async function openLogin(page: Page): Promise<void> {
  await page.goto('/login');
  await expect(ui.button(page, 'Use a passkey')).toBeVisible();
  await expect(ui.textbox(page, 'Phone number')).toBeVisible();
}

/** Otherwise a passkey could be suggested, and used, before a test presses the button. */
const withoutSuggestions = (page: Page) =>
  page.addInitScript(() => {
    if (!('PublicKeyCredential' in window)) return;
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });

test('passkey: is offered once after a code, and signs in by button and by the phone field', async ({
  page,
  server,
  phone,
}) => {
  const codes: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/otp/send')) codes.push(request.url());
  });
  const device = await addAuthenticator(page, { isTouched: false });
  await ui.signIn(page, server, phone);
  await page.goto('/dashboard');
  const offer = page.getByText('Sign in without a code next time');
  await expect(offer).toBeVisible();
  await device.touch(true);
  await ui.button(page, 'Add a passkey').click();
  await expect(offer).toBeHidden();
  expect(await device.credentials()).toHaveLength(1);
  await device.touch(false);
  await ui.logOut(page);
  await ui.waitForLoginPage(page);
  await expect(ui.textbox(page, 'Phone number')).toHaveAttribute('autocomplete', 'tel webauthn');
  await test.step('by the suggestion of the phone field', async () => {
    await device.touch(true);
    await page.goto('/login');
    await isAtHome(page);
    await device.touch(false);
    await page.goto('/dashboard');
    await expect(page.getByText('Welcome')).toBeVisible();
    await expect(offer).toBeHidden();
  });
  await test.step('by button', async () => {
    await withoutSuggestions(page);
    await ui.logOut(page);
    await ui.waitForLoginPage(page);
    await device.touch(true);
    await ui.button(page, 'Use a passkey').click();
    await isAtHome(page);
  });
  expect(codes).toHaveLength(1);
  await device.remove();
});

test('passkey: without PublicKeyCredential neither button nor code is there, and Not now lasts', async ({
  page,
  server,
  phone,
}) => {
  const loaded: string[] = [];
  page.on('request', (request) => void loaded.push(request.url()));
  const device = await addAuthenticator(page, { isTouched: false });
  await ui.signIn(page, server, phone);
  await page.goto('/dashboard');
  await ui.button(page, 'Not now').click();
  await expect(ui.button(page, 'Not now')).toBeHidden();
  await ui.logOut(page);
  await ui.waitForLoginPage(page);
  await device.remove();
  await page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'));
  // The previous login page may still be asking for a passkey.
  await page.goto('about:blank');
  loaded.splice(0);
  await page.goto('/login');
  await expect(ui.textbox(page, 'Phone number')).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expect(ui.button(page, 'Use a passkey')).toHaveCount(0);
  expect(loaded.filter((url) => url.includes('passkey'))).toEqual([]);
  const again = await addAuthenticator(page, { isTouched: false });
  await ui.submitPhone(page, server, phone);
  await page.goto('/dashboard');
  await expect(page.getByText('Welcome')).toBeVisible();
  await expect(ui.button(page, 'Not now')).toHaveCount(0);
  await again.remove();
});

ownerTest(
  'passkeys: of two devices are added, used, removed and then unknown',
  async ({ page, server, owner, phone }) => {
    ui.expectErrors(page, /answered 403/);
    await withoutSuggestions(page);
    const first = await addAuthenticator(page);
    await page.goto(ACCOUNT);
    const popup = ui.dialog(page, 'Add a passkey');
    await ui.button(group(page), 'Add a passkey').click();
    await test.step('adding needs a fresh verification', async () => {
      await ui.button(popup, 'Send code').click();
      await ui.expectTexts(popup, 'Sent to');
      await ui.textbox(popup, 'Code').fill(await server.codeFor(`+91${phone}`));
      await ui.button(popup, 'Add').click();
      await expect(removeButtons(page)).toHaveCount(1);
      await expect(removeButtons(page)).toHaveAccessibleName(
        /^Remove Chrome Headless on Linux, added \d+ \w+ \d{4}$|^Remove Chrome on Linux, added \d+ \w+ \d{4}$/,
      );
    });
    await test.step('this device has one already', async () => {
      await ui.button(group(page), 'Add a passkey').click();
      await ui.button(popup, 'Use a passkey').click();
      await ui.expectTexts(popup, "It's you.");
      await ui.button(popup, 'Add').click();
      await ui.expectTexts(popup, 'This device already has a passkey for your account.');
      await ui.button(popup, 'Cancel').click();
    });
    const [credential] = await first.credentials();
    if (!credential) throw new Error('The device has no passkey.');
    // A passkey of the first device verifies the one of a second.
    await ui.button(group(page), 'Add a passkey').click();
    await ui.button(popup, 'Use a passkey').click();
    await ui.expectTexts(popup, "It's you.");
    await first.remove();
    const second = await addAuthenticator(page);
    await ui.button(popup, 'Add').click();
    await expect(removeButtons(page)).toHaveCount(2);
    const { stdout } = await runAdmin({ DATA_DIR: server.dataDir }, 'show', owner._id, '--json');
    expect(stdout).toContain('"passkeys": 2');
    await test.step('the second signs in', async () => {
      await second.touch(false);
      await page.goto('/dashboard');
      await ui.logOut(page);
      await ui.waitForLoginPage(page);
      await second.touch(true);
      await ui.button(page, 'Use a passkey').click();
      await expect(page.getByText('Welcome')).toBeVisible();
    });
    await test.step('removes the first, with the second', async () => {
      let passkeys: readonly { id: string }[] = [];
      await page.route(/\/passkeys$/, async (route) => {
        const response = await route.fetch();
        ({ passkeys } = (await response.json()) as { passkeys: typeof passkeys });
        await route.fulfill({ response });
      });
      await page.goto(ACCOUNT);
      await expect(removeButtons(page)).toHaveCount(2);
      const removal = ui.dialog(page, 'Remove passkey');
      const [own] = await second.credentials();
      const ownId = Buffer.from(own?.credentialId ?? '', 'base64').toString('base64url');
      await removeButtons(page)
        .nth(passkeys.findIndex(({ id }) => id !== ownId))
        .click();
      await ui.button(removal, 'Use a passkey').click();
      await ui.button(removal, 'Remove').click();
      await expect(removeButtons(page)).toHaveCount(1);
    });
    await test.step('the removed one is rejected, and the browser is told to forget it', async () => {
      await second.remove();
      await page.goto('/dashboard');
      await ui.logOut(page);
      await ui.waitForLoginPage(page);
      await page.addInitScript(() => {
        const signals: string[] = [];
        Object.assign(window, { signals });
        Object.assign(PublicKeyCredential, {
          signalUnknownCredential: async ({ credentialId }: { credentialId: string }) =>
            void signals.push(credentialId),
        });
      });
      const stolen = await addAuthenticator(page, { isTouched: false });
      await stolen.add(credential);
      await openLogin(page);
      await stolen.touch(true);
      await ui.button(page, 'Use a passkey').click();
      await ui.expectTexts(page, REJECTED);
      const id = Buffer.from(credential.credentialId, 'base64').toString('base64url');
      expect(await page.evaluate(() => Reflect.get(window, 'signals') as string[])).toContain(id);
      await stolen.remove();
    });
  },
);

/** Asks the authenticator of the page itself, as a page of another service could. */
const answerAt = (
  page: Page,
  options: { challenge: string; rpId: string; userVerification?: string },
) =>
  page.evaluate(async ({ challenge, ...rest }) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({ challenge, ...rest });
    const credential = await navigator.credentials.get({ publicKey });
    return credential instanceof PublicKeyCredential ? credential.toJSON() : {};
  }, options);

test('passkey: answers that are not for this service, not of this person or not new are rejected', async ({
  page,
  server,
  serve,
  phone,
}) => {
  ui.expectErrors(page, /answered 403/);
  await withoutSuggestions(page);
  const device = await addAuthenticator(page);
  await ui.signIn(page, server, phone);
  await page.goto(ACCOUNT);
  await ui.button(group(page), 'Add a passkey').click();
  await expect(removeButtons(page)).toHaveCount(1);
  const [credential] = await device.credentials();
  if (!credential) throw new Error('The device has no passkey.');
  const post = async (path: string, data: object = {}) =>
    page.request.post(`${server.origin}/api/${path}`, { data });
  const newChallenge = async () =>
    ((await (await post('passkey/options')).json()) as { challenge: string }).challenge;
  const statusOf = async (data: object) => (await post('passkey/verify', data)).status();
  const here = async (own: object = {}) =>
    answerAt(page, { challenge: await newChallenge(), rpId: 'localhost', ...own });
  await test.step('a replayed challenge', async () => {
    const answer = await here();
    expect([await statusOf(answer), await statusOf(answer)]).toEqual([200, 403]);
  });
  await test.step('no user verification', async () => {
    await device.setVerified(false);
    expect(await statusOf(await here({ userVerification: 'discouraged' }))).toBe(403);
    await device.setVerified(true);
  });
  await test.step('another origin, and another relying party', async () => {
    const other = await serve({ PRODUCT_NAME: 'Other' });
    await page.goto(`${other.origin}/healthz`);
    expect(await statusOf(await here())).toBe(403);
    await device.replace({ ...credential, rpId: 'other.localhost' });
    await page.goto(`${other.origin.replace('localhost', 'other.localhost')}/healthz`);
    expect(await statusOf(await here({ rpId: 'other.localhost' }))).toBe(403);
    // The page itself offers no passkey there.
    await page.goto(`${server.origin.replace('localhost', '127.0.0.1')}/login`);
    await expect(ui.textbox(page, 'Phone number')).toBeVisible();
    await expect(ui.button(page, 'Use a passkey')).toHaveCount(0);
  });
  await test.step('a counter that goes back, which the page says in a sentence', async () => {
    await page.goto(`${server.origin}/healthz`);
    await page.evaluate(() => localStorage.clear());
    await device.replace({ ...credential, signCount: 100 });
    expect(await statusOf(await here())).toBe(200);
    await device.touch(false);
    await device.replace({ ...credential, signCount: 0 });
    await openLogin(page);
    await device.touch(true);
    await ui.button(page, 'Use a passkey').click();
    await ui.expectTexts(page, REJECTED);
  });
  await device.remove();
});

test('passkeys: ten are the most, they survive a change of phone, and end with sessions and account', async ({
  page,
  server,
  phone,
}) => {
  ui.expectErrors(page, /answered 403/);
  await withoutSuggestions(page);
  const admin = (...args: string[]) => runAdmin({ DATA_DIR: server.dataDir }, ...args);
  await ui.signIn(page, server, phone);
  let device = await addAuthenticator(page);
  const addHere = async (count: number) => {
    await ui.button(group(page), 'Add a passkey').click();
    await expect(removeButtons(page)).toHaveCount(count);
  };
  await page.goto(ACCOUNT);
  for (let count = 1; count <= 10; count += 1) {
    await addHere(count);
    if (count === 10) break;
    await device.remove();
    device = await addAuthenticator(page);
  }
  await expect(ui.button(group(page), 'Add a passkey')).toBeDisabled();
  await ui.expectTexts(group(page), 'You can have at most 10 passkeys. Remove one first.');
  await test.step('a passkey verifies the present number, and not the new one', async () => {
    const popup = ui.dialog(page, 'Change login phone');
    await ui.button(page, 'Change login phone').click();
    const next = popup.getByRole('group', { name: 'New number' });
    await expect(ui.button(next, 'Use a passkey')).toHaveCount(0);
    await ui.button(popup.getByRole('group', { name: 'Present number' }), 'Use a passkey').click();
    await ui.expectTexts(popup, "It's you.");
    const other = phone.replace(/^9/, '8');
    await ui.textbox(next, 'New phone number').fill(other);
    await ui.button(next, 'Send code').click();
    await ui.expectTexts(next, 'Sent to');
    await ui.textbox(next, 'Code').fill(await server.codeFor(`+91${other}`));
    await ui.button(popup, 'Change').click();
    await ui.expectTexts(page, 'Is each of these passkeys still yours?');
    await expect(removeButtons(page)).toHaveCount(10);
  });
  await test.step('the operator ends them with the sessions', async () => {
    const { _id } = await ui.readSession(page);
    const { stdout } = await admin('sessions', _id, '--end', '--reason', 'lost');
    expect(stdout).toContain('Passkeys removed: 10.');
    await device.touch(false);
    await page.goto('/login');
    await ui.waitForLoginPage(page);
    await device.touch(true);
    await ui.button(page, 'Use a passkey').click();
    await ui.expectTexts(page, REJECTED);
  });
  await test.step('a passkey deletes the account, and is unknown from then on', async () => {
    await device.touch(false);
    await ui.signIn(page, server, phone.replace(/^9/, '8'));
    await device.touch(true);
    await page.goto(ACCOUNT);
    await addHere(1);
    await ui.button(page, 'Delete my account').click();
    const deletion = ui.dialog(page, 'Delete my account');
    await ui.button(deletion, 'Use a passkey').click();
    await ui.expectTexts(deletion, "It's you.");
    await device.touch(false);
    await ui.button(deletion, 'Delete').click();
    await ui.expectTexts(page, 'Your account is deleted.');
    await device.touch(true);
    await ui.button(page, 'Use a passkey').click();
    await ui.expectTexts(page, REJECTED);
  });
  await device.remove();
});
