import { expect, test as base } from '@playwright/test';
import type { Page } from '@playwright/test';

import { startServer } from '#tests/support/server.ts';
import type { RunningServer } from '#tests/support/server.ts';
import { startFakeServices } from '#tests/support/fake-services.ts';
import type { FakeServices } from '#tests/support/fake-services.ts';

const EITHER = 'Sent by WhatsApp or SMS';

interface Fixtures {
  readonly services: FakeServices;
  /** Starts the built service with WhatsApp first and MSG91 second. */
  readonly serve: (more?: Record<string, string>) => Promise<RunningServer>;
}

const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- the runner reads the names of this parameter
  services: async ({}, use) => {
    const services = await startFakeServices();
    await use(services);
    await services.close();
  },
  serve: async ({ services }, use) => {
    const servers: RunningServer[] = [];
    const { whatsapp, msg91Gateway } = services.environment;
    await use(async (more = {}) => {
      const list = { ...msg91Gateway, ...whatsapp, SMS_GATEWAY: 'whatsapp,msg91' };
      const server = await startServer({ ...list, ...more });
      servers.push(server);
      return server;
    });
    for (const server of servers) {
      expect(server.output() + server.errors()).not.toMatch(/98765432|0000000/);
    }
    await Promise.all(servers.map((server) => server.dispose()));
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
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Asha Rao');
  for (let step = 0; step < 3; step += 1) await page.getByRole('button', { name: 'Next' }).click();
  await page.waitForURL(/\/dashboard/);
  await page.getByText('Nobody has left their details yet.').waitFor();
}

const bySms = (page: Page) => page.getByRole('button', { name: 'Send by SMS' });

// The last digit but one selects WhatsApp's answer: 0 accepts, 2 has no such number, 7 is silent.
for (const [answer, phone, gateways] of [
  ['accepted', '9876543200', ['whatsapp']],
  ['refused', '9876543220', ['whatsapp', 'msg91']],
  ['not answered', '9876543270', ['whatsapp', 'msg91']],
] as const) {
  test(`login by WhatsApp: a code that is ${answer} leads to the dashboard, with the same words`, async ({
    page,
    serve,
    services,
  }) => {
    await sendCode(page, await serve(), phone);
    await expect(page.getByText(EITHER, { exact: true })).toBeVisible();
    await expect(bySms(page)).toBeHidden();
    const messages = received(services);
    expect(messages.map(({ gateway }) => gateway)).toEqual(gateways);
    expect(new Set(messages.map(({ code }) => code)).size).toBe(1);
    await signIn(page, messages[0]?.code);
  });
}

test("login by WhatsApp: after 20 s 'Send by SMS' sends another code, and the first is void", async ({
  page,
  serve,
  services,
}) => {
  const server = await serve();
  await sendCode(page, server, '9876543200');
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
  serve,
  services,
}) => {
  const server = await serve();
  // MSG91's fake is broken for a last digit of 1.
  await sendCode(page, server, '9876543201');
  await page.clock.runFor(20_000);
  await bySms(page).click();
  await expect(page.getByRole('alert')).toHaveText('The code could not be sent. Try again.');
  await expect(bySms(page)).toBeVisible();
  await signIn(page, received(services)[0]?.code);
});

test('login by WhatsApp alone: says so, and has no other way', async ({
  page,
  serve,
  services,
}) => {
  const server = await serve({ SMS_GATEWAY: 'whatsapp' });
  await sendCode(page, server, '9876543200');
  await expect(page.getByText('Sent by WhatsApp', { exact: true })).toBeVisible();
  await page.clock.runFor(60_000);
  await expect(bySms(page)).toBeHidden();
  await signIn(page, received(services)[0]?.code);
});

test('login with a list: a number of another country shows what one gateway shows', async ({
  page,
  serve,
  services,
}) => {
  const server = await serve({ OTP_COUNTRIES: 'IN,AE' });
  await sendCode(page, server, '+971501234500');
  await expect(
    page.getByText(/^Code sent to \+971 50 123 4500\. Good for 5 minutes\.$/),
  ).toBeVisible();
  await page.clock.runFor(60_000);
  await expect(bySms(page)).toBeHidden();
  expect(received(services).map(({ gateway }) => gateway)).toEqual(['msg91']);
  await signIn(page, received(services)[0]?.code);
});
