// Chromium, and the measurement that all pages share.
import { chromium } from '@playwright/test';

export const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Runs `work` with a browser. Closes it after a failure too, because an open page uses the processor. */
export async function withBrowser(work) {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

/** Returns the results of `work`, which runs `rounds` times, one after the other. */
export async function repeat(rounds, work) {
  const results = [];
  for (let round = 0; round < rounds; round += 1) results.push(await work());
  return results;
}

/** Runs in the page before its own scripts: stores the first contentful paint in `measured`. */
export function observePaint() {
  const measured = { paintMs: 0 };
  globalThis.measured = measured;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntriesByName('first-contentful-paint')) {
      measured.paintMs = entry.startTime;
    }
  }).observe({ type: 'paint', buffered: true });
}

/** Slows the network of a page down, through a session of the DevTools protocol. */
export async function slowNetwork(session, { latencyMs, bytesPerSecond }) {
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
}
