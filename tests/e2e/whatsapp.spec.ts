import type { Page } from '@playwright/test';

import { expect, test as base } from '#tests/support/browser-test.ts';
import type { FakeServices } from '#tests/support/fake-services.ts';
import type { RunningServer } from '#tests/support/server.ts';

const EITHER = 'Sent by WhatsApp or SMS';

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
async function sendCode(page: Page, server: RunningServer, phone: string) {
  await page.clock.install({ time: START_MS });
  await page.goto(`${server.origin}/login`);
  await page.getByRole('textbox', { name: 'Phone number' }).waitFor();
  await page.clock.pauseAt(START_MS + LOAD_MS_MAX);
  await page.getByRole('textbox', { name: 'Phone number' }).fill(phone);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByRole('textbox', { name: 'Code' })).toBeFocused();
}

/** The form submits a complete code automatically. */
async function signIn(page: Page, code: string | undefined) {
  await page.clock.resume();
  await page.getByRole('textbox', { name: 'Code' }).fill(code ?? '');
  await page.waitForURL(/\/ftue/);
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeVisible();
}

const bySms = (page: Page) => page.getByRole('button', { name: 'Send by SMS' });

test('login by WhatsApp: a code that it refuses comes by SMS, with the same words', async ({
  page,
  server,
  services,
}) => {
  // WhatsApp's fake has no such number for a last digit but one of 2.
  await sendCode(page, server, '9876543220');
  await expect(page.getByText(EITHER, { exact: true })).toBeVisible();
  await expect(bySms(page)).toBeHidden();
  const messages = received(services);
  expect(messages.map(({ gateway }) => gateway)).toEqual(['whatsapp', 'msg91']);
  expect(new Set(messages.map(({ code }) => code)).size).toBe(1);
  await signIn(page, messages[0]?.code);
});

test("login by WhatsApp: after 20 s 'Send by SMS' sends another code, and the first is void", async ({
  page,
  server,
  services,
}) => {
  await sendCode(page, server, '9876543200');
  await expect(page.getByText(EITHER, { exact: true })).toBeVisible();
  const box = await page.getByRole('button', { name: 'Change number' }).boundingBox();
  await page.clock.runFor(19_000);
  await expect(bySms(page)).toBeHidden();
  // The time is also kept across a reload.
  await page.reload();
  await page.clock.runFor(2000);
  await expect(bySms(page)).toBeVisible();
  expect(await page.getByRole('button', { name: 'Change number' }).boundingBox()).toEqual(box);
  await bySms(page).press('Enter');
  await expect(page.getByText('Sent by SMS', { exact: true })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Code' })).toBeFocused();
  await expect(bySms(page)).toBeHidden();
  const [first, second] = received(services);
  expect([first?.gateway, second?.gateway]).toEqual(['whatsapp', 'msg91']);
  await page.getByRole('textbox', { name: 'Code' }).fill(first?.code ?? '');
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByRole('alert')).toHaveText(/.+/);
  await signIn(page, second?.code);
});

test('login by WhatsApp: if SMS is refused, a sentence says so, and the first code still works', async ({
  page,
  server,
  services,
}) => {
  // MSG91's fake is broken for a last digit of 1.
  await sendCode(page, server, '9876543201');
  await page.clock.runFor(20_000);
  await bySms(page).click();
  await expect(page.getByRole('alert')).toHaveText('The code could not be sent. Try again.');
  await expect(bySms(page)).toBeVisible();
  await signIn(page, received(services)[0]?.code);
});

test.describe('with WhatsApp alone', () => {
  test.use({ environment: { SMS_GATEWAY: 'whatsapp' } });

  test('login by WhatsApp alone: says so, and has no other way', async ({
    page,
    server,
    services,
  }) => {
    await sendCode(page, server, '9876543200');
    await expect(page.getByText('Sent by WhatsApp', { exact: true })).toBeVisible();
    await page.clock.runFor(60_000);
    await expect(bySms(page)).toBeHidden();
    await signIn(page, received(services)[0]?.code);
  });
});

test.describe('with another country', () => {
  test.use({ environment: { OTP_COUNTRIES: 'IN,AE' } });

  test('login with a list: a number of another country shows what one gateway shows', async ({
    page,
    server,
    services,
  }) => {
    await sendCode(page, server, '+971501234500');
    await expect(
      page.getByText(/^Code sent to \+971 50 123 4500\. Good for 5 minutes\.$/),
    ).toBeVisible();
    await page.clock.runFor(60_000);
    await expect(bySms(page)).toBeHidden();
    expect(received(services).map(({ gateway }) => gateway)).toEqual(['msg91']);
    await signIn(page, received(services)[0]?.code);
  });
});
