// Load by wrk, on the second core.
import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const SECONDS = 2;
const CONNECTIONS = 32;

const run = promisify(execFile);
const command = (origin, { script, seconds = SECONDS, connections = CONNECTIONS, file }) => [
  '-c',
  '1',
  'wrk',
  '-t1',
  `-c${connections}`,
  `-d${seconds}s`,
  '-s',
  join(import.meta.dirname, script),
  origin,
  '--',
  file,
];

/** Requests paths, each request from another address. Rates are per second, times in ms. */
export function loadPaths(origin, { folder, paths, seconds }) {
  const file = join(folder, 'paths.txt');
  writeFileSync(file, `${paths.join('\n')}\n`);
  const args = command(origin, { script: 'read.lua', seconds, file });
  return parse(execFileSync('taskset', args, { encoding: 'utf8' }));
}

/**
 * Sends POST requests ({ path, token, body }), by default over 32 connections. `@@` in a body becomes
 * the number of the request.
 */
export async function loadWrites(origin, { folder, requests, seconds, connections }) {
  const file = join(folder, `writes-${requests.length}.txt`);
  const lines = requests.map(({ path, token = '', body }) => `${path}\t${token}\t${body}\n`);
  writeFileSync(file, lines.join(''));
  const args = command(origin, { script: 'write.lua', seconds, connections, file });
  return parse((await run('taskset', args)).stdout);
}

function parse(output) {
  const found = /RESULT (\S+) (\S+) (\S+) (\S+) (\S+)/.exec(output);
  const [count, rate, p50, p99, errors] = found.slice(1).map(Number);
  return { count, rate, p50, p99, errors };
}
