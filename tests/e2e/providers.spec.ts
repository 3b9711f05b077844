import type { Page } from '@playwright/test';

import { collectAlerts, expect, test as base } from '#tests/support/browser-test.ts';
import { FIREBASE_CODE } from '#tests/support/fake-firebase.ts';
import type { RunningServer } from '#tests/support/server.ts';

/** The service with a fake login provider. */
const test = base.extend<{ kind: 'otpless' | 'msg91' | 'firebase' }>({
  kind: ['otpless', { option: true }],
  server: async ({ serve, services, kind, environment }, use) =>
    use(await serve({ ...services.environment[kind], ...environment })),
});

async function verifyByOtpless(page: Page, phone: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Mobile number' }).fill(phone);
  await page.getByRole('button', { name: 'Continue with OTPless' }).click();
}

/** The sources that a page's policy allows for scripts, and its scripts of other origins. */
async function scriptsOf(page: Page, url: string) {
  const response = await page.goto(url);
  const policy = response?.headers()['content-security-policy'] ?? '';
  const [, allowed = ''] = /script-src ([^;]*)/.exec(policy) ?? [];
  const sources = await page.evaluate(() => [...document.scripts].map(({ src }) => src));
  return { allowed, foreign: sources.filter((src) => src && !src.startsWith(new URL(url).origin)) };
}

/** Waits until onboarding has loaded: leaving the page earlier would log cancelled calls as errors. */
async function expectOnboarding(page: Page) {
  await expect(page).toHaveURL(/\/ftue\/?\?phone=/);
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeVisible();
}

async function expectSignedIn(page: Page, server: RunningServer) {
  await expectOnboarding(page);
  expect(await page.evaluate(() => Object.keys(localStorage).toSorted())).toEqual([
    '_id',
    'sessionToken',
    'signedIn',
  ]);
  const pages = {
    '/dashboard': page.getByText('Nobody has left their details yet.'),
    '/ftue': page.getByRole('textbox', { name: 'Name', exact: true }),
  };
  for (const [path, content] of Object.entries(pages)) {
    const scripts = await scriptsOf(page, `${server.origin}${path}`);
    expect(scripts).toEqual({ allowed: "'self'", foreign: [] });
    await expect(content).toBeVisible();
  }
}

test('OTPless: a login opens onboarding', async ({ page, server, services }) => {
  const { allowed } = await scriptsOf(page, `${server.origin}/login`);
  expect(allowed).toBe(`'self' ${services.origin} https://otpless.com https://*.otpless.app`);
  await verifyByOtpless(page, '919812300001');
  await expectSignedIn(page, server);
});

test('account with OTPless: the widget in documents of its own changes the login phone and deletes the account', async ({
  page,
  server,
  expectErrors,
}) => {
  expectErrors(/answered 403/);
  const verify = (phone: string) => verifyByOtpless(page, phone);
  await page.goto('/login');
  await verify('919812300007');
  await expectOnboarding(page);
  const account = `${server.origin}/dashboard/account`;
  expect(await scriptsOf(page, account)).toEqual({ allowed: "'self'", foreign: [] });
  const changePhone = page.getByRole('button', { name: 'Change login phone' });
  const dialog = page.getByRole('dialog', { name: 'Change login phone' });
  const present = dialog.getByRole('group', { name: 'Present number' });
  const next = dialog.getByRole('group', { name: 'New number' });
  const storedTokens = () => page.evaluate(() => Object.values(sessionStorage).join());

  await test.step('a cancelled change leaves no token', async () => {
    await changePhone.click();
    await expect(present).toBeVisible();
    await verify('919812300007');
    await expect(next).toBeVisible();
    expect(await storedTokens()).toContain('good.919812300007.');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect(changePhone).toBeVisible();
    expect(await storedTokens()).not.toContain('good.');
    await page.goto(`${account}/verify?for=new`);
    await expect(present).toBeVisible();
  });

  await test.step('a token of another phone ends no session, and both numbers are verified again', async () => {
    await verify('919812300008');
    await verifyNew('919812300009');
    await expect(dialog.getByText('This is not the number that you sign in with.')).toBeVisible();
    expect(await storedTokens()).not.toContain('good.');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(present).toBeVisible();
  });

  await test.step('changes the login phone with both tokens', async () => {
    await verify('919812300007');
    const sent = page.waitForRequest('**/api/account/changePhone/*');
    await verifyNew('919812300009');
    expect((await sent).postDataJSON()).toEqual({
      token: expect.stringContaining('good.919812300007.'),
      newToken: expect.stringContaining('good.919812300009.'),
    });
    await expect(page.getByText('Your login phone is changed.')).toBeVisible();
    await expect(page.getByText('0009')).toBeVisible();
    expect(await storedTokens()).not.toContain('good.');
  });

  async function verifyNew(phone: string) {
    await expect(next).toBeVisible();
    await verify(phone);
  }

  await page.getByRole('button', { name: 'Delete my account' }).click();
  await expect(page.getByRole('dialog', { name: 'Delete my account' })).toBeVisible();
  await verify('919812300009');
  await expect(page.getByText('Your account is deleted.')).toBeVisible();
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
});

test('OTPless: an invalid login is rejected and can be repeated', async ({
  page,
  expectErrors,
}) => {
  expectErrors(/answered 403/);
  await page.goto('/login');
  await verifyByOtpless(page, '12345');
  await expect(page.getByText('This sign-in is not valid any more.')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('textbox', { name: 'Mobile number' })).toBeVisible();
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
});

