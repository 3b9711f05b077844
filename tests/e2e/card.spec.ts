import type { Page } from '@playwright/test';

import { collectAlerts, expect, test } from '#tests/support/browser-test.ts';
import { sendRequest } from '#tests/support/owner.ts';
import type { Owner } from '#tests/support/owner.ts';

const ORDER = [
  'Website',
  'Maps',
  'Whatsapp',
  'Instagram',
  'LinkedIn',
  'Pinterest',
  'Facebook',
  'YouTube',
  'Snapchat',
  'Behance',
  'X',
  'Dribbble',
];
/** The values of the browsers' developer tools: 400 ms round trip, 400 kbit/s. */
const SLOW_3G = {
  offline: false,
  latency: 400,
  downloadThroughput: 50_000,
  uploadThroughput: 50_000,
};
const PHONE_SCREEN = { width: 390, height: 844 };

async function openCard(page: Page, { _id }: Owner) {
  const address = `/user/${_id}`;
  await page.goto(address);
  return {
    address,
    opener: page.getByRole('button', { name: 'Connect', exact: true }),
    popup: page.getByRole('dialog', { name: 'Connect' }),
  };
}

test('card: without JavaScript it has its content, Save, Call, Email and all links', async ({
  server,
  browser,
  owner: { _id },
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: PHONE_SCREEN });
  const page = await context.newPage();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.resourceType()));
  await page.goto(`${server.origin}/user/${_id}`);

  // The style sheet is that of a print.
  const kinds = new Set(['script', 'stylesheet', 'font']);
  expect(requests.filter((kind) => kinds.has(kind))).toEqual(['stylesheet']);
  await expect(page.getByRole('heading', { name: 'Asha Rao' })).toBeInViewport();
  await expect(page.getByRole('link', { name: 'Save', exact: true })).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Connect', exact: true })).toBeInViewport();
  await expect(page.getByText('About Me')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Call' })).toHaveAttribute('href', /^tel:/);
  await expect(page.getByRole('link', { name: 'Email' })).toHaveAttribute('href', /^mailto:/);
  await expect(page.getByText('Rao & Partners Archi...')).toBeVisible();
  await expect(page.getByText('asha.rao@rao-partner...')).toBeVisible();
  const links = page.locator('a[target="_blank"]');
  const names = await links.evaluateAll((all) =>
    all.map((link) => (link.getAttribute('aria-label') ?? link.textContent ?? '').trim()),
  );
  expect(names.filter((name) => ORDER.includes(name))).toEqual(ORDER);
  await expect(page.getByRole('link', { name: 'Whatsapp' })).toHaveAttribute(
    'href',
    'https://wa.me/919876543210',
  );
  await expect(page.getByText('Create Your Tessera Card')).toBeVisible();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  // getByText skips it.
  await expect(page.locator('noscript p')).toHaveText(/^Sending needs JavaScript/);
  await expect(page.locator('noscript p')).toBeVisible();
  await expect(page.getByRole('textbox')).toHaveCount(0);
  await context.close();
});

test('Connect: a visitor’s details are stored for the owner', async ({ page, server, owner }) => {
  const alerts = collectAlerts(page);
  await page.goto(`${server.origin}/user/${owner._id}`);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  const popup = page.getByRole('dialog', { name: 'Connect' });
  await expect(popup).toBeVisible();
  await expect(page.locator('html')).toHaveCSS('overflow-y', 'hidden');

  await popup.getByRole('textbox', { name: 'Name' }).fill('Ravi');
  await popup.getByRole('button', { name: 'Connect' }).click();
  await expect.poll(() => alerts).toEqual(['Fill your name and atleast one contact detail']);
  await expect(popup).toBeVisible();
  const lacking = popup.locator('[aria-invalid]');
  expect(await lacking.evaluateAll((fields) => fields.map(({ id }) => id))).toEqual([
    'mobile',
    'email',
  ]);
  const mobile = popup.getByRole('textbox', { name: 'Mobile' });
  await expect(mobile).toBeFocused();
  await expect(mobile).toHaveCSS('outline-offset', '-2px');
  await expect(mobile).toHaveAccessibleDescription('Fill in this or your email.');

  await popup.getByRole('textbox', { name: 'Mobile' }).fill('\u202A98450 12345\u202C');
  await popup.getByRole('textbox', { name: 'Company' }).fill('Ravi Steel');
  await popup.getByRole('button', { name: 'Connect' }).click();
  await expect.poll(() => alerts.at(-1)).toBe('Contact Send Successfully');
  await expect(popup).toBeHidden();
  await expect(page.getByText('Sent to Asha. Save this card too?')).toBeVisible();
  await expect(page.locator('html')).not.toHaveCSS('overflow-y', 'hidden');
  const contacts = await sendRequest<{ _id: string }[]>(
    server,
    `/profile/getContacts/${owner._id}`,
    {
      token: owner.sessionToken,
    },
  );
  expect(contacts.map(({ _id, ...contact }) => [typeof _id, contact])).toEqual([
    ['string', { name: 'Ravi', companyName: 'Ravi Steel', email: '', mobile: '98450 12345' }],
  ]);
});

