// The first visit of the owner's pages on a slow line: 50 kB/s and 400 ms. Measures the first paint,
// the time until the login page's phone field is usable, and until the dashboard's QR code is visible.
import { observePaint, repeat, slowNetwork, withBrowser } from './browser.mjs';
import { median } from './percentile.mjs';

const ROUNDS = 3;
const LATENCY_MS = 400;
const BYTES_PER_SECOND = 50_000;

/** `session` has the entries of an owner's local storage. Returns medians in milliseconds. */
export async function measureOwnerPages(origin, session) {
  const rounds = await withBrowser((browser) =>
    repeat(ROUNDS, async () => {
      const login = await openOnce(browser, { url: `${origin}/login`, isReady: hasPhoneField });
      const home = await openOnce(browser, { url: `${origin}/dashboard`, session, isReady: hasQr });
      return { login, home };
    }),
  );
  const pick = (page, key) => Math.round(median(rounds.map((round) => round[page][key])));
  return {
    'login-paint': pick('login', 'paintMs'),
    'login-ready': pick('login', 'readyMs'),
    'dashboard-paint': pick('home', 'paintMs'),
    'dashboard-qr': pick('home', 'readyMs'),
    'dashboard-application': pick('home', 'applicationMs'),
  };
}

async function openOnce(browser, { url, session = {}, isReady }) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.addInitScript(observePaint);
  // The page's policy forbids eval, so the condition is part of the script.
  const observe = observeReady.toString();
  await page.addInitScript(`(${observe})(${JSON.stringify(session)}, ${isReady})`);
  const network = await context.newCDPSession(page);
  await slowNetwork(network, { latencyMs: LATENCY_MS, bytesPerSecond: BYTES_PER_SECOND });
  await page.goto(url, { waitUntil: 'commit' });
  await page.waitForFunction(() => globalThis.measured.paintMs && globalThis.measured.readyMs);
  if (isReady === hasQr) await page.waitForFunction(() => globalThis.measured.applicationMs);
  const measured = await page.evaluate(() => globalThis.measured);
  await context.close();
  return measured;
}

function hasPhoneField() {
  return document.querySelector('#otp-phone')?.clientHeight > 0;
}

function hasQr() {
  return document.querySelector('.qr-image path')?.getAttribute('d')?.length > 0;
}

/** Runs in the page before its own scripts. */
function observeReady(session, isReady) {
  for (const [key, value] of Object.entries(session)) localStorage.setItem(key, value);
  const { measured } = globalThis;
  Object.assign(measured, { readyMs: 0, applicationMs: 0 });
  const watch = () => {
    const now = performance.now();
    if (!measured.readyMs && isReady()) measured.readyMs = now;
    if (!measured.applicationMs && document.querySelector('.home-greeting h1')) {
      measured.applicationMs = now;
    }
    requestAnimationFrame(watch);
  };
  requestAnimationFrame(watch);
}
