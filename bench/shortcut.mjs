// The shortcut of the home screen to the QR code, on a phone that has opened the dashboard before: the
// time from the start of the navigation until the dialog with the code is painted. Measured with this
// machine's processor, and with one four times slower and the network of the card page.
import { repeat, withBrowser } from './browser.mjs';
import { SLOW_PHONE, slowDown } from './card-page.mjs';
import { median } from './percentile.mjs';

const ROUNDS = 5;

/** `session` has the entries of an owner's local storage. Returns medians in milliseconds. */
export async function measureShortcut(origin, session) {
  const rounds = await withBrowser(async (browser) => {
    const context = await browser.newContext(SLOW_PHONE);
    await context.addInitScript(storeSession, session);
    const first = await context.newPage();
    await first.goto(`${origin}/dashboard`);
    await first.waitForFunction(hasOfflineCopy);
    await first.close();
    return repeat(ROUNDS, async () => ({
      qr: await openOnce(context, { origin, isSlow: false }),
      slowQr: await openOnce(context, { origin, isSlow: true }),
    }));
  });
  const pick = (key) => Math.round(median(rounds.map((round) => round[key])));
  return { 'shortcut-qr': pick('qr'), 'shortcut-qr-slow': pick('slowQr') };
}

async function openOnce(context, { origin, isSlow }) {
  const page = await context.newPage();
  if (isSlow) await slowDown(await context.newCDPSession(page));
  await page.addInitScript(observeQr);
  await page.goto(`${origin}/dashboard?qr`, { waitUntil: 'commit' });
  await page.waitForFunction(() => globalThis.qrMs > 0);
  const qrMs = await page.evaluate(() => globalThis.qrMs);
  await page.close();
  return qrMs;
}

function storeSession(entries) {
  for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
}

/** Whether the service worker controls the page and has stored everything. */
async function hasOfflineCopy() {
  await navigator.serviceWorker.ready;
  return navigator.serviceWorker.controller !== null && (await caches.has('owner'));
}

/** Runs in the page before its own scripts. */
function observeQr() {
  const watch = () => {
    if (document.querySelector('.qr-screen[open] .qr-image path')?.getAttribute('d')) {
      // After the frame that paints it.
      requestAnimationFrame(() => (globalThis.qrMs = performance.now()));
    } else requestAnimationFrame(watch);
  };
  requestAnimationFrame(watch);
}
