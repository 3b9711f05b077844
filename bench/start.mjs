// npm start on a project that is installed and built: the time until it serves. Always measures the
// build of this project, also with BENCH_DIST.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '#scripts/ready.mjs';
import { median } from './percentile.mjs';

const ROUNDS = 7;

/** Returns the times in seconds: of npm start, of the server in it, and of npm with an empty script. */
export async function measureStart({ folder }) {
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  // Prints the text that timeStart waits for.
  writeFileSync(join(empty, 'package.json'), '{"scripts":{"start":"echo listens on"}}');
  const programs = {
    'start-npm': { program: ['npm', 'start'] },
    'start-server': { program: [process.execPath, '--enable-source-maps', 'dist/server/main.js'] },
    'start-npm-alone': { program: ['npm', 'start'], cwd: empty },
  };
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const times = {};
    for (const [name, { program, cwd }] of Object.entries(programs)) {
      times[name] = await timeStart(program, { cwd, dataDir: join(folder, 'start') });
    }
    rounds.push(times);
  }
  return Object.fromEntries(
    Object.keys(programs).map((name) => [name, median(rounds.map((times) => times[name])) / 1000]),
  );
}

function timeStart([program, ...args], { cwd = ROOT, dataDir }) {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    // A group of its own, so that the signal reaches the server as Ctrl-C does.
    const child = spawn(program, args, {
      cwd,
      detached: true,
      env: { ...process.env, PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    let durationMs = null;
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (durationMs !== null || !output.includes('listens on')) return;
      durationMs = performance.now() - startedAt;
      if (child.exitCode === null) process.kill(-Number(child.pid), 'SIGINT');
    });
    child.on('close', () =>
      durationMs === null ? reject(new Error(`${program}: ${output}`)) : resolve(durationMs),
    );
  });
}
