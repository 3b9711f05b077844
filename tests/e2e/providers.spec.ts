import { expect, test as base } from '@playwright/test';
import type { Page } from '@playwright/test';

import { startServer } from '#tests/support/server.ts';
import type { RunningServer } from '#tests/support/server.ts';
import { FIREBASE_CODE } from '#tests/support/fake-firebase.ts';
import { startFakeServices } from '#tests/support/fake-services.ts';
import type { FakeServices } from '#tests/support/fake-services.ts';

type Kind = 'otpless' | 'msg91' | 'firebase';

interface Fixtures {
  /** Starts the built service with a fake login provider. */
  readonly serve: (kind: Kind, more?: Record<string, string>) => Promise<RunningServer>;
  /** Errors in the page and its console; a violation of the Content-Security-Policy is one. */
  readonly errors: string[];
  /** A page that fails the test on any of these errors. */
  readonly page: Page;
}

const test = base.extend<Fixtures, { services: FakeServices }>({
  services: [
    // oxlint-disable-next-line no-empty-pattern -- the runner reads the names of this parameter
    async ({}, use) => {
      const services = await startFakeServices();
      await use(services);
      await services.close();
    },
    { scope: 'worker' },
  ],
  serve: async ({ services }, use) => {
    const servers: RunningServer[] = [];
    await use(async (kind, more = {}) => {
      const server = await startServer({ ...services.environment[kind], ...more });
      servers.push(server);
      return server;
    });
    await Promise.all(servers.map((server) => server.dispose()));
  },
  // oxlint-disable-next-line no-empty-pattern -- the runner reads the names of this parameter
  errors: async ({}, use) => use([]),
  // `serve` is a dependency so that the page is checked before its server ends.
  page: async ({ page, errors, serve: _serve }, use) => {
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      // Failed calls are logged too; they are not errors of the page.
      const isFailedCall = /Failed to load resource|answered (?:403|503)/.test(message.text());
      if (message.type() === 'error' && !isFailedCall) errors.push(message.text());
    });
    await use(page);
    expect(errors).toEqual([]);
  },
});

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

test('OTPless: a login opens onboarding', async ({ page, serve, services }) => {
  const server = await serve('otpless');
  const { allowed } = await scriptsOf(page, `${server.origin}/login`);
  expect(allowed).toBe(`'self' ${services.origin} https://otpless.com https://*.otpless.app`);
  await page.getByRole('textbox', { name: 'Mobile number' }).fill('919812300001');
  await page.getByRole('button', { name: 'Continue with OTPless' }).click();
  await expectSignedIn(page, server);
});

test('account with OTPless: the widget in documents of its own changes the login phone and deletes the account', async ({
  page,
  serve,
}) => {
  const server = await serve('otpless');
  const verify = async (phone: string) => {
    await page.getByRole('textbox', { name: 'Mobile number' }).fill(phone);
    await page.getByRole('button', { name: 'Continue with OTPless' }).click();
  };
  await page.goto(`${server.origin}/login`);
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

test('UPI ID with OTPless: the widget in a document of its own confirms what was typed', async ({
  page,
  serve,
}) => {
  const server = await serve('otpless', { CARD_EXTRAS: 'upi,gstin' });
  const verify = async (phone: string) => {
    await page.getByRole('textbox', { name: 'Mobile number' }).fill(phone);
    await page.getByRole('button', { name: 'Continue with OTPless' }).click();
  };
  const alerts: string[] = [];
  page.on('dialog', (dialog) => {
    alerts.push(dialog.message());
    void dialog.accept();
  });
  await page.goto(`${server.origin}/login`);
  await verify('919812300017');
  await expectOnboarding(page);
  await page.goto(`${server.origin}/dashboard/edit`);
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

test('account with Firebase: our own form changes the login phone in two documents', async ({
  page,
  serve,
}) => {
  const server = await serve('firebase');
  const verify = async (phone: string) => {
    await page.getByRole('textbox', { name: 'Phone number' }).fill(phone);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByRole('textbox', { name: 'Code' }).fill(FIREBASE_CODE);
    await page.getByRole('button', { name: 'Verify' }).click();
  };
  await page.goto(`${server.origin}/login`);
  await verify('98123 00011');
  await expectOnboarding(page);
  await page.goto(`${server.origin}/dashboard/account`);
  await page.getByRole('button', { name: 'Change login phone' }).click();
  await expect(page.getByRole('group', { name: 'Present number' })).toBeVisible();
  await verify('98123 00011');
  await expect(page.getByRole('group', { name: 'New number' })).toBeVisible();
  await verify('98123 00012');
  await expect(page.getByText('Your login phone is changed.')).toBeVisible();
  await expect(page.getByText('0012')).toBeVisible();
});

test('MSG91: a login opens onboarding, even after its dialog was closed', async ({
  page,
  serve,
}) => {
  const server = await serve('msg91');
  const response = await page.goto(`${server.origin}/`);
  expect(await response?.text()).toContain('token-auth-1');
  expect(await response?.text()).not.toContain('auth-key-1');
  await page.getByRole('button', { name: 'Close widget' }).click();
  await page.getByRole('button', { name: 'Sign in with your phone' }).click();
  await page.getByRole('textbox', { name: 'Mobile number' }).fill('919812300002');
  await page.getByRole('button', { name: 'Verify with MSG91' }).click();
  await expectSignedIn(page, server);
});

test('Firebase: a login uses our own form, survives a reload and opens onboarding', async ({
  page,
  serve,
}) => {
  const server = await serve('firebase');
  await page.goto(`${server.origin}/login`);
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

test('OTPless: an invalid login is rejected and can be repeated', async ({ page, serve }) => {
  const server = await serve('otpless');
  await page.goto(`${server.origin}/login`);
  await page.getByRole('textbox', { name: 'Mobile number' }).fill('12345');
  await page.getByRole('button', { name: 'Continue with OTPless' }).click();
  await expect(page.getByText('This sign-in is not valid any more.')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('textbox', { name: 'Mobile number' })).toBeVisible();
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
});

test('OTPless: with wrong credentials nobody is signed in, and the page shows why', async ({
  page,
  serve,
}) => {
  const server = await serve('otpless', { OTPLESS_CLIENT_SECRET: 'other' });
  await page.goto(`${server.origin}/login`);
  await page.getByRole('textbox', { name: 'Mobile number' }).fill('919812300004');
  await page.getByRole('button', { name: 'Continue with OTPless' }).click();
  await expect(page.getByText('We could not finish signing you in just now.')).toBeVisible();
  await expect.poll(server.output).toContain('OTPLESS_CLIENT_SECRET');
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
});

test('dashboard: its policy blocks the script of the login provider', async ({
  page,
  serve,
  services,
  errors,
}) => {
  const server = await serve('otpless');
  await page.goto(`${server.origin}/login`);
  await page.getByRole('textbox', { name: 'Mobile number' }).fill('919812300005');
  await page.getByRole('button', { name: 'Continue with OTPless' }).click();
  await expectOnboarding(page);
  const outcome = await page.evaluate(
    (src) =>
      new Promise((resolve) => {
        const script = document.createElement('script');
        script.src = src;
        script.addEventListener('load', () => resolve('loaded'));
        script.addEventListener('error', () => resolve('blocked'));
        document.body.append(script);
      }),
    `${services.origin}/otpless/v4/auth.js`,
  );
  expect(outcome).toBe('blocked');
  // The other tests of this file would have failed on this error.
  expect(errors.splice(0).join()).toContain('Content Security Policy');
});
