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

/** The codes that the fakes have received, with the gateway. */
function received({ calls }: FakeServices) {
  return calls.map(({ path, body }) => ({
    gateway: path.startsWith('/whatsapp') ? 'whatsapp' : 'msg91',
    code: /"(\d{6})"/.exec(body)?.[1] ?? '',
  }));
}

const START_MS = Date.UTC(2026, 0, 15);
/** More than the page takes to load; the clock runs until then. */
const LOAD_MS_MAX = 600_000;

/** With a clock that only the test advances, until it calls `signIn`. */
async function sendCode(page: Page, phone: string) {
  await page.clock.install({ time: START_MS });
  await page.goto('/login');
  await ui.textbox(page, 'Phone number').waitFor();
  await page.clock.pauseAt(START_MS + LOAD_MS_MAX);
  await ui.textbox(page, 'Phone number').fill(phone);
  await ui.button(page, 'Send code').click();
  await expect(ui.textbox(page, 'Code')).toBeFocused();
}

/** The form submits a complete code automatically. */
async function signIn(page: Page, code: string | undefined) {
  await page.clock.resume();
  await ui.textbox(page, 'Code').fill(code ?? '');
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

test('login by WhatsApp: the first code works if SMS is refused', async ({ page, services }) => {
  // MSG91's fake is broken for a last digit of 1.
  await sendCode(page, '9876543201');
  await page.clock.runFor(20_000);
  await bySms(page).click();
  await expect(page.getByRole('alert')).toHaveText('The code could not be sent. Try again.');
  await expect(bySms(page)).toBeVisible();
  await signIn(page, received(services)[0]?.code);
});

const SENT = /^Code sent to \+971 50 123 4500\. Good for 5 minutes\.$/;

for (const [name, phone, environment, text, gateway] of [
  ['WhatsApp alone', '9876543200', { SMS_GATEWAY: 'whatsapp' }, /^Sent by WhatsApp$/, 'whatsapp'],
  ['another country', '+971501234500', { OTP_COUNTRIES: 'IN,AE' }, SENT, 'msg91'],
] as const) {
  test.describe(() => {
    test.use({ environment: { ...environment } });

    test(`login with ${name}: says so, and has no other way`, async ({ page, services }) => {
      await sendCode(page, phone);
      await ui.expectTexts(page, text);
      await page.clock.runFor(60_000);
      await expect(bySms(page)).toBeHidden();
      const [message, ...others] = received(services);
      expect([message?.gateway, others]).toEqual([gateway, []]);
      await signIn(page, message?.code);
    });
  });
}
