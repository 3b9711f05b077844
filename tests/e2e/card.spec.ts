import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as delay } from 'node:timers/promises';

import type { Page } from '@playwright/test';

import { expect, test } from '#tests/support/browser-test.ts';
import { FULL_CARD, storeSession } from '#tests/support/owner.ts';
import { listen } from '#tests/support/port.ts';
import * as ui from '#tests/support/ui.ts';

const PHONE_SCREEN = { width: 390, height: 844 };
const ARCH = 'article > div:first-child > :nth-child(2)';
const LONG_BIO = 'I design maps, signs and the small words between two platforms.\n'.repeat(20);
const CONNECT_CALL = '**/profile/addContact';
const INCOMPLETE = 'Fill your name and atleast one contact detail';
const SENT = 'Contact Send Successfully';
const HELD = "The form's hidden field was filled in. This may be a robot.";

async function boxOf(page: Page, selector: string) {
  const box = await page.locator(selector).boundingBox();
  if (!box) throw new Error(`${selector} is not shown.`);
  return box;
}

test('Connect: the owner has the details, and no hint blocks it', async ({
  page,
  server,
  owner,
  call,
}) => {
  const alerts = ui.collectAlerts(page);
  await page.goto(`/user/${owner._id}`);
  await ui.button(page, 'Connect').click();
  const popup = ui.dialog(page, 'Connect');
  await expect(popup).toContainText('Add your name and a mobile number or email.');
  await expect(popup).toContainText("We'll send them to Asha Rao.");
  await expect(page.locator('html')).toHaveCSS('overflow-y', 'hidden');
  const policy = page.context().waitForEvent('page');
  await ui.link(popup, 'Privacy policy').click();
  await expect(await policy).toHaveURL('/privacy_policy');
  const mobile = ui.textbox(popup, 'Mobile');
  await ui.textbox(popup, 'Name').fill('Ravi');
  await ui.button(popup, 'Connect').click();
  await expect.poll(() => alerts).toEqual([INCOMPLETE]);
  const lacking = popup.locator('[aria-invalid]');
  expect(await lacking.evaluateAll((all) => all.map(({ id }) => id))).toEqual(['mobile', 'email']);
  await expect(mobile).toBeFocused();
  await expect(mobile).toHaveCSS('outline-offset', '2px');
  await expect(mobile).toHaveAccessibleDescription('Add a mobile number or an email.');

  const hint = "This doesn't look like a phone number.";
  await expect(popup.getByText(hint)).toBeHidden();
  await mobile.pressSequentially('12a');
  await ui.textbox(popup, 'Email').pressSequentially('ravi at');
  await ui.textbox(popup, 'Company').fill('Ravi Steel');
  await ui.expectTexts(popup, hint, "This doesn't look like an email.");
  await expect(mobile).toHaveAccessibleName('Mobile');
  await expect(mobile).toHaveAccessibleDescription(hint);
  await mobile.fill('+91 (98450) 12-345');
  await expect(popup.getByText(hint)).toBeHidden();
  await ui.button(popup, 'Connect').click();
  await expect.poll(() => alerts).toEqual([INCOMPLETE, SENT]);
  await expect(popup).toBeHidden();
  await ui.expectTexts(page, 'Sent to Asha');
  await ui.download(page, ui.link(page, 'Save'));
  await expect(page.locator('html')).not.toHaveCSS('overflow-y', 'hidden');
  const ravi = { name: 'Ravi', companyName: 'Ravi Steel', email: 'ravi at' };
  const contact = { ...ravi, mobile: '+91 (98450) 12-345' };
  expect(await call('/profile/getContacts/:id')).toEqual([{ ...contact, _id: expect.any(String) }]);
  // A robot, or a password manager, fills in the field that nobody sees.
  const subject = 'https://robot.example';
  const trap = page.locator('.popup-honeypot');
  await expect(trap).toHaveAttribute('name', 'subject');
  await expect(trap).toHaveAttribute('autocomplete', 'off');
  for (const [name, value] of Object.entries({ '1p-ignore': '', lpignore: 'true', bwignore: '' }))
    await expect(trap).toHaveAttribute(`data-${name}`, value);
  await trap.evaluate((input, value) => void Object.assign(input, { value }), subject);
  const [sent] = await Promise.all([
    page.waitForRequest(CONNECT_CALL),
    ui.leaveDetails(page, { Name: 'Ravi', Mobile: '\u202A98450 12345\u202C' }),
  ]);
  const second = { name: 'Ravi', mobile: '98450 12345', email: '', companyName: '' };
  expect(sent.postDataJSON()).toEqual({ userID: owner._id, contact: second, subject });
  await expect(popup).toBeHidden();
  await expect.poll(() => alerts).toEqual([INCOMPLETE, SENT, SENT]);
  await storeSession(page, server, owner);
  await page.goto('/dashboard');
  await ui.link(page, 'See all').click();
  await ui.button(page, 'Show 1 more').click();
  const held = page.getByRole('region', { name: 'Held contacts' });
  await ui.expectTexts(held, HELD);
  await ui.button(held, 'Ravi').click();
  await ui.expectTexts(page.getByRole('dialog'), HELD);
});

