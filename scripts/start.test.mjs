import { spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const ROOT = dirname(import.meta.dirname);
const WAIT = { timeout: 15_000, interval: 20 };

/** Replaces the build: it writes a server that records its start and its orderly stop. */
const BUILD = `
  import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
  mkdirSync('dist/server', { recursive: true });
  appendFileSync('notes', 'built\\n');
  writeFileSync('dist/server/main.js', \`
    import { appendFileSync } from 'node:fs';
    const timer = setInterval(() => {}, 1000);
    process.on('SIGTERM', () => { appendFileSync('notes', 'stopped\\\\n'); clearInterval(timer); });
    appendFileSync('notes', 'pid ' + process.pid + '\\\\n');
  \`);
`;

let folder = '';
const write = (path, text) => writeFileSync(join(folder, path), text);
const notes = () =>
  existsSync(join(folder, 'notes')) ? readFileSync(join(folder, 'notes'), 'utf8') : '';
const countBuilds = () => notes().match(/built/g)?.length;
const serverPids = () => [...notes().matchAll(/^pid (\d+)$/gm)].map(([, pid]) => Number(pid));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tessera-start-'));
  for (const name of ['domain', 'contract', 'view', 'server', 'web', 'scripts']) {
    mkdirSync(join(folder, name));
  }
  for (const name of ['start.mjs', 'ready.mjs', 'stop-with-parent.mjs']) {
    copyFileSync(join(ROOT, 'scripts', name), join(folder, 'scripts', name));
  }
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const project = { name: 'project', version: '1.0.0', type: 'module' };
  const packages = { '': { name: project.name, version: project.version } };
  write('package.json', JSON.stringify({ ...project, scripts: { start: scripts.start } }));
  write('package-lock.json', JSON.stringify({ ...project, lockfileVersion: 3, packages }));
  write('vite.config.ts', '');
  write('server/main.ts', 'one');
  write('scripts/build.mjs', BUILD);
});

afterEach(() => {
  for (const pid of serverPids()) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Starts the project; resolves when its server runs. */
async function start(program, ...args) {
  const count = serverPids().length;
  // As a service manager starts it: without the variables of the npm that runs this test.
  const { PATH, HOME } = process.env;
  const child = spawn(program, args, { cwd: folder, stdio: 'ignore', env: { PATH, HOME } });
  const exited = new Promise((resolve) => {
    child.on('exit', resolve);
  });
  await vi.waitUntil(() => serverPids().length > count, WAIT);
  return { child, exited, pid: serverPids().at(-1) };
}

const startScript = () => start(process.execPath, 'scripts/start.mjs');

async function startAndStop() {
  const { child, exited } = await startScript();
  child.kill('SIGTERM');
  await exited;
}

test.each([
  { title: 'npm', program: ['npm', 'start'] },
  { title: 'the script', program: [process.execPath, 'scripts/start.mjs'] },
])('npm start: SIGTERM to $title stops the server gracefully', async ({ program }) => {
  const { child, exited, pid } = await start(...program);
  child.kill('SIGTERM');
  await exited;
  await vi.waitUntil(() => !isAlive(pid), WAIT);
  expect(notes()).toBe(`built\npid ${pid}\nstopped\n`);
});

test('npm start: builds again only after a source has changed', async () => {
  await startAndStop();
  await startAndStop();
  expect(countBuilds()).toBe(1);
  utimesSync(join(folder, 'server/main.ts'), 1, 1);
  await startAndStop();
  expect(countBuilds()).toBe(1);
  write('server/main.ts', 'two');
  await startAndStop();
  expect(countBuilds()).toBe(2);
  write('server/main.test.ts', 'a test is not a source');
  await startAndStop();
  expect(countBuilds()).toBe(2);
  rmSync(join(folder, 'server/main.ts'));
  await startAndStop();
  expect(countBuilds()).toBe(3);
});

test('npm start: builds again after a new version in package.json, which the build inlines', async () => {
  await startAndStop();
  const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
  write('package.json', manifest.replace('1.0.0', '1.0.1'));
  await startAndStop();
  expect(countBuilds()).toBe(2);
});
