import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from '@playwright/test';
import type { Page, Route } from '@playwright/test';

// The script of the embedded provider on a page that is not the product's, as any page can embed it.
const SCRIPT = readFileSync(join(import.meta.dirname, '../../dist/web/login.js'), 'utf8');
const PAGE = `<!doctype html><meta charset="utf-8"><title>Widget</title>
<div id="otp-login-page"></div>
<script>window.tokens = []; window.otp = ({ token }) => { window.tokens.push(token); };</script>
<script id="otp-sdk" src="/otp/embedded.js" data-appid="my-app" data-api="/base" data-calling-code="+91"></script>`;
const SENT = {
  challenge: 'a challenge',
  phone: '+919876543210',
  phoneText: '+91 98765 43210',
  resendAfterSeconds: 30,
  lifeSeconds: 300,
  codeLength: 6,
};

const START_MS = Date.UTC(2026, 0, 15);
/** More than the page takes to load; the clock runs until then. */
const LOAD_MS_MAX = 600_000;

type HttpResponse = (body: Record<string, string>) => Parameters<Route['fulfill']>[0] | 'offline';

async function open(page: Page, responses: { send?: HttpResponse; verify?: HttpResponse } = {}) {
  const calls: [string, unknown][] = [];
  await page.route('**/*', async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/') return route.fulfill({ contentType: 'text/html', body: PAGE });
    if (pathname === '/otp/embedded.js') {
      return route.fulfill({ contentType: 'text/javascript', body: SCRIPT });
    }
    const body = (route.request().postDataJSON() ?? {}) as Record<string, string>;
    calls.push([pathname, body]);
    const response = pathname.endsWith('/send')
      ? (responses.send?.(body) ?? { json: SENT })
      : (responses.verify?.(body) ?? { json: { token: 'the token' } });
    return response === 'offline' ? route.abort('internetdisconnected') : route.fulfill(response);
  });
  await page.goto('http://widget.test/');
  return calls;
}

/** Opens the page as `open` does, with a clock that only the test advances. */
async function openWithClock(page: Page, responses?: Parameters<typeof open>[1]) {
  await page.clock.install({ time: START_MS });
  const calls = await open(page, responses);
  await page.clock.pauseAt(START_MS + LOAD_MS_MAX);
  return calls;
}

