import type { Page } from '@playwright/test';

import { expect, ownerTest as base } from '#tests/support/browser-test.ts';
import { decryptPush, newSubscription, stubPushManager } from '#tests/support/push-service.ts';
import * as ui from '#tests/support/ui.ts';

const test = base.extend({
  server: async ({ serve, push }, use) => use(await serve({ PUSH_TEST_ORIGIN: push.origin })),
});

test.use({ serviceWorkers: 'allow', permissions: ['notifications'] });

/** Returns a function that delivers a message to the page's worker until its notification is shown. */
async function openDelivery(page: Page, origin: string) {
  const cdp = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  const registrationId = await registered;
  // A busy browser may lose a message. The same one twice replaces its own notification.
  return (data: string, title: string) =>
    expect(async () => {
      await cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
      await expect.poll(() => shownNotifications(page), { timeout: 5_000 }).toEqual([title]);
    }).toPass();
}

const shownNotifications = (page: Page) =>
  page.evaluate(async () => {
    const shown = await (await navigator.serviceWorker.ready).getNotifications();
    return shown.map(({ title, body }) => `${title}: ${body}`.slice(0, 50));
  });

/** A tap on the notification, for the worker, which may focus or open nothing without a real one. */
const TAP = `(async () => {
  const done = [];
  WindowClient.prototype.focus = async function () {
    done.push('focus', new URL(this.url).pathname);
  };
  clients.openWindow = async (path) => void done.push('open', path);
  const [shown] = await registration.getNotifications();
  const notification = shown ?? { tag: '', close: () => undefined };
  const event = Object.assign(new Event('notificationclick'), { notification });
  await new Promise((resolve) => {
    event.waitUntil = (promise) => promise.then(resolve);
    self.dispatchEvent(event);
  });
  return done;
})()`;

test('notify me: a contact causes a notification until it is switched off', async ({
  page,
  context,
  server,
  push,
  addContact,
}) => {
  ui.expectErrors(page, /subscribe.* answered 429/);
  const subscription = newSubscription(`${push.origin}/created/browser`);
  await stubPushManager(context, subscription.json);
  const tap = (script: string) => context.serviceWorkers()[0]?.evaluate(script);
  const toggle = page.getByRole('switch', { name: 'Notify me' });
  await page.goto('/dashboard');
  // It is offered after the first contact.
  await ui.expectTexts(page, 'Nobody has left their details yet.');
  await expect(toggle).toHaveCount(0);
  await addContact({ name: 'Meera', mobile: '98450 12345' });
  await page.reload();
  await expect(toggle).not.toBeChecked();
  const message = 'Too many changes. Try again in a minute.';
  const reply = { status: 429, error: 'too_many_requests', message };
  await ui.failCalls(page, '**/api/push/subscribe/*', reply);
  await toggle.click();
  await ui.expectTexts(page, message);
  await page.unrouteAll();
  const stored = () => page.evaluate(() => localStorage.getItem('test.subscribedWith'));
  await expect.poll(stored).not.toBeNull();
  await toggle.click();
  await expect(toggle).toBeChecked();
  await addContact({ name: 'Ravi Kumar', mobile: '98765 43210', companyName: 'Kaveri' });
  await expect.poll(() => push.received.length).toBe(1);
  const sent = decryptPush(push.received[0]?.body ?? Buffer.alloc(0), subscription);
  const [title, body] = ['Ravi Kumar left their details', 'Kaveri'];
  const navigate = `${server.origin}/dashboard`;
  expect(JSON.parse(sent)).toEqual({
    name: 'Ravi Kumar',
    companyName: 'Kaveri',
    web_push: 8030,
    notification: { title, body, navigate, tag: expect.any(String) },
  });
  const deliver = await openDelivery(page, server.origin);
  await deliver(sent, 'Ravi Kumar left their details: Kaveri');
  expect(await tap(TAP)).toEqual(['focus', '/dashboard']);
  await expect.poll(() => shownNotifications(page)).toEqual([]);
  expect(await tap(`clients.matchAll = async () => [];\n${TAP}`)).toEqual(['open', '/dashboard']);
  await page.reload();
  await expect(toggle).toBeChecked();
  await toggle.click();
  await expect(toggle).not.toBeChecked();
  await addContact({ name: 'Another', mobile: '98765 43210' });
  await page.reload();
  await expect(page.getByRole('button', { name: 'Another', exact: true })).toBeVisible();
  await expect(toggle).not.toBeChecked();
  expect(push.received).toHaveLength(1);

  await deliver('not JSON', "There's something new on your dashboard: ");
  const closed = page.waitForEvent('console', (line) => line.text() === 'closed');
  await page.evaluate(() => {
    // oxlint-disable-next-line no-console -- the test waits for it
    Notification.prototype.close = () => console.log('closed');
  });
  await ui.logOut(page);
  await closed;
  await page.waitForURL(/\/login$/);
});
