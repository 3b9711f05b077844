import type { Page } from '@playwright/test';
import { makeZip } from 'client-zip';

import { expect, test as base } from '#tests/support/browser-test.ts';
import * as ui from '#tests/support/ui.ts';
import { addAuthenticator } from '#tests/support/virtual-authenticator.ts';

const test = base.extend<{ kind: 'otpless' | 'msg91' }>({
  kind: ['otpless', { option: true }],
  server: async ({ serve, services, kind }, use) =>
    use(await serve({ ...services.environment[kind], CARD_EXTRAS: 'upi,gstin' })),
});

/** Waits until onboarding has loaded: leaving the page earlier would log cancelled calls as errors. */
async function expectOnboarding(page: Page) {
  await expect(page).toHaveURL(/\/ftue\/?\?phone=/);
  await expect(ui.textbox(page, 'Name')).toBeVisible();
}

const NOT_YOURS = "That's not the number you sign in with.";

test('OTPless: signs in, changes the phone and deletes the account', async ({ page, services }) => {
  ui.expectErrors(page, /answered 403/, /answered 503/);
  const verify = async (phone: string) => {
    await ui.textbox(page, 'Mobile number').fill(phone);
    await ui.button(page, 'Continue with OTPless').click();
  };
  const expectScriptSources = async (path: string, sources: string) => {
    const policy = (await page.goto(path))?.headers()['content-security-policy'];
    expect(policy).toContain(`; script-src ${sources};`);
  };
  const present = page.getByRole('group', { name: 'Present number' });
  const next = page.getByRole('group', { name: 'New number' });
  const changePhone = ui.button(page, 'Change login phone');
  const storedKeys = () => page.evaluate(() => Object.keys(localStorage).toSorted().join(' '));
  // Without the positions to which the router scrolls back.
  const storedTokens = () =>
    page.evaluate(() =>
      Object.entries(sessionStorage)
        .flatMap(([key, value]) => (key === 'react-router-scroll-positions' ? [] : [value]))
        .join(),
    );
  await test.step('a login opens onboarding, or says why not', async () => {
    const foreign = `${services.origin} https://otpless.com https://*.otpless.app`;
    await expectScriptSources('/login', `'self' ${foreign}`);
    await verify('12345');
    await ui.expectTexts(page, 'This sign-in is no longer valid.');
    expect(await storedKeys()).toBe('');
    await ui.button(page, 'Try again').click();
    await ui.failCalls(page, '**/api/user/authenticate/phone', { status: 503 });
    await verify('919812300007');
    await ui.expectTexts(page, "We couldn't finish signing you in just now.");
    await page.unrouteAll();
    // With the same token.
    await ui.button(page, 'Try again').click();
    await expectOnboarding(page);
    expect(await storedKeys()).toBe('_id sessionToken signedIn');
  });
  await test.step('confirms the UPI ID that was typed', async () => {
    const alerts = ui.collectAlerts(page);
    await page.goto('/dashboard/edit');
    const [upi, gstin] = [ui.textbox(page, 'UPI ID'), ui.textbox(page, 'GSTIN')];
    const popup = ui.dialog(page, 'Confirm UPI ID');
    await ui.fill(page, { 'UPI ID': 'asha@okaxis', GSTIN: '27AAPFU0939F1ZV' });
    await ui.updateChanges(page);
    await expect(popup).toContainText('asha@okaxis');
    await ui.link(page, 'Cancel').click();
    await expect(gstin).toHaveValue('27AAPFU0939F1ZV');
    await expect(upi).toHaveValue('asha@okaxis');
    await ui.updateChanges(page);
    await expect(popup).toBeVisible();
    await verify('919812300018');
    await ui.expectTexts(popup, NOT_YOURS);
    await ui.button(page, 'Try again').click();
    await verify('919812300007');
    await expect(gstin).toBeVisible();
    await expect(upi).toHaveValue('asha@okaxis');
    expect(await storedTokens()).toBe('');
    await expect.poll(() => alerts).toEqual(['Data updated successfully']);
  });
  await test.step('brings in an archive after the number is verified, and forgets the token', async () => {
    const files = { version: '1', 'card.json': '{"name":"Asha"}', 'contacts.json': '[]' };
    const zip = makeZip(Object.entries(files).map(([name, input]) => ({ name, input })));
    const buffer = Buffer.from(await new Response(zip).arrayBuffer());
    const archive = { name: 'account-data.zip', mimeType: 'application/zip', buffer };
    const popup = ui.dialog(page, 'Bring in an archive');
    for (const [phone, text] of [
      ['919812300018', NOT_YOURS],
      ['919812300007', "You've moved in"],
    ] as const) {
      await page.goto('/dashboard/account');
      await ui.button(page, 'Bring in an archive').click();
      await verify(phone);
      await popup.getByLabel('Archive', { exact: true }).setInputFiles(archive);
      await ui.expectTexts(popup, 'The card of Asha, 0 contacts.');
      await ui.button(popup, 'Bring in').click();
      await ui.expectTexts(page, text);
    }
    await page.reload();
    await expect(ui.button(page, 'Bring in an archive')).toBeVisible();
    await expect(popup).toHaveCount(0);
  });
  await test.step('a cancelled change leaves no token', async () => {
    await expectScriptSources('/dashboard/account', "'self'");
    await changePhone.click();
    await expect(present).toBeVisible();
    await verify('919812300007');
    await expect(next).toBeVisible();
    expect(await storedTokens()).toContain('good.919812300007.');
    await ui.link(page, 'Cancel').click();
    await expect(changePhone).toBeVisible();
    expect(await storedTokens()).not.toContain('good.');
    await page.goto('/dashboard/account/verify?for=new');
    await expect(present).toBeVisible();
  });
  await test.step('a token of another phone ends no session, and both numbers are verified again', async () => {
    await verify('919812300008');
    await expect(next).toBeVisible();
    await verify('919812300009');
    await ui.expectTexts(ui.dialog(page, 'Change login phone'), NOT_YOURS);
    expect(await storedTokens()).not.toContain('good.');
    await ui.button(page, 'Try again').click();
    await expect(present).toBeVisible();
  });
  await test.step('changes the login phone with both tokens', async () => {
    await verify('919812300007');
    await expect(next).toBeVisible();
    const sent = page.waitForRequest('**/api/account/changePhone/*');
    await verify('919812300009');
    expect((await sent).postDataJSON()).toEqual({
      token: expect.stringContaining('good.919812300007.'),
      newToken: expect.stringContaining('good.919812300009.'),
    });
    await ui.expectTexts(page, "You've changed your login phone", '0009');
    expect(await storedTokens()).not.toContain('good.');
  });
  await test.step('deletes the account', async () => {
    await ui.button(page, 'Delete my account').click();
    await expect(ui.dialog(page, 'Delete my account')).toBeVisible();
    await verify('919812300009');
    await ui.expectTexts(page, 'Your account is deleted.');
    expect(await storedKeys()).toBe('');
  });
});

