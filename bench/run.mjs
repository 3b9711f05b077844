// npm run bench: compares the hot paths with raw node:http that sends the same bytes. The server runs
// on the first core and the load on the second; rounds alternate between both servers. Times are
// compared as ratios, sizes are exact. Then it measures the card on a slow phone and runs Lighthouse.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Console } from 'node:console';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ROOT, build, checkNode, fail, install, run } from '../scripts/ready.mjs';
import { measureGuesses } from './guess.mjs';
import { lighthouse } from './lighthouse.mjs';
import { median } from './median.mjs';
import { measureMisses } from './miss.mjs';
import { createOwner, copyCard } from './seed.mjs';
import { slowLink } from './slow-link.mjs';

const ROUNDS = 3;
const SECONDS = 5;
const CONNECTIONS = 32;

checkNode();
install();
build();
if (!existsSync('/usr/bin/wrk')) run('apt-get', ['install', '-y', '-qq', 'wrk']);
if (!existsSync('/usr/bin/wrk')) fail('The bench needs wrk (Debian: apt-get install wrk).');

const folder = mkdtempSync(join(tmpdir(), 'tessera-bench-'));
const children = [];
const terminal = new Console(process.stdout);

/** Starts a program pinned to the first core; resolves when it prints its port. */
function start(args, env) {
  const child = spawn('taskset', ['-c', '0', process.execPath, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const port = /(?:^|http:.*:)(\d+)$/m.exec(output)?.[1];
      if (port) resolve({ child, origin: `http://127.0.0.1:${port}`, output: () => output });
    });
    child.on('exit', () => reject(new Error(`ended: ${output}`)));
  });
}

async function fetchAll(origin, paths) {
  const responses = [];
  for (const [index, path] of paths.entries()) {
    const address = `172.16.${index >> 8}.${index & 255}`;
    const response = await fetch(origin + path, {
      headers: { 'accept-encoding': 'br', 'x-forwarded-for': address },
    });
    // fetch decompresses the body, so curl requests the compressed bytes.
    await response.arrayBuffer();
    responses.push(rawResponse(origin, path, address));
  }
  return responses;
}

/** Returns a response with its compressed bytes. */
function rawResponse(origin, path, address) {
  const output = execFileSync(
    'curl',
    ['-s', '-i', '-H', 'accept-encoding: br', '-H', `x-forwarded-for: ${address}`, origin + path],
    { maxBuffer: 32 * 1024 * 1024 },
  );
  const end = output.indexOf('\r\n\r\n');
  const [first, ...lines] = output.subarray(0, end).toString('latin1').split('\r\n');
  const skipped = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);
  const headers = Object.fromEntries(
    lines
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)])
      .filter(([name]) => !skipped.has(name.toLowerCase())),
  );
  const body = output.subarray(end + 4);
  return { path, status: Number(first.split(' ')[1]), headers, body: body.toString('base64') };
}

function measure(origin, paths) {
  const file = join(folder, 'paths.txt');
  writeFileSync(file, `${paths.join('\n')}\n`);
  const output = execFileSync(
    'taskset',
    [
      '-c',
      '1',
      'wrk',
      '-t1',
      `-c${CONNECTIONS}`,
      `-d${SECONDS}s`,
      '-s',
      join(ROOT, 'bench/load.lua'),
      origin,
      '--',
      file,
    ],
    { encoding: 'utf8' },
  );
  const [, rate, p50, p99, errors] = /RESULT (\S+) (\S+) (\S+) (\S+)/.exec(output) ?? [];
  return { rate: Number(rate), p50: Number(p50), p99: Number(p99), errors: Number(errors) };
}

function compare(name, { ours, raw, paths }) {
  const rounds = Array.from({ length: ROUNDS }, () => ({
    raw: measure(raw, paths),
    ours: measure(ours, paths),
  }));
  const pick = (side, key) => median(rounds.map((round) => round[side][key]));
  return {
    path: name,
    'raw/s': Math.round(pick('raw', 'rate')),
    'ours/s': Math.round(pick('ours', 'rate')),
    ratio: median(rounds.map((round) => round.ours.rate / round.raw.rate)).toFixed(2),
    'raw p50/p99 ms': `${pick('raw', 'p50').toFixed(2)} / ${pick('raw', 'p99').toFixed(2)}`,
    'ours p50/p99 ms': `${pick('ours', 'p50').toFixed(2)} / ${pick('ours', 'p99').toFixed(2)}`,
    errors: rounds.reduce((sum, round) => sum + round.ours.errors + round.raw.errors, 0),
  };
}

try {
  const dataDir = join(folder, 'data');
  const environment = {
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    NODE_ENV: 'production',
    SMS_GATEWAY: 'console',
    LOG_LEVEL: 'error',
    TRUST_PROXY: '127.0.0.1',
  };
  const first = await start([join(ROOT, 'dist/server/main.js')], environment);
  const codeFor = async (phone) => {
    for (;;) {
      const code = first.output().split(`OTP ${phone} `)[1]?.slice(0, 6);
      if (code?.length === 6) return code;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const owner = await createOwner(first.origin, codeFor);
  await new Promise((resolve) => {
    first.child.on('exit', resolve);
    first.child.kill('SIGTERM');
  });
  const ids = copyCard(dataDir, owner._id);
  const server = await start([join(ROOT, 'dist/server/main.js')], environment);
  const { origin } = server;

  const cards = ids.map((id) => `/user/${id}`);
  const hot = cards[0];
  const { photo } = owner;
  const all = [...cards, `${hot}/contact.vcf`, `/api${hot}`, photo];
  const responses = await fetchAll(origin, all);
  const responsesFile = join(folder, 'responses.json');
  writeFileSync(responsesFile, JSON.stringify(responses));
  const raw = await start([join(ROOT, 'bench/raw.mjs'), responsesFile], {});

  const speed = [
    compare('card page, 1,000 cards', { ours: origin, raw: raw.origin, paths: cards }),
    compare('card page, one hot card', { ours: origin, raw: raw.origin, paths: [hot] }),
    compare('contact.vcf', { ours: origin, raw: raw.origin, paths: [`${hot}/contact.vcf`] }),
    compare('GET /api/user/{id}', { ours: origin, raw: raw.origin, paths: [`/api${hot}`] }),
    compare('photo', { ours: origin, raw: raw.origin, paths: [photo] }),
  ];
  terminal.table(speed);
  terminal.table([await measureMisses(server, cards)]);
  terminal.table([await measureGuesses(server, hot)]);

  const bytes = [hot, `${hot}/contact.vcf`, `/api${hot}`, photo].map((path) => {
    const response = responses.find((one) => one.path === path);
    return {
      path: path.replace(ids[0], '{id}'),
      status: response.status,
      encoding: response.headers['content-encoding'] ?? 'none',
      'body bytes': Buffer.from(response.body, 'base64').length,
      'header bytes': JSON.stringify(response.headers).length,
    };
  });
  terminal.table(bytes);
  terminal.table([await slowLink(origin + hot)]);
  terminal.table([lighthouse(origin + hot, folder)]);
} finally {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
