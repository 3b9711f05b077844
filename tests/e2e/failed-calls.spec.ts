import type { Page, Route } from '@playwright/test';

import type { Endpoint } from '#contract/endpoint.ts';
import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import { sendRequest, uploadPhoto } from '#tests/support/owner.ts';
import { OWNER_CALLS, ownerEndpoints } from '#tests/support/owner-calls.ts';
import type { OwnerCall } from '#tests/support/owner-calls.ts';
import { newSubscription, stubPushManager } from '#tests/support/push-service.ts';
import * as ui from '#tests/support/ui.ts';
import { createWalletKeys } from '#tests/support/wallet-keys.ts';

/*
 * Every call of the owner's pages with every failure: the page says so in a sentence, and has a way out. The
 * last failure ends the session, and the login page is the way out.
 */

const WALLET = createWalletKeys().google;
const SETTINGS = { VIEWS: 'contacts,analytics', CARD_EXTRAS: 'all', LANGUAGES: 'hi', ...WALLET };
test.use({ environment: SETTINGS });

type Fail = (route: Route) => Promise<unknown>;

const answer = (status: number, body: object | string) => (route: Route) =>
  route.fulfill({ status, body: typeof body === 'string' ? body : JSON.stringify(body) });
const FAILURES: readonly Fail[] = [
  answer(500, { error: 'internal', message: 'It failed.' }),
  answer(403, '<h1>Forbidden</h1>'),
  // Silence, and the clock goes on after the page has shown that the call is pending.
  async (route) => {
    const page = route.request().frame().page();
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    await page.clock.fastForward(SILENCE_MS);
  },
];
const SILENCE_MS = 20_000;
const END = answer(403, { error: 'session_invalid', message: 'It failed.' });

const SENTENCE =
  /couldn't|can't|didn't get through|may not|was not|It failed|rejected|on this device until/i;
const sentence = (page: Page) =>
  page
    .locator('[role=alert], output, [aria-live], .contacts-waiting')
    .filter({ hasText: SENTENCE });

function isOf({ method, path }: Endpoint, origin: string) {
  const pattern = new RegExp(`^${origin}/api${path.replace(/:\w+/g, '[^/]+')}(?:\\?|$)`);
  return { pattern, method };
}

async function walk(page: Page, call: OwnerCall, { pattern, method }: ReturnType<typeof isOf>) {
  const { at, wayOut = (one: Page) => ui.button(one, 'Try again') } = call;
  let isOpen = call.act !== undefined;
  const act = call.act ?? ((one: Page) => (isOpen ? wayOut(one).click() : one.goto(at)));
  if (isOpen) await page.goto(at);
  await call.prepare?.(page);
  let fail: Fail = END;
  await page.route(pattern, (route) =>
    route.request().method() === method ? fail(route) : route.fallback(),
  );
  const requestOf = (one: { url: () => string; method: () => string }) =>
    pattern.test(one.url()) && one.method() === method;
  for (fail of FAILURES) {
    const requested = page.waitForRequest(requestOf);
    await act(page);
    await requested;
    isOpen = true;
    await expect(sentence(page).first()).toBeVisible();
    await expect(wayOut(page)).toBeEnabled();
    await expect(wayOut(page)).not.toHaveAttribute('aria-disabled');
  }
  fail = END;
  await act(page);
  // The stream of a screen leaves that to the other calls.
  if (call !== OWNER_CALLS['getLive']) await ui.waitForLoginPage(page);
}

test('failed calls: all calls of the owner’s pages are walked', async () => {
  expect(Object.keys(OWNER_CALLS).toSorted()).toEqual(
    [...(await ownerEndpoints()).keys()].toSorted(),
  );
});

for (const [name, call] of Object.entries(OWNER_CALLS)) {
  test.describe(() => {
    if (call.needs === 'push')
      test.use({
        serviceWorkers: 'allow',
        permissions: ['notifications'],
        server: async ({ serve, push }, use) =>
          use(await serve({ ...SETTINGS, PUSH_TEST_ORIGIN: push.origin })),
      });
    test(`failed calls: ${name} says so, and has a way out`, async ({
      page,
      server,
      owner,
      push,
      addContact,
    }) => {
      // A stream is not logged.
      if (name !== 'getLive') ui.expectErrors(page, /answered|did not get through|failed/);
      ui.collectAlerts(page);
      const endpoint = (await ownerEndpoints()).get(name);
      if (!endpoint) throw new Error(`${name} is no call.`);
      await addContact({ name: 'Ravi', mobile: '98450 12345', email: 'ravi@example.com' });
      const contact = { name: 'Held', mobile: '98450 12346' };
      await sendRequest(server, '/profile/addContact', {
        body: { userID: owner._id, contact, subject: 'x' },
      });
      if (call.needs === 'photo') await uploadPhoto(server, owner);
      if (call.needs === 'push') {
        await stubPushManager(page.context(), newSubscription(`${push.origin}/created/x`).json);
        await page.goto('/dashboard');
        await page.evaluate(async () => navigator.serviceWorker.ready);
        if (name !== 'getPushKey')
          await page.evaluate(() => localStorage.setItem('test.subscribedWith', 'AAAA'));
      }
      await page.clock.install();
      await walk(page, call, isOf(endpoint, server.origin));
    });
  });
}
