import { defineConfig } from '@playwright/test';

/** Flags with which headless Chromium runs as root and makes no background requests. */
const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // An address of this machine that is not a secure context.
  '--host-resolver-rules=MAP plain.test 127.0.0.1',
];

export default defineConfig({
  testDir: process.env['SHOTS'] ? 'tests/shots' : 'tests/e2e',
  outputDir: '.cache/e2e',
  // On two cores 35 tests took 198 s with one worker, 174 s with two and 136 s with three.
  workers: 3,
  fullyParallel: false,
  forbidOnly: Boolean(process.env['CI']),
  // A browser on a busy machine can miss a step. `npm test` prints how many tests passed only then.
  retries: process.env['CI'] ? 1 : 0,
  // Long, because a slow machine is no failure; a test that passes waits for neither.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: {
    viewport: { width: 1280, height: 900 },
    trace: 'off',
    // A page of the context before costs half the processor time of a new one.
    reuseContext: true,
    // An animation costs processor time; the tests of one allow it.
    contextOptions: { reducedMotion: 'reduce' },
    // Requests of the service worker bypass page.route. tests/e2e/offline.spec.ts allows it.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
      args: CHROMIUM_FLAGS,
    },
  },
});
