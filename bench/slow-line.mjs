// The first visit on a slow line: 50 kB/s and 400 ms, and a processor four times slower. Measures the
// owner's pages until they can be used, what Edit Profile has loaded by then, and a card with a photo.
import { observePaint, repeat, slowNetwork, withBrowser } from './browser.mjs';
import { CPU_SLOWDOWN } from './card-page.mjs';
import { median } from './percentile.mjs';

const ROUNDS = 3;
const LATENCY_MS = 400;
const BYTES_PER_SECOND = 50_000;

/** `session` has the entries of an owner's local storage, `card` is the path of a card with a photo. */
export async function measureSlowLine(origin, { session, card }) {
  const pages = {
    login: { path: '/login', isReady: hasPhoneField },
    home: { path: '/dashboard', session, isReady: hasQr, isDone: hasGreeting },
    edit: { path: '/dashboard/edit', session, isReady: hasForm },
    card: { path: card, isReady: hasButtons, isDone: hasPortrait, deviceScaleFactor: 3 },
  };
  const rounds = await withBrowser((browser) =>
    repeat(ROUNDS, async () => {
      const measured = {};
      for (const [name, page] of Object.entries(pages)) {
        measured[name] = await openOnce(browser, origin, page);
      }
      return measured;
    }),
  );
  const pick = (page, key) => Math.round(median(rounds.map((round) => round[page][key])));
  return {
    'login-paint': pick('login', 'paintMs'),
    'login-ready': pick('login', 'readyMs'),
    'dashboard-paint': pick('home', 'paintMs'),
    'dashboard-qr': pick('home', 'readyMs'),
    'dashboard-application': pick('home', 'doneMs'),
    'edit-form': pick('edit', 'readyMs'),
    'edit-requests': pick('edit', 'requests'),
    'edit-bytes': pick('edit', 'bytes'),
    'card-buttons': pick('card', 'readyMs'),
    'card-portrait': pick('card', 'doneMs'),
  };
}

/** Returns milliseconds, and the requests and bytes that had arrived when the page was ready. */
async function openOnce(browser, origin, page) {
  const { path, session = {}, isReady, isDone = isReady, deviceScaleFactor = 1 } = page;
  const viewport = { width: 390, height: 844 };
  const context = await browser.newContext({ viewport, deviceScaleFactor });
  const tab = await context.newPage();
  await tab.addInitScript(observePaint);
  // The page's policy forbids eval, so the conditions are part of the script.
  const script = [observe, isReady, isDone].map(String);
  await tab.addInitScript(`(${script[0]})(${JSON.stringify(session)}, ${script[1]}, ${script[2]})`);
  const network = await context.newCDPSession(tab);
  const loaded = [];
  network.on('Network.loadingFinished', ({ timestamp, encodedDataLength: bytes }) =>
    loaded.push({ timestamp, bytes }),
  );
  let startedAt;
  network.on('Network.requestWillBeSent', ({ timestamp }) => (startedAt ??= timestamp));
  await slowNetwork(network, { latencyMs: LATENCY_MS, bytesPerSecond: BYTES_PER_SECOND });
  await network.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await tab.goto(`${origin}${path}`, { waitUntil: 'commit' });
  await tab.waitForFunction(() => globalThis.measured.paintMs && globalThis.measured.doneMs);
  const measured = await tab.evaluate(() => globalThis.measured);
  await context.close();
  const inTime = loaded.filter(
    ({ timestamp }) => (timestamp - startedAt) * 1000 <= measured.readyMs,
  );
  const bytes = inTime.reduce((sum, response) => sum + response.bytes, 0);
  return { ...measured, requests: inTime.length, bytes };
}

function hasPhoneField() {
  return document.querySelector('.otp-step .otp-input')?.clientHeight > 0;
}

function hasQr() {
  return document.querySelector('.qr-image path')?.getAttribute('d')?.length > 0;
}

function hasGreeting() {
  return document.querySelector('.home-greeting h1') !== null;
}

function hasForm() {
  return document.querySelector('#edit-form input') !== null;
}

function hasButtons() {
  return document.querySelector('.card-actions button')?.clientHeight > 0;
}

function hasPortrait() {
  return document.querySelector('img.portrait')?.naturalWidth > 0;
}

/** Runs in the page before its own scripts. */
function observe(session, isReady, isDone) {
  for (const [key, value] of Object.entries(session)) localStorage.setItem(key, value);
  const { measured } = globalThis;
  Object.assign(measured, { readyMs: 0, doneMs: 0 });
  const watch = () => {
    const now = performance.now();
    if (!measured.readyMs && isReady()) measured.readyMs = now;
    if (!measured.doneMs && isDone()) measured.doneMs = now;
    requestAnimationFrame(watch);
  };
  requestAnimationFrame(watch);
}