test.describe(() => {
  test.use({ environment: { CARD_EXTRAS: 'upi,gstin' } });

  test('UPI ID with OTPless: the widget in a document of its own confirms what was typed', async ({
    page,
    expectErrors,
  }) => {
    expectErrors(/answered 403/);
    const verify = (phone: string) => verifyByOtpless(page, phone);
    const alerts = collectAlerts(page);
    await page.goto('/login');
    await verify('919812300017');
    await expectOnboarding(page);
    await page.goto('/dashboard/edit');
    const upi = page.getByRole('textbox', { name: 'UPI ID' });
    const gstin = page.getByRole('textbox', { name: 'GSTIN' });
    const dialog = page.getByRole('dialog', { name: 'Confirm UPI ID' });
    await upi.fill('asha@okaxis');
    await gstin.fill('27AAPFU0939F1ZV');
    await page.getByRole('button', { name: 'Update Changes' }).first().click();
    await expect(dialog).toContainText('asha@okaxis');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect(gstin).toHaveValue('27AAPFU0939F1ZV');
    await expect(upi).toHaveValue('asha@okaxis');

    await page.getByRole('button', { name: 'Update Changes' }).first().click();
    await expect(dialog).toBeVisible();
    await verify('919812300018');
    await expect(dialog.getByText('This is not the number that you sign in with.')).toBeVisible();
    await page.getByRole('button', { name: 'Try again' }).click();
    await verify('919812300017');
    await expect(gstin).toBeVisible();
    await expect(upi).toHaveValue('asha@okaxis');
    expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
    expect(alerts).toEqual(['Data updated successfully']);
  });
});

test.describe(() => {
  test.use({ kind: 'firebase' });

  test('account with Firebase: our own form changes the login phone in two documents', async ({
    page,
  }) => {
    const verify = async (phone: string) => {
      await page.getByRole('textbox', { name: 'Phone number' }).fill(phone);
      await page.getByRole('button', { name: 'Send code' }).click();
      await page.getByRole('textbox', { name: 'Code' }).fill(FIREBASE_CODE);
      await page.getByRole('button', { name: 'Verify' }).click();
    };
    await page.goto('/login');
    await verify('98123 00011');
    await expectOnboarding(page);
    await page.goto('/dashboard/account');
    await page.getByRole('button', { name: 'Change login phone' }).click();
    await expect(page.getByRole('group', { name: 'Present number' })).toBeVisible();
    await verify('98123 00011');
    await expect(page.getByRole('group', { name: 'New number' })).toBeVisible();
    await verify('98123 00012');
    await expect(page.getByText('Your login phone is changed.')).toBeVisible();
    await expect(page.getByText('0012')).toBeVisible();
  });

  test('Firebase: a login uses our own form, survives a reload and opens onboarding', async ({
    page,
    server,
  }) => {
    await page.goto('/login');
    await page.getByRole('button', { name: 'Send code' }).click();
    await expect(page.getByText('Type your phone number.')).toBeVisible();
    await page.getByRole('textbox', { name: 'Phone number' }).fill('98123 00003');
    await page.getByRole('button', { name: 'Send code' }).click();
    const code = page.getByRole('textbox', { name: 'Code' });
    await expect(code).toBeFocused();
    await page.getByRole('button', { name: 'Verify' }).click();
    await expect(page.getByText('Type the code from the message.')).toBeVisible();
    await code.fill('000000');
    await page.getByRole('button', { name: 'Verify' }).click();
    await expect(page.getByText('This code is not right. Check it and try again.')).toBeVisible();
    await page.reload();
    await expect(code).toBeFocused();
    await expect(page.getByText('Code sent to +919812300003.')).toBeVisible();
    await expect(page.getByRole('button', { name: /^Resend code in/ })).toBeDisabled();
    await code.fill(FIREBASE_CODE);
    await page.getByRole('button', { name: 'Verify' }).click();
    await expectSignedIn(page, server);
  });
});

test.describe(() => {
  test.use({ kind: 'msg91' });

  test('MSG91: a login opens onboarding, even after its dialog was closed', async ({
    page,
    server,
  }) => {
    const response = await page.goto('/');
    expect(await response?.text()).toContain('token-auth-1');
    expect(await response?.text()).not.toContain('auth-key-1');
    await page.getByRole('button', { name: 'Close widget' }).click();
    await page.getByRole('button', { name: 'Sign in with your phone' }).click();
    await page.getByRole('textbox', { name: 'Mobile number' }).fill('919812300002');
    await page.getByRole('button', { name: 'Verify with MSG91' }).click();
    await expectSignedIn(page, server);
  });
});

test.describe(() => {
  test.use({ environment: { OTPLESS_CLIENT_SECRET: 'other' } });

  test('OTPless: with wrong credentials nobody is signed in, and the page shows why', async ({
    page,
    server,
    expectErrors,
  }) => {
    expectErrors(/answered 503/);
    await page.goto('/login');
    await verifyByOtpless(page, '919812300004');
    await expect(page.getByText('We could not finish signing you in just now.')).toBeVisible();
    await expect.poll(server.output).toContain('OTPLESS_CLIENT_SECRET');
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
  });
});