test('Connect: what is pasted loses invisible characters, and the page says that it was cut', async ({
  page,
  owner,
  call,
}) => {
  const alerts = ui.collectAlerts(page);
  await page.goto(`/user/${owner._id}`);
  await ui.button(page, 'Connect').click();
  const popup = ui.dialog(page, 'Connect');
  const cut = popup.getByRole('status');
  for (const [label, lengthMax] of [
    ['Name', 120],
    ['Mobile', 64],
    ['Email', 254],
    ['Company', 120],
  ] as const) {
    const field = ui.textbox(popup, label);
    await ui.paste(page, field, '1'.repeat(lengthMax + 1));
    await expect(cut).toHaveText('Shortened to fit.');
    await expect(field).toHaveValue('1'.repeat(lengthMax));
    await field.fill('');
    await expect(cut).toHaveCount(0);
  }
  const name = 'क्\u200dष 👩\u200d💻';
  await ui.paste(page, ui.textbox(popup, 'Name'), '\u2800\u3164');
  await ui.paste(page, ui.textbox(popup, 'Mobile'), '\u206698450\u200b\u00ad\u2060 12345\u2069');
  await ui.paste(page, ui.textbox(popup, 'Email'), 'ravi\u200d@example.com\ufeff');
  await ui.button(popup, 'Connect').click();
  await expect.poll(() => alerts).toEqual([INCOMPLETE]);
  await ui.textbox(popup, 'Name').fill(name);
  await ui.button(popup, 'Connect').click();
  await expect.poll(() => alerts).toEqual([INCOMPLETE, SENT]);
  const stored = { name, mobile: '98450 12345', email: 'ravi@example.com' };
  expect(await call('/profile/getContacts/:id')).toMatchObject([stored]);
});

test('Connect: what failed stays, with Try again, until it is sent', async ({ page, owner }) => {
  await page.clock.install();
  // The clock of the test does not advance the browser's own.
  await page.addInitScript(() => {
    AbortSignal.timeout = (timeMs) => {
      const abort = new AbortController();
      setTimeout(() => abort.abort(), timeMs);
      return abort.signal;
    };
  });
  const alerts = ui.collectAlerts(page);
  await page.goto(`/user/${owner._id}`);
  const popup = ui.dialog(page, 'Connect');
  const name = ui.textbox(popup, 'Name');
  const notSent = page.getByText('Not sent. Try again');
  const message = "That's a lot of contacts at once. Try again later.";
  await ui.failCalls(page, CONNECT_CALL, { status: 429, error: 'too_many_requests', message });
  await ui.button(page, 'Connect').click();
  await page.keyboard.press('Enter');
  await ui.textbox(popup, 'Company').press('Enter');
  await expect(name).toBeFocused();
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await ui.expectTexts(popup, 'Add your name.');
  for (const typed of ['Ravi', '', 'ravi@steel.example', 'Ravi Steel']) {
    await page.keyboard.type(typed);
    await page.keyboard.press('Enter');
  }
  await expect(notSent).toContainText(message);
  await page.unrouteAll();
  await page.route(CONNECT_CALL, () => undefined);
  await ui.button(page, 'Try again').click();
  await expect(name).toHaveValue('Ravi');
  await expect(name).not.toHaveAttribute('aria-invalid');
  await ui.button(popup, 'Connect').click();
  await expect(ui.button(popup, 'Connecting')).toBeVisible();
  await page.clock.runFor(15_000);
  await expect(notSent).not.toContainText(message);
  await page.unrouteAll();
  await ui.button(page, 'Try again').click();
  await ui.button(popup, 'Connect').click();
  await ui.expectTexts(page, 'Sent to Asha');
  await expect(notSent).toBeHidden();
  await expect(ui.button(page, 'Connect')).toBeFocused();
  const failed = 'Some error occured';
  expect(alerts).toEqual([INCOMPLETE, failed, failed, SENT]);
});