test('Connect: sends userID and contact, and the honeypot field only if it was filled', async ({
  page,
  owner,
}) => {
  collectAlerts(page);
  const bodies: unknown[] = [];
  await page.route('**/profile/addContact', async (route) => {
    bodies.push(route.request().postDataJSON());
    await route.fulfill({ json: {} });
  });
  const { opener, popup } = await openCard(page, owner);
  const contact = { name: 'Ravi', mobile: '', email: 'ravi@steel.example', companyName: '' };
  const userID = owner._id;
  for (const website of ['', 'https://robot.example']) {
    await opener.click();
    await popup.getByRole('textbox', { name: 'Name' }).fill(contact.name);
    await popup.getByRole('textbox', { name: 'Email' }).fill(contact.email);
    await page.locator('[name=website]').evaluate((input: HTMLInputElement, value) => {
      input.value = value;
    }, website);
    await popup.getByRole('button', { name: 'Connect', exact: true }).click();
    await expect(popup).toBeHidden();
  }
  expect(bodies).toEqual([
    { userID, contact },
    { userID, contact, website: 'https://robot.example' },
  ]);
});

test('Connect: Enter advances and sends, and what failed stays with Try again until it is sent', async ({
  page,
  owner,
}) => {
  const alerts = collectAlerts(page);
  const { opener, popup } = await openCard(page, owner);
  const name = popup.getByRole('textbox', { name: 'Name' });
  const notSent = page.getByText('Not sent. Try again');
  const message = 'That is a lot of contacts at once. Try again later.';
  const status = { status: 429, json: { error: 'too_many_requests', message } };
  await page.route('**/profile/addContact', (route) => route.fulfill(status));
  await opener.click();
  await page.keyboard.press('Enter');
  await popup.getByRole('textbox', { name: 'Company' }).press('Enter');
  await expect(name).toBeFocused();
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await expect(popup.getByText('Fill in your name.')).toBeVisible();
  for (const typed of ['Ravi', '', 'ravi@steel.example', 'Ravi Steel']) {
    await page.keyboard.type(typed);
    await page.keyboard.press('Enter');
  }
  await expect(notSent).toContainText(message);
  await page.unroute('**/profile/addContact');
  await page.route('**/profile/addContact', (route) => route.abort());
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(name).toHaveValue('Ravi');
  await expect(name).not.toHaveAttribute('aria-invalid');
  await popup.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(notSent).not.toContainText(message);
  await page.unroute('**/profile/addContact');
  await page.getByRole('button', { name: 'Try again' }).click();
  await popup.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText('Sent to Asha. Save this card too?')).toBeVisible();
  await expect(notSent).toBeHidden();
  await expect(opener).toBeFocused();
  const [incomplete, failed] = alerts;
  expect(alerts).toEqual([incomplete, failed, 'Some error occured', 'Contact Send Successfully']);
  expect(incomplete).toBe('Fill your name and atleast one contact detail');
  expect(failed).toBe('Some error occured');
});

test('Connect: the browser’s Back closes it and stays on the card', async ({
  page,
  server,
  owner,
}) => {
  await page.goto(`${server.origin}/login`);
  const { address, opener, popup } = await openCard(page, owner);
  for (const close of [() => page.goBack(), () => page.keyboard.press('Escape')]) {
    await opener.click();
    await expect(popup).toBeVisible();
    await close();
    await expect(popup).toBeHidden();
    await expect(page).toHaveURL(address);
    // The entry of the pop-up has the same address.
    await expect.poll(() => page.evaluate(() => history.state as unknown)).toBeNull();
  }
  await page.goBack();
  await expect(page).toHaveURL(/\/login$/);
});

