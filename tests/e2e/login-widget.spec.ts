import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from '@playwright/test';
import type { Page, Route } from '@playwright/test';

import * as ui from '#tests/support/ui.ts';

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

const phone = (page: Page) => ui.textbox(page, 'Phone number');
const code = (page: Page) => ui.textbox(page, 'Code');
const tokens = (page: Page) => page.evaluate('window.tokens');
const UNREACHABLE = 'The service cannot be reached. Check your network and try again.';

async function sendCode(page: Page): Promise<void> {
  await phone(page).fill('98765 43210');
  await ui.button(page, 'Send code').click();
}

const expectAlert = (page: Page, text: string) => expect(page.getByRole('alert')).toHaveText(text);

test('login widget: its script is less than 12 KB', () => {
  expect(Buffer.byteLength(SCRIPT)).toBeLessThan(12_000);
});

test('login widget: a phone and a code return a token to the page', async ({ page }) => {
  const calls = await open(page);
  const code91 = page.getByText('+91', { exact: true });
  await expect(phone(page)).toHaveValue('');
  await expect(phone(page)).toHaveAttribute('autocomplete', 'tel');
  await expect(phone(page)).toHaveAttribute('inputmode', 'tel');
  for (const own of ['+', '+44 7911 123456', '０091 98765 43210', '919876543210', '＋91']) {
    await phone(page).fill(own);
    await expect(code91).toBeHidden();
  }
  for (const national of ['98765 43210', '09876543210', '91234 56789']) {
    await phone(page).fill(national);
    await expect(code91).toBeVisible();
  }
  await phone(page).fill('');
  await page.keyboard.type('98765 43210');
  await page.keyboard.press('Enter');
  await expect(code(page)).toBeFocused();
  await expect(code(page)).toHaveAttribute('autocomplete', 'one-time-code');
  await expect(code(page)).toHaveAttribute('inputmode', 'numeric');
  await ui.expectTexts(page, 'Code sent to +91 98765 43210. Good for 5 minutes.');
  await page.keyboard.type('१२३ ४५६');
  await page.keyboard.press('Enter');
  await expect.poll(() => tokens(page)).toEqual(['the token']);
  expect(calls).toEqual([
    ['/base/otp/send', { appId: 'my-app', phone: '98765 43210' }],
    ['/base/otp/verify', { challenge: 'a challenge', code: '१२३ ४५६' }],
  ]);
});

test('login widget: what is wrong is said, and the number can be changed', async ({ page }) => {
  const message = 'Codes can be sent to mobile numbers only.';
  const broken = 'Something went wrong on our side. Try again in a moment.';
  const responses: [ReturnType<HttpResponse>, string][] = [
    [{ status: 400, json: { error: 'phone_refused', message } }, message],
    ['offline', UNREACHABLE],
    [{ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }, broken],
    [{ status: 200, contentType: 'text/html', body: 'hello' }, broken],
  ];
  const replies = responses.map(([reply]) => reply);
  const calls = await open(page, { send: () => replies.shift() ?? { json: SENT } });
  await ui.button(page, 'Send code').click();
  await expectAlert(page, 'Type your phone number.');
  expect(calls).toEqual([]);
  await phone(page).fill('02223456789');
  for (const [, sentence] of responses) {
    await ui.button(page, 'Send code').click();
    await expectAlert(page, sentence);
    await expect(phone(page)).toBeFocused();
    await expect(phone(page)).toHaveAttribute('aria-invalid', 'true');
    await expect(ui.button(page, 'Send code')).toBeEnabled();
  }
  await page.keyboard.type('0');
  await expect(phone(page)).toHaveValue('022234567890');
  await ui.button(page, 'Send code').click();
  await expect(code(page)).toBeFocused();
  await ui.button(page, 'Verify').click();
  await expectAlert(page, 'Type the code from the message.');
  await ui.button(page, 'Change number').click();
  await expect(phone(page)).toBeFocused();
  await expect(phone(page)).toHaveValue('022234567890');
  await expect(code(page)).toBeHidden();
  await phone(page).fill('9876543211');
  await ui.button(page, 'Send code').click();
  await expect(code(page)).toBeFocused();
  expect(calls.at(-1)).toEqual(['/base/otp/send', { appId: 'my-app', phone: '9876543211' }]);
  expect(calls).toHaveLength(6);
});

