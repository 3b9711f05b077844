import type { Page } from '@playwright/test';

import { expect, test as base } from '#tests/support/browser-test.ts';
import type { FakeServices } from '#tests/support/fake-services.ts';
import * as ui from '#tests/support/ui.ts';

/** With WhatsApp first and MSG91 second. */
const test = base.extend({
  server: async ({ serve, services, environment }, use) => {
    const { whatsapp, msg91Gateway } = services.environment;
    const list = { ...msg91Gateway, ...whatsapp, SMS_GATEWAY: 'whatsapp,msg91' };
    const server = await serve({ ...list, ...environment });
    services.calls.splice(0);
    await use(server);
    expect(server.output() + server.errors()).not.toMatch(/98765432|0000000/);
  },
});

const received = ({ calls }: FakeServices) =>
  calls.map(({ path, body }) => ({
    gateway: path.startsWith('/whatsapp') ? 'whatsapp' : 'msg91',
    code: /"(\d{6})"/.exec(body)?.[1] ?? '',
  }));

/** With a clock that only the test advances, until it calls `signIn`. */
async function sendCode(page: Page, phone: string) {
  await page.clock.install({ time: 0 });
  await page.goto('/login');
  await ui.textbox(page, 'Phone number').waitFor();
  // More than the page takes to load; the clock runs until then.
  await page.clock.pauseAt(600_000);
  await ui.textbox(page, 'Phone number').fill(phone);
  await ui.button(page, 'Send code').click();
  await expect(ui.textbox(page, 'Code')).toBeFocused();
}

/** The form submits a complete code automatically. */
async function signIn(page: Page, code = '') {
  await page.clock.resume();
  await ui.textbox(page, 'Code').fill(code);
  await page.waitForURL(/\/ftue/);
  await expect(ui.textbox(page, 'Name')).toBeVisible();
}

const bySms = (page: Page) => ui.button(page, 'Send by SMS');

test("login by WhatsApp: 'Send by SMS' voids the first code", async ({ page, services }) => {
  await sendCode(page, '9876543200');
  await ui.expectTexts(page, /^Sent by WhatsApp or SMS$/);
  const box = await ui.button(page, 'Change number').boundingBox();
  await page.clock.runFor(19_000);
  await expect(bySms(page)).toBeHidden();
  // The time is also kept across a reload.
  await page.reload();
  await page.clock.runFor(2000);
  await expect(bySms(page)).toBeVisible();
  expect(await ui.button(page, 'Change number').boundingBox()).toEqual(box);
  await bySms(page).press('Enter');
  await ui.expectTexts(page, /^Sent by SMS$/);
  await expect(ui.textbox(page, 'Code')).toBeFocused();
  await expect(bySms(page)).toBeHidden();
  const [first, second] = received(services);
  expect([first?.gateway, second?.gateway]).toEqual(['whatsapp', 'msg91']);
  await ui.textbox(page, 'Code').fill(first?.code ?? '');
  await ui.button(page, 'Verify').click();
  await expect(page.getByRole('alert')).toHaveText(/.+/);
  await signIn(page, second?.code);
});

test.describe('with WhatsApp alone', () => {
  test.use({ environment: { SMS_GATEWAY: 'whatsapp' } });

  test('login by WhatsApp: says so, and has no other way', async ({ page, services }) => {
    await sendCode(page, '9876543200');
    await ui.expectTexts(page, /^Sent by WhatsApp$/);
    await page.clock.runFor(60_000);
    await expect(bySms(page)).toBeHidden();
    expect(received(services)).toMatchObject([{ gateway: 'whatsapp' }]);
  });
});
