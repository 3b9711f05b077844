// Lighthouse on the card page, mobile preset. It is large, so npx downloads it only for a benchmark.
// 12.8.2 is the newest version that runs on Node 20.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CHROMIUM } from './browser.mjs';

const PACKAGE = 'lighthouse@12.8.2';
const FLAGS =
  '--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';

/** Returns the four scores of a page (0 to 100), none if it did not run. Writes its report into `folder`. */
export function runLighthouse(url, folder) {
  const report = join(folder, 'lighthouse.json');
  try {
    execFileSync(
      'npx',
      [
        '--yes',
        PACKAGE,
        url,
        '--quiet',
        '--output=json',
        `--output-path=${report}`,
        `--chrome-flags=${FLAGS}`,
      ],
      {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...process.env, CHROME_PATH: CHROMIUM },
      },
    );
  } catch (error) {
    process.stderr.write(`Lighthouse did not run: ${String(error.stderr ?? error)}\n`);
    return {};
  }
  const { categories } = JSON.parse(readFileSync(report, 'utf8'));
  return Object.fromEntries(
    Object.entries(categories).map(([id, { score }]) => [
      `lighthouse-${id}`,
      Math.round(score * 100),
    ]),
  );
}