test('login widget: a code is sent once, and verified without a press', async ({ page }) => {
  const wrong = { status: 403, json: { error: 'code_wrong', message: 'This code is wrong.' } };
  const answers: ReturnType<HttpResponse>[] = [wrong, wrong];
  const calls = await openWithClock(page, {
    verify: () => answers.shift() ?? { json: { token: 'the token' } },
  });
  const codes = () => calls.slice(1).map(([, body]) => (body as { code: string }).code.trim());
  await phone(page).fill('98765 43210');
  await page.evaluate(() => {
    const form = document.querySelector('form');
    for (let n = 0; n < 5; n += 1) form?.requestSubmit();
  });
  await code(page).fill('12345');
  await code(page).pressSequentially('6');
  await page.clock.runFor(500);
  await expectAlert(page, 'This code is wrong.');
  await ui.button(page, 'Verify').click();
  await page.clock.runFor(2000);
  expect(codes()).toEqual(['123456']);
  await ui.button(page, 'Verify').click();
  await expect.poll(codes).toEqual(['123456', '123456']);
  await page.clock.runFor(2000);
  await code(page).selectText();
  await page.evaluate((text) => document.execCommand('insertText', false, text), ' 424 242\u00a0');
  await page.clock.runFor(500);
  await expect.poll(() => tokens(page)).toEqual(['the token']);
  await ui.button(page, 'Verify').click();
  await code(page).press('Enter');
  expect(codes()).toEqual(['123456', '123456', '424 242']);
});

test('login widget: after the countdown another code can be requested', async ({ page }) => {
  const message = 'Too many codes were asked for. Try again in 40 seconds.';
  const sends: ReturnType<HttpResponse>[] = [
    { json: SENT },
    {
      status: 429,
      headers: { 'retry-after': '40' },
      json: { error: 'too_many_requests', message },
    },
    { json: { ...SENT, challenge: 'second', resendAfterSeconds: 60, codeLength: 8 } },
  ];
  const calls = await openWithClock(page, { send: () => sends.shift() ?? 'offline' });
  await sendCode(page);
  await expect(ui.button(page, 'Resend code in 30 s')).toBeDisabled();
  await page.clock.runFor(29_000);
  await expect(ui.button(page, 'Resend code in 1 s')).toBeDisabled();
  await page.clock.runFor(1_000);
  await ui.button(page, 'Resend code').click();
  await expectAlert(page, message);
  await expect(ui.button(page, 'Resend code in 40 s')).toBeDisabled();
  await page.clock.runFor(40_000);
  await ui.button(page, 'Resend code').click();
  await expect(ui.button(page, 'Resend code in 60 s')).toBeDisabled();
  await expect(code(page)).toBeFocused();
  // It is verified after its last digit.
  await code(page).fill('123456');
  await page.clock.runFor(1_000);
  expect(calls).toHaveLength(3);
  await code(page).pressSequentially('78');
  await page.clock.runFor(1_000);
  const verified = ['/base/otp/verify', { challenge: 'second', code: '12345678' }];
  await expect.poll(() => calls.at(-1)).toEqual(verified);
});

test('login widget: is shown again without a use of its token in 10 s', async ({ page }) => {
  await openWithClock(page);
  await sendCode(page);
  await code(page).fill('123456');
  await ui.button(page, 'Verify').click();
  await expect.poll(() => tokens(page)).toEqual(['the token']);
  await page.clock.runFor(10_000);
  await expectAlert(page, 'Signing in did not finish. Ask for a new code.');
  const status = page.getByRole('status').first();
  await page.route('**/otp/send', () => undefined);
  await ui.button(page, 'Send code').click();
  await expect(status).toHaveText('Sending the code');
  await expect(page.locator('.otp-step').first()).toHaveAttribute('aria-busy', 'true');
  await page.clock.runFor(15_000);
  await expectAlert(page, UNREACHABLE);
  await expect(status).toHaveText('');
});

test('login widget: is shown once although its script loads twice', async ({ page }) => {
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

test('login widget: a reload keeps the code step until it is over', async ({ page }) => {
  const calls = await openWithClock(page);
  await sendCode(page);
  await ui.button(page, 'Change number').click();
  await page.reload();
  await expect(phone(page)).toBeVisible();
  await sendCode(page);
  await expect(code(page)).toBeVisible();
  await page.clock.runFor(300_000);
  await page.reload();
  await expect(phone(page)).toBeVisible();
  await sendCode(page);
  await expect(ui.button(page, 'Resend code in 30 s')).toBeDisabled();
  await page.clock.runFor(10_000);
  await page.reload();
  await ui.expectTexts(page, 'Code sent to +91 98765 43210. Good for 5 minutes.');
  await expect(ui.button(page, 'Resend code in 20 s')).toBeDisabled();
  await page.clock.runFor(1_000);
  await expect(code(page)).toBeFocused();
  await code(page).fill('123456');
  await page.clock.runFor(1_000);
  await expect.poll(() => tokens(page)).toEqual(['the token']);
  expect(calls.at(-1)).toEqual(['/base/otp/verify', { challenge: 'a challenge', code: '123456' }]);
  await page.reload();
  await expect(phone(page)).toBeVisible();
});
