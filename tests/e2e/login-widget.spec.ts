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
const TIMES = { resendAfterSeconds: 30, lifeSeconds: 300 };
const PHONE = { phone: '+919876543210', phoneText: '+91 98765 43210' };
const SENT = { ...PHONE, ...TIMES, challenge: 'a challenge', codeLength: 6 };

type HttpReply = Parameters<Route['fulfill']>[0] | 'offline';

/** With a clock that only the test advances. The first calls get `replies`, later ones a success. */
async function open(page: Page, replies: { send?: HttpReply[]; verify?: HttpReply[] } = {}) {
  const calls: [string, unknown][] = [];
  await page.clock.install({ time: 0 });
  await page.route('**/*', async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/') return route.fulfill({ contentType: 'text/html', body: PAGE });
    if (pathname === '/otp/embedded.js')
      return route.fulfill({ contentType: 'text/javascript', body: SCRIPT });
    calls.push([pathname, route.request().postDataJSON()]);
    const isSend = pathname.endsWith('/send');
    const reply = (isSend ? replies.send : replies.verify)?.shift();
    if (reply === 'offline') return route.abort('internetdisconnected');
    return route.fulfill(reply ?? { json: isSend ? SENT : { token: 'the token' } });
  });
  await page.goto('http://widget.test/');
  // More than the page takes to load; the clock runs until then.
  await page.clock.pauseAt(600_000);
  return calls;
}

const phone = (page: Page) => ui.textbox(page, 'Phone number');
const code = (page: Page) => ui.textbox(page, 'Code');
const tokens = (page: Page) => page.evaluate('window.tokens');
const UNREACHABLE = "We can't reach the service. Check your network and try again.";

async function sendCode(page: Page): Promise<void> {
  await phone(page).fill('98765 43210');
  await ui.button(page, 'Send code').click();
}

const expectAlert = (page: Page, text: string) => expect(page.getByRole('alert')).toHaveText(text);

test('login widget: in 12 KB, a phone and a code return a token', async ({ page }) => {
  expect(Buffer.byteLength(SCRIPT)).toBeLessThan(12_000);
  const calls = await open(page);
  const code91 = page.getByText('+91', { exact: true });
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
  await ui.expectTexts(page, 'Sent to +91 98765 43210. Valid for 5 minutes.');
  await page.keyboard.type('१२३ ४५६');
  await page.keyboard.press('Enter');
  await expect.poll(() => tokens(page)).toEqual(['the token']);
  expect(calls).toEqual([
    ['/base/otp/send', { appId: 'my-app', phone: '98765 43210' }],
    ['/base/otp/verify', { challenge: 'a challenge', code: '१२३ ४५६' }],
  ]);
});

