// Lighthouse on the card page, mobile preset. It is large, so npx downloads it only for a benchmark.
// 12.8.2 is the newest version that runs on Node 20.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = 'lighthouse@12.8.2';
const FLAGS =
  '--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';

/** Returns the four scores of a page (0 to 100), or the error. Writes its report into `folder`. */
export function lighthouse(url, folder) {
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
        env: { ...process.env, CHROME_PATH: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium' },
      },
    );
  } catch (error) {
    return {
      lighthouse: `did not run: ${String(error.stderr ?? error)
        .trim()
        .split('\n')
        .at(-1)}`,
    };
  }
  const { categories, audits } = JSON.parse(readFileSync(report, 'utf8'));
  const failedAudits = Object.values(audits)
    .filter(
      ({ score, scoreDisplayMode }) =>
        score !== null && score < 1 && scoreDisplayMode !== 'informative',
    )
    .map(({ id }) => id);
  const scores = Object.values(categories).map(({ title, score }) => [
    title,
    Math.round(score * 100),
  ]);
  return { ...Object.fromEntries(scores), 'below 1': failedAudits.join(', ') };
}
