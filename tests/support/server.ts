import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ROOT, isBuilt } from '#scripts/ready.mjs';

import { waitUntil } from './polling.ts';
import { withWorker } from './with-worker.ts';

// The tests would otherwise run against an old build.
if (!isBuilt()) throw new Error('dist/ is older than the sources. Run: npm run build');

export const DIST = join(ROOT, 'dist', 'server');
export const ENTRY = join(DIST, 'main.js');
const START_TIMEOUT_MS = 60_000;
const DEFAULTS = { PATH: process.env['PATH'] ?? '', PORT: '0', HOST: '127.0.0.1' };

/** The built service in a separate process, on a free port and with its own data folder. */
export interface RunningServer {
  readonly origin: string;
  readonly dataDir: string;
  readonly output: () => string;
  readonly errors: () => string;
  /** Waits for a one-time code to a phone (E.164), and returns the newest. */
  readonly codeFor: (phone: string) => Promise<string>;
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
  readonly dispose: () => Promise<void>;
}

/** Starts the built server, or another entry file or command. DATA_DIR makes it reuse a data folder. */
export async function startServer(
  environment: Record<string, string> = {},
  entry: string | readonly string[] = ENTRY,
): Promise<RunningServer> {
  const dataDir = environment['DATA_DIR'] ?? mkdtempSync(join(tmpdir(), 'tessera-data-'));
  const command =
    typeof entry === 'string' ? [process.execPath, '--enable-source-maps', entry] : entry;
  const child = spawn(...withWorker(command), {
    env: { ...DEFAULTS, DATA_DIR: dataDir, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));

  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return exited;
  };
  const port = await waitUntil(() => {
    if (child.exitCode !== null) throw new Error(`The server ended: ${errors || output}`);
    return /listens on http:\/\/\S+:(\d+)/.exec(output)?.[1];
  }, START_TIMEOUT_MS);
  return {
    origin: `http://localhost:${port}`,
    dataDir,
    output: () => output,
    errors: () => errors,
    codeFor: async (phone) => {
      // `output` may contain an earlier code while the newest one is still in the pipe.
      await new Promise((resolve) => setImmediate(resolve));
      const line = new RegExp(`^OTP ${phone.replace('+', '\\+')} (\\d{6})$`, 'gm');
      return waitUntil(() => [...output.matchAll(line)].at(-1)?.[1]);
    },
    stop,
    dispose: async () => {
      await stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