test('OTPless: on the page of the widget a passkey verifies a change, but no new number', async ({
  page,
}) => {
  const device = await addAuthenticator(page);
  const account = ui.heading(page, 'Account and data');
  const use = ui.button(page, 'Use a passkey');
  const remove = page.getByRole('button', { name: /^Remove .+, added \d/ });
  await page.goto('/login');
  await ui.textbox(page, 'Mobile number').fill('919812300011');
  await ui.button(page, 'Continue with OTPless').click();
  await expectOnboarding(page);
  await page.goto('/dashboard/account');
  await ui.button(page, 'Add a passkey').click();
  await expect(remove).toHaveCount(1);
  await ui.button(page, 'Change login phone').click();
  await device.setVerified(false);
  await use.click();
  await ui.expectTexts(page, 'No passkey was used. Try again, or use a code.');
  await device.setVerified(true);
  await use.click();
  await expect(page.getByRole('group', { name: 'New number' })).toBeVisible();
  await expect(use).toHaveCount(0);
  await ui.link(page, 'Cancel').click();
  await expect(account).toBeVisible();
  await remove.click();
  await expect(ui.dialog(page, 'Remove passkey')).toBeVisible();
  await use.click();
  await expect(account).toBeVisible();
  await expect(remove).toHaveCount(0);
  await device.remove();
});

test.describe(() => {
  test.use({ kind: 'msg91' });

  test('MSG91: a login opens onboarding after its dialog was closed', async ({ page }) => {
    const html = await (await page.goto('/'))?.text();
    expect(html).toContain('token-auth-1');
    expect(html).not.toContain('auth-key-1');
    await ui.button(page, 'Close widget').click();
    await ui.button(page, 'Sign in with your phone').click();
    await ui.textbox(page, 'Mobile number').fill('919812300002');
    await ui.button(page, 'Verify with MSG91').click();
    await expectOnboarding(page);
  });
});
