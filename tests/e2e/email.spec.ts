import type { Page } from '@playwright/test';

import { runAdmin } from '#tests/support/admin.ts';
import { expect, test as base } from '#tests/support/browser-test.ts';
import { startMailServer } from '#tests/support/mail-server.ts';
import * as ui from '#tests/support/ui.ts';

const EMAIL = 'asha@work.example';
const IF_REGISTERED = /^If this number is registered here, we've emailed you a code\. Valid for 5 /;

/** With a mail server, and an invitation with a sign-in email for the phone. */
const test = base.extend<{ mail: Awaited<ReturnType<typeof startMailServer>> }>({
  // oxlint-disable-next-line no-empty-pattern -- the runner reads the names of this parameter
  mail: async ({}, use) => {
    const mail = await startMailServer();
    await use(mail);
    await mail.close();
  },
  server: async ({ serve, mail, phone, services, environment }, use) => {
    const { whatsapp } = services.environment;
    const server = await serve({ ...whatsapp, ...mail.environment, ...environment });
    const variables = { DATA_DIR: server.dataDir };
    await runAdmin(variables, 'invite', phone, '--name', 'Asha', '--email', EMAIL);
    await use(server);
    expect(server.output() + server.errors()).not.toContain(EMAIL);
  },
});

async function sendCode(page: Page, phone: string) {
  await ui.textbox(page, 'Phone number').fill(phone);
  await ui.button(page, 'Send code').click();
  await expect(ui.textbox(page, 'Code')).toBeFocused();
}

const codesOf = (mails: readonly { readonly source: string }[]) =>
  mails.map(({ source }) => /^Subject: (\d{6}) /m.exec(source)?.[1] ?? '');

test('login by email: a code signs in, an unknown number reads the same, and a new one needs the operator', async ({
  page,
  phone,
  mail,
}) => {
  ui.expectErrors(page, /answered 400/);
  await page.goto('/login');
  await ui.expectTexts(page, /^We send codes to numbers from India\./);
  await sendCode(page, '98765 00099');
  await ui.expectTexts(page, IF_REGISTERED);
  await ui.button(page, 'Change number').click();
  await sendCode(page, phone);
  await ui.expectTexts(page, IF_REGISTERED);
  await expect.poll(() => codesOf(mail.mails)).toHaveLength(1);
  expect(mail.mails).toMatchObject([{ to: [EMAIL] }]);
  await ui.textbox(page, 'Code').fill(codesOf(mail.mails)[0] ?? '');
  await page.waitForURL(/\/dashboard/);

  await page.goto('/dashboard/account');
  await ui.button(page, 'Change login phone').click();
  const popup = ui.dialog(page, 'Change login phone');
  const next = popup.getByRole('group', { name: 'New number' });
  await ui.textbox(next, 'New phone number').fill('9876500098');
  await ui.button(next, 'Send code').click();
  await expect(next.getByRole('alert')).toHaveText(/^Ask \S+@\S+ to change your number\.$/);
});

for (const { list, sentBy, button } of [
  { list: 'whatsapp,email', sentBy: 'Sent by WhatsApp or email', button: 'Send by email' },
  { list: 'email,console', sentBy: 'Sent by email or SMS', button: 'Send by SMS' },
])
  test.describe(`with ${list}`, () => {
    test.use({ environment: { SMS_GATEWAY: list } });

    test(`login by ${list}: has '${button}' after 20 s`, async ({ page, phone, mail }) => {
      await page.clock.install({ time: 0 });
      await page.goto('/login');
      await ui.textbox(page, 'Phone number').waitFor();
      await page.clock.pauseAt(600_000);
      await sendCode(page, phone);
      await ui.expectTexts(page, new RegExp(`^${sentBy}$`));
      await expect(ui.button(page, button)).toBeHidden();
      await page.clock.runFor(21_000);
      await ui.button(page, button).click();
      await ui.expectTexts(page, button === 'Send by email' ? IF_REGISTERED : /^Sent by SMS$/);
      // If WhatsApp takes more than 5 s on a busy machine, the first code is mailed too.
      await expect.poll(() => mail.mails.length).toBeGreaterThan(0);
      for (const { to } of mail.mails) expect(to).toEqual([EMAIL]);
    });
  });
