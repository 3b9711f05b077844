// The card page on a slow phone: 150 ms latency, 1.6 Mbit/s, a CPU four times slower. Measures the
// transferred bytes, the first contentful paint, and the time from a tap on Connect to the pop-up.
import { observePaint, repeat, slowNetwork, withBrowser } from './browser.mjs';
import { median } from './percentile.mjs';

const ROUNDS = 5;
const LATENCY_MS = 150;
const BYTES_PER_SECOND = 1_600_000 / 8;
export const CPU_SLOWDOWN = 4;

/** The options of a browser context. */
export const SLOW_PHONE = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
};

/** Opens a card `ROUNDS` times, each in a new browser profile; returns medians. */
export async function measureCardPage(url) {
  const rounds = await withBrowser((browser) => repeat(ROUNDS, () => openOnce(browser, url)));
  const pick = (key) => median(rounds.map((round) => round[key]));
  return {
    'page-requests': pick('requests'),
    'page-bytes': pick('bytes'),
    'page-paint': pick('paintMs'),
    'page-popup': pick('popupMs'),
    'page-shift': pick('shift'),
  };
}

async function openOnce(browser, url) {
  const context = await browser.newContext(SLOW_PHONE);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const sizes = new Map();
  session.on('Network.responseReceived', ({ requestId, type }) =>
    sizes.set(requestId, { type, bytes: 0 }),
  );
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const size = sizes.get(requestId);
    if (size) size.bytes = encodedDataLength;
  });
  await slowDown(session);
  await page.addInitScript(observePaint);
  await page.addInitScript(observeTap);
  await page.goto(url, { waitUntil: 'commit' });
  await page.waitForFunction(() => globalThis.measured.paintMs > 0);
  await page.getByRole('button', { name: 'Connect', exact: true }).first().tap();
  await page.waitForFunction(() => globalThis.measured.popupMs > 0);
  await page.waitForLoadState('networkidle');
  const measured = await page.evaluate(() => globalThis.measured);
  await context.close();
  const responses = [...sizes.values()];
  const photos = responses.filter(({ type }) => type === 'Image');
  return {
    ...measured,
    requests: responses.length,
    bytes: total(responses) - total(photos),
  };
}

/** Slows the network and the processor of a page down, through a session of the DevTools protocol. */
export async function slowDown(session) {
  await slowNetwork(session, { latencyMs: LATENCY_MS, bytesPerSecond: BYTES_PER_SECOND });
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
}

/** Runs in the page before its own scripts. */
function observeTap() {
  const { measured } = globalThis;
  Object.assign(measured, { popupMs: 0, shift: 0 });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) measured.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  let tappedAt = 0;
  addEventListener('pointerdown', () => (tappedAt = performance.now()), true);
  const watch = () => {
    const open = document.querySelector('dialog[open], :popover-open');
    if (tappedAt > 0 && open) measured.popupMs = Math.max(1, performance.now() - tappedAt);
    else requestAnimationFrame(watch);
  };
  requestAnimationFrame(watch);
}

function total(responses) {
  return responses.reduce((sum, { bytes }) => sum + bytes, 0);
}
