import type { Page } from '@playwright/test';

import { startIssuer } from '#scripts/demo-issuer.mjs';
import { expect, test as base } from '#tests/support/browser-test.ts';
import { freePort } from '#tests/support/port.ts';
import * as ui from '#tests/support/ui.ts';

const NAME = 'Kaveri Silks';
const CONTINUE = `Continue with ${NAME}`;

const test = base.extend<{ issuer: Awaited<ReturnType<typeof startIssuer>>; port: number }>({
  // oxlint-disable-next-line no-empty-pattern -- the runner reads the names of this parameter
  port: async ({}, use) => use(await freePort()),
  issuer: async ({ port, phone }, use) => {
    const phones = [`+91${phone}`, '+919812345670'];
    const people = ['Asha', 'Ravi'].map((name, index) => ({
      sub: name,
      name,
      phone_number: phones[index],
      phone_number_verified: true,
    }));
    people.push({
      sub: 'Meera',
      name: 'Meera',
      phone_number: phones[0],
      phone_number_verified: false,
    });
    const redirectUris = [`http://localhost:${port}/login/oidc/callback`];
    const issuer = await startIssuer({ people, redirectUris });
    await use(issuer);
    await issuer.close();
  },
  server: async ({ serve, issuer, port }, use) =>
    use(
      await serve({
        ...issuer.environment,
        OIDC_NAME: NAME,
        PORT: String(port),
        VIEWS: 'contacts',
        CARD_EXTRAS: 'upi',
      }),
    ),
});

/** Presses the button of a person on the issuer's page, and waits until the browser is back. */
async function choose(page: Page, person: string) {
  await page.getByRole('heading', { name: 'Who are you?' }).waitFor();
  await ui.button(page, person).click();
  await page.waitForURL(/localhost/);
}

test('company login: signs in, keeps what was typed during a verification, and deletes the account', async ({
  page,
  server,
}) => {
  ui.expectErrors(page, /answered 403/);
  await test.step('the login page waits for the button, and says whom the company does not vouch for', async () => {
    await page.goto('/login');
    await ui.button(page, CONTINUE).click();
    await choose(page, 'Cancel');
    await ui.button(page, CONTINUE).click();
    await choose(page, 'Meera');
    await ui.expectTexts(page, "Your company hasn't confirmed your phone number.");
    await page.context().clearCookies({ domain: '127.0.0.1' });
    await ui.button(page, 'Try again').click();
    await ui.button(page, CONTINUE).click();
    await choose(page, 'Asha');
    await expect(ui.textbox(page, 'Name')).toBeVisible();
    expect(page.url()).not.toContain('token');
  });
  await test.step('connects other software after a visit that was first cancelled', async () => {
    await page.goto('/dashboard/account');
    await ui.expectTexts(page, 'Your company sets this.');
    await expect(ui.button(page, 'Change login phone')).toBeHidden();
    await page.getByText('Set up a webhook').click();
    await ui.textbox(page, 'Webhook URL').fill('https://crm.example.com/hook');
    await ui.button(page, 'Connect').click();
    const popup = ui.dialog(page, 'Connect other software');
    for (const person of ['Cancel', 'Asha']) {
      await expect(ui.button(popup, 'Connect')).toBeDisabled();
      await ui.button(popup, CONTINUE).click();
      await choose(page, person);
      await expect(popup).toBeVisible();
      expect(page.url()).not.toContain('token');
    }
    await ui.expectTexts(popup, `${NAME} has confirmed that it's you.`);
    await ui.button(popup, 'Connect').click();
    await ui.expectTexts(page, 'Your secret, shown only once:');
    await expect(ui.textbox(page, 'Webhook URL')).toHaveValue('https://crm.example.com/hook');
  });
  await test.step('Log out ends this session, and not the one at the company', async () => {
    await page.goto('/dashboard');
    await ui.logOut(page);
    await ui.button(page, CONTINUE).click();
    await page.waitForURL(/\/(?:dashboard|ftue)/);
  });
  await test.step('confirms the UPI ID that was typed', async () => {
    const alerts = ui.collectAlerts(page);
    await page.goto('/dashboard/edit');
    await ui.fill(page, { 'UPI ID': 'asha@okaxis' });
    await ui.updateChanges(page);
    const popup = ui.dialog(page, 'Confirm UPI ID');
    await ui.button(popup, CONTINUE).click();
    await choose(page, 'Asha');
    await ui.expectTexts(popup, 'asha@okaxis', `${NAME} has confirmed that it's you.`);
    await ui.button(popup, 'Save').click();
    await expect.poll(() => alerts).toEqual(['Data updated successfully']);
  });
  await test.step('deletes the account only for its own person', async () => {
    await page.goto('/dashboard/account');
    await ui.button(page, 'Delete my account').click();
    const popup = ui.dialog(page, 'Delete my account');
    await ui.button(popup, CONTINUE).click();
    await choose(page, 'Ravi');
    await ui.button(popup, 'Delete').click();
    await ui.expectTexts(popup, 'This is another company account.');
    await ui.button(popup, CONTINUE).click();
    await choose(page, 'Asha');
    await ui.button(popup, 'Delete').click();
    await ui.expectTexts(page, 'Your account is deleted.');
  });
  expect(server.output() + server.errors()).not.toContain('token=');
});