test('card: stays readable without a network, also after Save', async ({ page, owner }) => {
  await page.goto(`/user/${owner._id}`);
  await page.context().setOffline(true);
  await ui.link(page, 'Save').click();
  await ui.expectTexts(page, "You're offline");
  await expect(ui.link(page, 'Call')).toHaveAttribute('href', /^tel:/);
  await page.context().setOffline(false);
  await ui.download(page, ui.link(page, 'Save'));
  await expect(page.getByText("You're offline")).toBeHidden();
});

const IN_APP_BROWSERS = `Linux; Android 14; Pixel 8; wv) Chrome/130.0
iPhone) Mobile/15E148 Twitter for iPhone/10.2
Linux; Android 14) Chrome/130.0 Telegram-Android/10.5
iPhone) Safari Line/14.1.0
iPhone) musical_ly_33.1.0 BytedanceWebview/d8a21c6
iPhone) Mobile/15E148 TeamsMobile-iOS
iPhone) Mobile/15E148 MicroMessenger/8.0.42
iPhone) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Pinterest/iOS
iPhone) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148
iPhone) GSA/340.3.683206183 Mobile/15E148 Safari/604.1`.split('\n');
const BROWSERS = [
  'iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Mobile/15E148 Safari/604.1',
  'Linux; Android 10; K) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36',
];

test('Save: on Android a sentence says to open the file', async ({ page, owner }) => {
  const session = await page.context().newCDPSession(page);
  for (const system of ['Linux; Android 15', 'iPhone; CPU iPhone OS 18_0 like Mac OS X']) {
    await session.send('Emulation.setUserAgentOverride', { userAgent: `Mozilla/5.0 (${system})` });
    await page.goto(`/user/${owner._id}`);
    await ui.download(page, ui.link(page, 'Save'));
    const sentence = page.getByText('Open the file to add Asha to your contacts.');
    await expect(sentence, system).toBeVisible({ visible: system.includes('Android') });
  }
  await session.detach();
});

test('in-app browsers: show a note with Copy link; others do not', async ({ page, owner }) => {
  const session = await page.context().newCDPSession(page);
  const copy = ui.button(page, 'Copy link');
  for (const agent of [...BROWSERS, ...IN_APP_BROWSERS]) {
    await session.send('Emulation.setUserAgentOverride', { userAgent: `Mozilla/5.0 (${agent}` });
    await page.goto(`/user/${owner._id}`);
    await expect(ui.heading(page, 'Asha Rao')).toBeVisible();
    await expect(copy, agent).toBeVisible({ visible: IN_APP_BROWSERS.includes(agent) });
  }
  await copy.click();
  await expect(ui.button(page, 'Copied')).toBeVisible();
  expect(await ui.readClipboard(page)).toBe(page.url());
  // The override would stay with the page, which the next test uses again.
  await session.detach();
});