const phone = (page: Page) => page.getByRole('textbox', { name: 'Phone number', exact: true });
const code = (page: Page) => page.getByRole('textbox', { name: 'Code', exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const tokens = (page: Page) => page.evaluate('window.tokens');

async function sendCode(page: Page): Promise<void> {
  await phone(page).fill('9876543210');
  await button(page, 'Send code').click();
}

test('login widget: a phone and a code, typed by keyboard, return a token to the page', async ({
  page,
}) => {
  const calls = await open(page);
  await expect(phone(page)).toHaveAttribute('autocomplete', 'tel');
  await expect(phone(page)).toHaveAttribute('inputmode', 'tel');
  await phone(page).focus();
  await page.keyboard.type('98765 43210');
  await page.keyboard.press('Enter');
  await expect(code(page)).toBeFocused();
  await expect(code(page)).toHaveAttribute('autocomplete', 'one-time-code');
  await expect(code(page)).toHaveAttribute('inputmode', 'numeric');
  await expect(page.getByText('Code sent to +91 98765 43210. Good for 5 minutes.')).toBeVisible();
  await page.keyboard.type('१२३ ४५६');
  await page.keyboard.press('Enter');
  await expect.poll(() => tokens(page)).toEqual(['the token']);
  expect(calls).toEqual([
    ['/base/otp/send', { appId: 'my-app', phone: '98765 43210' }],
    ['/base/otp/verify', { challenge: 'a challenge', code: '१२३ ४५६' }],
  ]);
});

test('login widget: the country code is drawn until the number has its own, and is never sent', async ({
  page,
}) => {
  const calls = await open(page);
  const code91 = page.getByText('+91', { exact: true });
  await expect(code91).toBeVisible();
  await expect(phone(page)).toHaveValue('');
  for (const own of ['+', '+44 7911 123456', '０091 98765 43210', '919876543210', '＋91']) {
    await phone(page).fill(own);
    await expect(code91).toBeHidden();
  }
  for (const national of ['98765 43210', '09876543210', '91234 56789']) {
    await phone(page).fill(national);
    await expect(code91).toBeVisible();
  }
  await button(page, 'Send code').click();
  await expect(page.getByText('Enter the code', { exact: true })).toBeVisible();
  expect(calls).toEqual([['/base/otp/send', { appId: 'my-app', phone: '91234 56789' }]]);
});

test('login widget: repeated presses send one call', async ({ page }) => {
  const calls = await open(page);
  await phone(page).fill('9876543210');
  await page.evaluate(() => {
    const form = document.querySelector('form');
    for (let n = 0; n < 5; n += 1) form?.requestSubmit();
  });
  await code(page).fill('123456');
  await button(page, 'Verify').click();
  await expect.poll(() => tokens(page)).toEqual(['the token']);
  await button(page, 'Verify').click();
  await code(page).press('Enter');
  expect(calls).toHaveLength(2);
});

test('login widget: an error of the server is an alert, and the text box gets the focus', async ({
  page,
}) => {
  const message = 'Codes can be sent to mobile numbers only.';
  const rejection = { status: 400, json: { error: 'phone_refused', message } };
  await open(page, { send: () => rejection });
  await phone(page).fill('02223456789');
  await button(page, 'Send code').click();
  await expect(page.getByRole('alert')).toHaveText(message);
  await expect(phone(page)).toBeFocused();
  await expect(phone(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(button(page, 'Send code')).toBeEnabled();
  await page.keyboard.type('0');
  await expect(phone(page)).toHaveValue('022234567890');
});

test('login widget: without a network or with a broken server it shows a sentence', async ({
  page,
}) => {
  const responses: ReturnType<HttpResponse>[] = [
    'offline',
    { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' },
    { status: 200, contentType: 'text/html', body: 'hello' },
  ];
  await open(page, { send: () => responses.shift() ?? { json: SENT } });
  await sendCode(page);
  await expect(page.getByRole('alert')).toHaveText(
    'The service cannot be reached. Check your network and try again.',
  );
  for (let n = 0; n < 2; n += 1) {
    await button(page, 'Send code').click();
    await expect(page.getByRole('alert')).toHaveText(
      'Something went wrong on our side. Try again in a moment.',
    );
  }
  await button(page, 'Send code').click();
  await expect(code(page)).toBeFocused();
});

test('login widget: empty text boxes are not sent', async ({ page }) => {
  const calls = await open(page);
  await button(page, 'Send code').click();
  await expect(page.getByRole('alert')).toHaveText('Type your phone number.');
  await sendCode(page);
  await button(page, 'Verify').click();
  await expect(page.getByRole('alert')).toHaveText('Type the code from the message.');
  expect(calls).toHaveLength(1);
});

test('login widget: a press of Verify soon after the automatic attempt sends no second one', async ({
  page,
}) => {
  const json = { error: 'code_wrong', message: 'This code is wrong.' };
  const calls = await openWithClock(page, { verify: () => ({ status: 400, json }) });
  await sendCode(page);
  await code(page).fill('123456');
  await page.clock.runFor(500);
  await expect(page.getByRole('alert')).toHaveText(json.message);
  await button(page, 'Verify').click();
  await page.clock.runFor(2000);
  expect(calls.map(([path]) => path)).toEqual(['/base/otp/send', '/base/otp/verify']);
  await button(page, 'Verify').click();
  await expect.poll(() => calls).toHaveLength(3);
});

test('login widget: another code can be requested after the countdown', async ({ page }) => {
  const challenges = ['first', 'second'];
  const waits = [30, 60];
  const calls = await openWithClock(page, {
    send: () => ({
      json: { ...SENT, challenge: challenges.shift(), resendAfterSeconds: waits.shift() },
    }),
  });
  await sendCode(page);
  await expect(button(page, 'Resend code in 30 s')).toBeDisabled();
  await page.clock.runFor(29_000);
  await expect(button(page, 'Resend code in 1 s')).toBeDisabled();
  await page.clock.runFor(1_000);
  await button(page, 'Resend code').click();
  await expect(button(page, 'Resend code in 60 s')).toBeDisabled();
  await expect(code(page)).toBeFocused();
  await code(page).fill('123456');
  await button(page, 'Verify').click();
  await expect
    .poll(() => calls.at(-1))
    .toEqual(['/base/otp/verify', { challenge: 'second', code: '123456' }]);
});

test('login widget: a rejected resend shows the sentence and counts down Retry-After', async ({
  page,
}) => {
  const message = 'Too many codes were asked for. Try again in 40 seconds.';
  const rejection = {
    status: 429,
    headers: { 'retry-after': '40' },
    json: { error: 'too_many_requests', message },
  };
  const responses: ReturnType<HttpResponse>[] = [{ json: SENT }, rejection];
  await openWithClock(page, { send: () => responses.shift() ?? 'offline' });
  await sendCode(page);
  await expect(code(page)).toBeFocused();
  await page.clock.runFor(30_000);
  await button(page, 'Resend code').click();
  await expect(page.getByRole('alert')).toHaveText(message);
  await expect(button(page, 'Resend code in 40 s')).toBeDisabled();
});

test('login widget: the number can be changed', async ({ page }) => {
  const calls = await open(page);
  await sendCode(page);
  await button(page, 'Change number').click();
  await expect(phone(page)).toBeFocused();
  await expect(phone(page)).toHaveValue('9876543210');
  await expect(code(page)).toBeHidden();
  await phone(page).fill('9876543211');
  await button(page, 'Send code').click();
  await expect(code(page)).toBeFocused();
  expect(calls.map(([, body]) => body)).toEqual([
    { appId: 'my-app', phone: '9876543210' },
    { appId: 'my-app', phone: '9876543211' },
  ]);
});

test('login widget: is shown again if the page did not use its token', async ({ page }) => {
  await openWithClock(page);
  await sendCode(page);
  await code(page).fill('123456');
  await button(page, 'Verify').click();
  await expect.poll(() => tokens(page)).toEqual(['the token']);
  await page.clock.runFor(10_000);
  await expect(page.getByRole('alert')).toHaveText(
    'Signing in did not finish. Ask for a new code.',
  );
  await expect(button(page, 'Send code')).toBeEnabled();
});

test('login widget: is not duplicated when the container is replaced or the script loads twice', async ({
  page,
}) => {
  await open(page);
  await sendCode(page);
  await code(page).fill('123');
  await page.evaluate(() => {
    const container = document.createElement('div');
    container.id = 'otp-login-page';
    document.getElementById('otp-login-page')?.replaceWith(container);
    const script = document.createElement('script');
    script.src = '/otp/embedded.js';
    document.body.append(script);
    return new Promise((resolve) => {
      script.addEventListener('load', resolve);
    });
  });
  await expect(code(page)).toHaveCount(1);
  await expect(code(page)).toHaveValue('123');
});

test('login widget: WebOTP fills the code in', async ({ page }) => {
  // A browser with WebOTP that receives the message at once.
  await page.addInitScript(() => {
    const get = {
      async get({ otp }: { otp: { transport: string[] } }) {
        return otp.transport.includes('sms') ? { code: '424242' } : null;
      },
    };
    Object.assign(window, { OTPCredential: Object });
    Object.defineProperty(navigator, 'credentials', { value: get });
  });
  const calls = await open(page);
  await sendCode(page);
  await expect.poll(() => tokens(page)).toEqual(['the token']);
  expect(calls.at(-1)).toEqual(['/base/otp/verify', { challenge: 'a challenge', code: '424242' }]);
});

test('login widget: six digits are verified without a press of a button, also pasted with blanks', async ({
  page,
}) => {
  const wrong = { status: 403, json: { error: 'code_invalid', message: 'Not right.' } };
  const answers: ReturnType<HttpResponse>[] = [wrong, { json: { token: 'the token' } }];
  const calls = await open(page, { verify: () => answers.shift() ?? 'offline' });
  await sendCode(page);
  await code(page).fill('12345');
  await code(page).pressSequentially('6');
  await expect(page.getByRole('alert')).toHaveText('Not right.');
  await page.evaluate((text) => {
    document.execCommand('insertText', false, text);
  }, ' 424 242\u00a0');
  await expect.poll(() => tokens(page)).toEqual(['the token']);
  expect(calls.slice(1).map(([, body]) => (body as { code: string }).code.trim())).toEqual([
    '123456',
    '424 242',
  ]);
});

test('login widget: a code of eight digits is verified after the eighth', async ({ page }) => {
  const sent = { json: { ...SENT, codeLength: 8 } };
  const calls = await openWithClock(page, { send: () => sent });
  await sendCode(page);
  await code(page).fill('123456');
  await page.clock.runFor(1_000);
  await code(page).pressSequentially('78');
  await page.clock.runFor(1_000);
  await expect.poll(() => tokens(page)).toEqual(['the token']);
  const verified = { challenge: 'a challenge', code: '12345678' };
  expect(calls.slice(1)).toEqual([['/base/otp/verify', verified]]);
});

test('login widget: a reload keeps the code step, its challenge and its countdown', async ({
  page,
}) => {
  const calls = await openWithClock(page);
  await phone(page).fill('98765 43210');
  await button(page, 'Send code').click();
  await expect(button(page, 'Resend code in 30 s')).toBeDisabled();
  await page.clock.runFor(10_000);
  await page.reload();
  await expect(page.getByText('Code sent to +91 98765 43210. Good for 5 minutes.')).toBeVisible();
  await expect(button(page, 'Resend code in 20 s')).toBeDisabled();
  await page.clock.runFor(1_000);
  await expect(code(page)).toBeFocused();
  await code(page).fill('123456');
  await page.clock.runFor(1_000);
  await expect.poll(() => tokens(page)).toEqual(['the token']);
  expect(calls.at(-1)).toEqual(['/base/otp/verify', { challenge: 'a challenge', code: '123456' }]);
  // The code is used up.
  await page.reload();
  await expect(phone(page)).toBeVisible();
});

test('login widget: a reload after the code has expired, or was abandoned, shows the phone', async ({
  page,
}) => {
  await openWithClock(page);
  await phone(page).fill('98765 43210');
  await button(page, 'Send code').click();
  await button(page, 'Change number').click();
  await page.reload();
  await expect(phone(page)).toBeVisible();
  await phone(page).fill('98765 43210');
  await button(page, 'Send code').click();
  await expect(code(page)).toBeVisible();
  await page.clock.runFor(300_000);
  await page.reload();
  await expect(phone(page)).toBeVisible();
});

test('login widget: a pending call is announced, and fails after 15 s without an answer', async ({
  page,
}) => {
  await openWithClock(page);
  await page.route('**/otp/send', () => undefined);
  await sendCode(page);
  await expect(page.getByRole('status').first()).toHaveText('Sending the code');
  await expect(page.locator('.otp-step').first()).toHaveAttribute('aria-busy', 'true');
  await page.clock.runFor(15_000);
  await expect(page.getByRole('alert')).toHaveText(
    'The service cannot be reached. Check your network and try again.',
  );
  await expect(page.getByRole('status').first()).toHaveText('');
});
