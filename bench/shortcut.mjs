// The shortcut of the home screen to the QR code, on a phone that has opened the dashboard before: the
// time from the start of the navigation until the dialog with the code is painted. The processor is four
// times slower, and the network as slow as for the card page.
import { launchChromium } from './browser.mjs';
import { SLOW_PHONE, slowDown } from './card-page.mjs';
import { median } from './percentile.mjs';

const ROUNDS = 5;

/** `session` has the entries of an owner's local storage. Returns the median in milliseconds. */
export async function measureShortcut(origin, session) {
  const browser = await launchChromium();
  const context = await browser.newContext(SLOW_PHONE);
  await context.addInitScript(storeSession, session);
  const first = await context.newPage();
  await first.goto(`${origin}/dashboard`);
  await first.waitForFunction(hasOfflineCopy);
  await first.close();
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await openOnce(context, origin));
  await browser.close();
  return { 'shortcut-qr': Math.round(median(rounds)) };
}

async function openOnce(context, origin) {
  const page = await context.newPage();
  await slowDown(await context.newCDPSession(page));
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