test.describe('with a long About', () => {
  test.use({ viewport: PHONE_SCREEN, card: { ...FULL_CARD, bio: LONG_BIO } });

  test('card: is whole without JavaScript', async ({ server, browser, owner }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: PHONE_SCREEN });
    const page = await context.newPage();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.resourceType()));
    await page.goto(`${server.origin}/user/${owner._id}`);
    // The style sheet is that of a print.
    const kinds = new Set(['script', 'stylesheet', 'font']);
    expect(requests.filter((kind) => kinds.has(kind))).toEqual(['stylesheet']);
    await expect(page.locator('article a[target="_blank"]')).toHaveCount(12);
    const bio = page.locator('article section p');
    const height = async () => (await bio.boundingBox())?.height ?? 0;
    expect(await height()).toBeLessThan(150);
    await expect(bio).toContainText('two platforms');
    await page.getByText('Read more').click();
    await expect.poll(height).toBeGreaterThan(400);
    await page.getByText('Read less').click();
    await expect.poll(height).toBeLessThan(150);
    await page.emulateMedia({ media: 'print' });
    expect(await height()).toBeGreaterThan(400);
    await page.emulateMedia({ media: 'screen' });
    await ui.button(page, 'Connect').click();
    // getByText skips it.
    await expect(page.locator('noscript p')).toHaveText(/^Turn on JavaScript to send this/);
    await expect(page.locator('noscript p')).toBeVisible();
    await expect(page.getByRole('textbox')).toHaveCount(0);
    await context.close();
  });

  test('long card: on a low desktop and a tablet the portrait is in the first view', async ({
    page,
    owner,
  }) => {
    for (const [width, height] of [
      [1366, 768],
      [1366, 600],
      [820, 700],
      [768, 1024],
      [1440, 1400],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.goto(`/user/${owner._id}`);
      await page.locator('.card-more').evaluate((about) => about.setAttribute('open', ''));
      // The tiles, or the tone below them, are as high as the poster.
      const poster = await boxOf(page, '.card-poster');
      const ground = await boxOf(page, '.card-poster > svg:first-child > path');
      expect(ground.y, `${width} x ${height}`).toBeLessThanOrEqual(poster.y);
      const box = await page.locator('.card-poster .portrait').boundingBox();
      const name = await page.getByRole('heading', { level: 1 }).boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
      expect(name?.x).toBeGreaterThan((box?.x ?? 0) + (box?.width ?? 0));
    }
  });

  test('long card: Save and Connect stay at the edge of a phone', async ({ page, owner }) => {
    await page.goto(`/user/${owner._id}`);
    const connect = ui.button(page, 'Connect');
    const top = async () => (await connect.boundingBox())?.y ?? 0;
    const pageHeight = () => page.evaluate(() => document.documentElement.scrollHeight);
    await expect(connect).toBeInViewport({ ratio: 1 });
    const before = await pageHeight();
    expect(await top()).toBeLessThan(600);
    const last = ui.link(page, 'Create Your Tessera Card');
    await last.scrollIntoViewIfNeeded();
    await page.mouse.wheel(0, 5_000);
    await expect.poll(top).toBeGreaterThan(770);
    await expect(ui.link(page, 'Save')).toBeInViewport({ ratio: 1 });
    // The rest of the page did not move, and the sticky buttons cover no ui.link.
    expect(await pageHeight()).toBe(before);
    await last.click({ trial: true });
    await connect.click();
    await expect(ui.dialog(page, 'Connect')).toBeVisible();
  });
});

test('card: the person is set from right to left as its name', async ({ page, owner, call }) => {
  await call('/user/updateUser/:id', { name: 'ליאור כהן', phone: '+442071838750', bio: 'שלום' });
  await page.setViewportSize(PHONE_SCREEN);
  await page.goto(`/user/${owner._id}`);
  await expect(page.locator('div:has(> h1)')).toHaveAttribute('dir', 'rtl');
  const right = async (selector: string) => {
    const { x, width } = await boxOf(page, selector);
    return Math.round(x + width);
  };
  expect(await right(ARCH)).toBe(await right('div:has(> h1)'));
  expect(await right('.card-heading')).toBe(await right('.card-bio'));
  await expect(page.locator('.card-heading')).toHaveCSS('direction', 'rtl');
  await ui.expectTexts(page, '+44 20 7183 8750');
});

/** Width and height of a screen, and the least heights of poster and arch (docs/develop/design.md#screens). */
const SCREENS = [
  [320, 568, 216, 144],
  [360, 640, 216, 144],
  [390, 844, 844 * 0.46, 216],
  [768, 1024, 560, 288],
  [1440, 900, 560, 288],
  [568, 320, 320, 144],
] as const;
/** With their size, line height and letter spacing on a desktop. */
const NAMES = {
  'Asha Rao': '38px 39.9px -0.95px',
  'Lakshmi Narayanan Ramachandran': '28px 32.2px -0.28px',
  'Venkatasubramaniam Krishnamurthy Ranganathan Chandrasekaran': '28px 32.2px -0.28px',
  'देवदत्त कुलकर्णी': '38px 49.4px normal',
  Subramaniam: '38px 39.9px -0.95px',
  'Ramachandran Balasubramaniam': '28px 32.2px -0.28px',
  'தமிழ்ச்செல்வி கண்ணன்': '38px 49.4px normal',
  Venkatasubramaniaswamy: '29.76px 31.248px -0.744px',
};