test('login widget: what is wrong is said, and the number can be changed', async ({ page }) => {
  const message = 'We can only send codes to mobile numbers.';
  const broken = 'Something went wrong on our side. Try again.';
  const responses: [HttpReply, string][] = [
    [{ status: 400, json: { error: 'phone_refused', message } }, message],
    ['offline', UNREACHABLE],
    [{ status: 502, body: '<h1>Bad gateway</h1>' }, broken],
    [{ status: 200, body: 'hello' }, broken],
  ];
  const calls = await open(page, { send: responses.map(([reply]) => reply) });
  await ui.button(page, 'Send code').click();
  await expectAlert(page, 'Enter your phone number.');
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
  await expectAlert(page, 'Enter the code we sent.');
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

test('login widget: a code is sent once, its token waits 10 s for the page', async ({ page }) => {
  const wrong = { status: 403, json: { error: 'code_wrong', message: 'This code is wrong.' } };
  const calls = await open(page, { verify: [wrong, wrong] });
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
  await page.clock.runFor(10_000);
  await expectAlert(page, "We couldn't finish signing you in. Request a new code.");
  const status = page.getByRole('status').first();
  await page.route('**/otp/send', () => undefined);
  await ui.button(page, 'Send code').click();
  await expect(status).toHaveText('Sending the code');
  await expect(page.locator('.otp-step').first()).toHaveAttribute('aria-busy', 'true');
  await page.clock.runFor(15_000);
  await expectAlert(page, UNREACHABLE);
  await expect(status).toHaveText('');
});

test('login widget: after the countdown another code can be requested', async ({ page }) => {
  const message = 'Wait 40 seconds before you request another code.';
  const json = { error: 'too_many_requests', message };
  const second = { ...SENT, challenge: 'second', resendAfterSeconds: 60, codeLength: 8 };
  const tooMany = { status: 429, headers: { 'retry-after': '40' }, json };
  const calls = await open(page, { send: [{ json: SENT }, tooMany, { json: second }] });
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

test("login widget: 'Send code' within the pause shows the field for the code that this page has sent", async ({
  page,
}) => {
  const other = { ...SENT, phone: '+919876543211', phoneText: '+91 98765 43211', challenge: 'b' };
  const late = { ...SENT, challenge: 'third', mayArrive: true };
  const calls = await open(page, { send: [{ json: SENT }, { json: other }, { json: late }] });
  await sendCode(page);
  await ui.button(page, 'Change number').click();
  await phone(page).fill('98765 43211');
  await ui.button(page, 'Send code').click();
  await expect(code(page)).toBeVisible();
  await ui.button(page, 'Change number').click();
  await page.reload();
  await page.clock.runFor(10_000);
  for (const typed of ['98765 43210', '+91-98765-43210', '0091 9876543210', '09876543210']) {
    await phone(page).fill(typed);
    await ui.button(page, 'Send code').click();
    await expect(code(page)).toBeFocused();
    await ui.expectTexts(page, 'Wait 20 seconds before you request another code.');
    await ui.expectTexts(page, 'Sent to +91 98765 43210. Valid for 5 minutes.');
    await ui.button(page, 'Change number').click();
  }
  await ui.button(page, 'Send code').click();
  await page.clock.runFor(19_000);
  await ui.expectTexts(page, 'Wait 1 second before you request another code.');
  await page.clock.runFor(1000);
  await expect(page.getByText('before you request')).toHaveCount(0);
  await expect(page.getByText('Use the newest')).toHaveCount(0);
  expect(calls).toHaveLength(2);
  await ui.button(page, 'Resend code').click();
  await ui.expectTexts(page, 'The code for +91 98765 43210 may still arrive. Valid for 5 minutes.');
  await ui.expectTexts(page, 'Use the newest code.');
  await page.reload();
  await ui.expectTexts(page, 'Use the newest code.');
  await code(page).fill('123456');
  await page.clock.runFor(1000);
  await expect.poll(() => tokens(page)).toEqual(['the token']);
  expect(calls.at(-1)).toEqual(['/base/otp/verify', { challenge: 'third', code: '123456' }]);
});

test('login widget: a code is taken from a pasted message', async ({ page }) => {
  const wrong = { status: 403, json: { error: 'code_invalid', message: 'This code is wrong.' } };
  const verify = Array.from({ length: 4 }, () => wrong);
  const calls = await open(page, {
    send: [{ json: SENT }, { json: { ...SENT, codeLength: 8 } }],
    verify,
  });
  const codes = () =>
    calls.flatMap(([path, body]) =>
      path.endsWith('verify') ? [(body as { code: string }).code] : [],
    );
  await sendCode(page);
  const last = '@cards.example.com #123456';
  const messages = [
    '123456 is your code for Tessera.',
    `Dear customer, your one-time code is 123456. It's valid for 5 minutes. Never share it with anybody. ${last}`,
    'T-123456',
  ];
  for (const [index, message] of messages.entries()) {
    await code(page).fill('');
    await page.evaluate((text) => document.execCommand('insertText', false, text), message);
    await expect(code(page)).toHaveValue('123456');
    await page.clock.runFor(3000);
    await expect.poll(codes).toHaveLength(index + 1);
    await expectAlert(page, 'This code is wrong.');
  }
  await page.clock.runFor(30_000);
  await ui.button(page, 'Resend code').click();
  await ui.expectTexts(page, 'Use the newest code.');
  await code(page).fill('OTP: 1234 5678.');
  await expect(code(page)).toHaveValue('12345678');
  await page.clock.runFor(1000);
  await expect.poll(codes).toEqual(['123456', '123456', '123456', '12345678']);
});

test('login widget: WebOTP fills the code in', async ({ page }) => {
  // A browser with WebOTP that receives the message at once.
  await page.addInitScript(() => {
    Object.assign(window, { OTPCredential: Object });
    const value = {
      get: async ({ otp }: { otp: { transport: string[] } }) =>
        otp.transport.includes('sms') ? { code: '424242' } : null,
    };
    Object.defineProperty(navigator, 'credentials', { value });
  });
  const calls = await open(page);
  await sendCode(page);
  await expect.poll(() => tokens(page)).toEqual(['the token']);
  expect(calls.at(-1)).toEqual(['/base/otp/verify', { challenge: 'a challenge', code: '424242' }]);
});

test('login widget: a reload and a second script keep the code step', async ({ page }) => {
  const calls = await open(page);
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
  await ui.expectTexts(page, 'Sent to +91 98765 43210. Valid for 5 minutes.');
  await expect(ui.button(page, 'Resend code in 20 s')).toBeDisabled();
  await page.clock.runFor(1_000);
  await expect(code(page)).toBeFocused();
  await code(page).fill('123');
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.src = '/otp/embedded.js';
    document.body.append(script);
    return new Promise((resolve) => script.addEventListener('load', resolve));
  });
  await expect(code(page)).toHaveCount(1);
  await expect(code(page)).toHaveValue('123');
  await code(page).fill('123456');
  await page.clock.runFor(1_000);
  await expect.poll(() => tokens(page)).toEqual(['the token']);
  expect(calls.at(-1)).toEqual(['/base/otp/verify', { challenge: 'a challenge', code: '123456' }]);
  await page.reload();
  await expect(phone(page)).toBeVisible();
});