test('card: stays readable offline, also after Save, and Connect shows an alert', async ({
  page,
  owner,
}) => {
  const alerts = collectAlerts(page);
  const { opener, popup } = await openCard(page, owner);
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Save', exact: true }).click();
  const offline = page.getByText('You are offline');
  await expect(offline).toBeVisible();
  await opener.click();
  await popup.getByRole('textbox', { name: 'Name' }).fill('Ravi');
  await popup.getByRole('textbox', { name: 'Mobile' }).fill('98450 12345');
  await popup.getByRole('button', { name: 'Connect' }).click();
  await expect.poll(() => alerts).toEqual(['Some error occured']);
  await expect(popup).toBeHidden();
  await expect(page.getByRole('link', { name: 'Call' })).toHaveAttribute('href', /^tel:/);
  await page.context().setOffline(false);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Save', exact: true }).click();
  await download;
  await expect(offline).toBeHidden();
});

test('Connect: opens again right after it was closed, and Back closes it', async ({
  page,
  owner,
}) => {
  const { address, popup } = await openCard(page, owner);
  for (let round = 0; round < 5; round += 1) {
    await page.evaluate(async () => {
      const [closer, opener] = document.querySelectorAll<HTMLElement>('[popovertarget]');
      opener?.click();
      closer?.click();
      const goneBack = new Promise((resolve) => {
        window.addEventListener('popstate', resolve, { once: true });
      });
      // The close event is dispatched in the next task; history.back() takes longer.
      await new Promise((resolve) => setTimeout(resolve));
      opener?.click();
      await goneBack;
    });
    await expect(popup).toBeVisible();
    await page.goBack();
    await expect(popup).toBeHidden();
    await expect(page).toHaveURL(address);
  }
});

test('card: is complete on a slow network, and Connect opens as soon as it is visible', async ({
  page,
  server,
  owner: { _id },
}) => {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.emulateNetworkConditions', SLOW_3G);
  await page.goto(`${server.origin}/user/${_id}`, { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Connect' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('article a[target="_blank"]')).toHaveCount(12);
});

test('Connect: names the required fields and the recipient, and its hints do not block', async ({
  page,
  owner,
}) => {
  await page.goto(`/user/${owner._id}`);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  const popup = page.getByRole('dialog', { name: 'Connect' });
  await expect(popup).toContainText('Name, and a mobile number or an e-mail');
  await expect(popup).toContainText('They go to Asha Rao.');
  const policy = page.context().waitForEvent('page');
  await popup.getByRole('link', { name: 'Privacy policy' }).click();
  await expect(await policy).toHaveURL('/privacy_policy');
  const hint = popup.getByText('This does not look like a phone number.');
  await expect(hint).toBeHidden();
  await popup.getByRole('textbox', { name: 'Name' }).fill('Ravi');
  const mobile = popup.getByRole('textbox', { name: 'Mobile', exact: true });
  await expect(mobile).toHaveAccessibleDescription('');
  await mobile.pressSequentially('12a');
  await popup.getByRole('textbox', { name: 'Email', exact: true }).pressSequentially('ravi at');
  await popup.getByRole('textbox', { name: 'Company', exact: true }).focus();
  await expect(hint).toBeVisible();
  await expect(mobile).toHaveAccessibleName('Mobile');
  await expect(mobile).toHaveAccessibleDescription('This does not look like a phone number.');
  await expect(popup.getByText('This does not look like an email address.')).toBeVisible();
  await mobile.fill('+91 (98450) 12-345');
  await expect(hint).toBeHidden();
  await mobile.fill('12a');
  const alerts = collectAlerts(page);
  await popup.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect.poll(() => alerts).toEqual(['Contact Send Successfully']);
});

const IN_APP_BROWSERS = [
  'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP1A; wv) AppleWebKit/537.36 Chrome/130.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Mobile/15E148 Twitter for iPhone/10.2',
  'Mozilla/5.0 (Linux; Android 14) Chrome/130.0 Telegram-Android/10.5',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Safari Line/14.1.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0) musical_ly_33.1.0 BytedanceWebview/d8a21c6',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0) Mobile/15E148 TeamsMobile-iOS',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0) Mobile/15E148 MicroMessenger/8.0.42',
];
const BROWSERS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36',
];

test('in-app browsers: show a note with Copy link; others do not', async ({ page, owner }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const session = await page.context().newCDPSession(page);
  const openAs = async (userAgent: string) => {
    await session.send('Emulation.setUserAgentOverride', { userAgent });
    await page.goto(`/user/${owner._id}`);
    await expect(page.getByRole('heading', { name: 'Asha Rao' })).toBeVisible();
  };
  const copy = page.getByRole('button', { name: 'Copy link' });
  for (const userAgent of BROWSERS) {
    await openAs(userAgent);
    await expect(copy, userAgent).toBeHidden();
  }
  for (const userAgent of IN_APP_BROWSERS) {
    await openAs(userAgent);
    await expect(copy, userAgent).toBeVisible();
  }
  await copy.click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
});