test('poster: name, Save and Connect are in the first view', async ({ page, owner, call }) => {
  const name = Object.keys(NAMES)[2] ?? '';
  await call('/user/updateUser/:id', { name });
  for (const [width, height, leastPoster, leastArch] of SCREENS) {
    await page.setViewportSize({ width, height });
    await page.goto(`/user/${owner._id}`);
    const poster = await boxOf(page, 'article > div:first-child');
    const arch = await boxOf(page, ARCH);
    const tiles = await boxOf(page, 'article > div > svg:first-child');
    const size = `${width} x ${height}`;
    expect(poster.height, size).toBeGreaterThanOrEqual(leastPoster - 0.5);
    expect(arch.width, size).toBeGreaterThanOrEqual(leastArch);
    expect(arch.height, size).toBeCloseTo(arch.width, 0);
    // On a phone, the last tile ends at the edge of the screen.
    const cutTile = ((width - arch.x) * 3) / arch.width;
    if (width <= 430) expect(cutTile, size).toBeCloseTo(Math.round(cutTile), 1);
    expect(arch.y + arch.height, size).toBeCloseTo(poster.y + poster.height, 0);
    // The opening is the three columns after the first.
    expect((arch.x - tiles.x) * 3, size).toBeCloseTo(arch.width, 0);
    expect((arch.x - poster.x) % 24, size).toBe(0);
    const [save, connect] = [ui.link(page, 'Save'), ui.button(page, 'Connect')];
    for (const control of [ui.heading(page, name), save, connect])
      await expect(control, size).toBeInViewport({ ratio: 1 });
    const pageWidth = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(pageWidth, size).toBeLessThanOrEqual(width);
  }
});

test('poster: the name has its sizes, and no word is broken', async ({ page, owner, call }) => {
  const styles: Record<string, string> = {};
  for (const name of Object.keys(NAMES)) {
    await call('/user/updateUser/:id', { name });
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`/user/${owner._id}`);
    styles[name] = await page.locator('h1').evaluate((node) => {
      const { fontSize, lineHeight, letterSpacing } = getComputedStyle(node);
      return `${fontSize} ${lineHeight} ${letterSpacing}`;
    });
    await page.setViewportSize({ width: 320, height: 568 });
    const brokenWords = await page.locator('h1').evaluate((node) => {
      const text = node.firstChild as Text;
      const range = document.createRange();
      return text.data.split(' ').filter((word) => {
        range.setStart(text, text.data.indexOf(word));
        range.setEnd(text, text.data.indexOf(word) + word.length);
        return range.getClientRects().length > 1;
      });
    });
    expect(brokenWords).toEqual([]);
  }
  expect(styles).toEqual(NAMES);
});

test('card: the whole email is described, and copied with a tick', async ({ page, owner }) => {
  await page.goto(`/user/${owner._id}`);
  const { companyName, email } = FULL_CARD;
  await expect(ui.link(page, 'Email')).toHaveAccessibleDescription(email);
  await expect(ui.link(page, 'Email')).toHaveAttribute('title', email);
  await expect(page.getByText('Rao & Partners Archi...')).toHaveAttribute('title', companyName);
  const copy = ui.button(page, 'Copy email');
  const isTick = (one: typeof copy) => one.locator('path').isHidden();
  expect(await isTick(copy)).toBe(false);
  await copy.click();
  await expect.poll(() => ui.readClipboard(page)).toBe(email);
  expect(await isTick(copy)).toBe(true);
  await page.setViewportSize({ width: 320, height: 568 });
  const [value, icon] = [await boxOf(page, '[data-print]'), await copy.boundingBox()];
  expect(icon?.y).toBeLessThan(value.y + value.height);
  const save = ui.link(page, 'Save');
  const width = (await save.boundingBox())?.width;
  await save.click();
  expect([await isTick(save), (await save.boundingBox())?.width]).toEqual([true, width]);
});

test.describe('with CARD_TEXT=whole', () => {
  const companyName =
    'Rao & Partners Architects, Interior Designers and Town Planners, Bengaluru and Mysuru';
  const email = 'asha.venkateswara@rao-partners.example';
  test.use({ environment: { CARD_TEXT: 'whole' }, card: { ...FULL_CARD, companyName, email } });

  test('card text: is whole, with an ellipsis where it does not fit', async ({
    page,
    server,
    owner,
  }) => {
    await storeSession(page, server, owner);
    /** The visible lines of company and email, and whether something of them is cut. */
    const readLines = (parent: string) =>
      page.locator(`${parent} :is(.whole-company, .whole-email)`).evaluateAll((all) =>
        all.map((one) => {
          const line = parseFloat(getComputedStyle(one).lineHeight);
          const isCut = one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight;
          return [one.textContent, Math.round(one.clientHeight / line), isCut];
        }),
      );
    for (const [width, path, parent, isCut] of [
      [1280, `/user/${owner._id}`, 'main', false],
      [390, `/user/${owner._id}`, 'main', true],
      [1280, '/dashboard', '.owner-card', true],
      [390, '/dashboard', '.owner-card', true],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(path);
      await expect(page.getByText(email).first()).toBeVisible();
      const lines = [
        [companyName, 2, isCut],
        [email, 1, isCut],
      ];
      expect([width, path, await readLines(parent)]).toEqual([width, path, lines]);
    }
    await page.goto(`/user/${owner._id}`);
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 700, height: 844 });
    expect(await readLines('main')).toEqual([
      [companyName, 2, false],
      [email, 1, false],
    ]);
  });
});

test('card: its tiles move once and shortly', async ({ page, owner }) => {
  for (const [reducedMotion, move] of [
    ['no-preference', /^0\.3s cubic-bezier\(.*\) 0\.[01]\ds backwards settle$/],
    ['reduce', /^none$/],
  ] as const) {
    await page.emulateMedia({ reducedMotion });
    await page.goto(`/user/${owner._id}`);
    const moves = await page
      .locator('#poster > path')
      .evaluateAll((tiles) => tiles.map((tile) => getComputedStyle(tile).animation));
    expect(new Set(moves.map((one) => move.test(one)))).toEqual(new Set([true]));
  }
});

test('card: nothing shifts, wherever its arrival pauses', async ({ page, owner, server }) => {
  const path = `/user/${owner._id}`;
  const html = await (await fetch(server.origin + path)).text();
  const ends = Array.from(html.matchAll(/>/g), ({ index }) => index + 1);
  const inBody = ends.filter((end) => end > html.indexOf('<body'));
  let pauseAt = 0;
  const pausing = createServer(async ({ url = '' }, response) => {
    if (url !== path) {
      const { headers, body } = await fetch(server.origin + url);
      response.setHeader('content-type', String(headers.get('content-type')));
      return void Readable.fromWeb(body as ReadableStream).pipe(response);
    }
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.write(html.slice(0, pauseAt));
    await delay(300);
    return response.end(html.slice(pauseAt));
  });
  const origin = await listen(pausing);
  const readShift = await ui.measureShift(page);
  const shifts: string[] = [];
  // These are all tags of the footer and some of the others.
  for (pauseAt of inBody.filter((_, index) => index % 48 === 0 || index > inBody.length - 10)) {
    await page.goto(origin + path);
    const shift = await readShift();
    if (shift !== 0) shifts.push(`${shift} after ${html.slice(pauseAt - 60, pauseAt)}`);
  }
  pausing.close();
  expect(shifts).toEqual([]);
});

test('card, login: nothing shifts while it arrives on a slow line', async ({ page, owner }) => {
  const setLine = await ui.controlLine(page);
  const readShift = await ui.measureShift(page);
  const shifts: string[] = [];
  for (const bytesPerSecond of [25_000, 50_000, 200_000]) {
    await setLine({ latencyMs: 400, bytesPerSecond });
    for (const [width, height] of [
      [390, 844],
      [1280, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      // Where the code on the owner's screen leads (docs/develop/product.md#handshake).
      for (const path of ['/login', `/user/${owner._id}?s=0aB3dE6g`]) {
        await page.goto(path);
        const shift = await readShift();
        if (shift !== 0)
          shifts.push(`${path}, ${bytesPerSecond} bytes a second, ${width} px: ${shift}`);
      }
    }
  }
  expect(shifts).toEqual([]);
});
