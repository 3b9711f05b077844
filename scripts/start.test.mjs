import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { createFakeProject } from '#tests/support/fake-project.ts';

const WAIT = { timeout: 15_000, interval: 20 };

let project;
const inFolder = (path) => join(project.folder, path);
const countBuilds = () => project.notes().match(/built/g)?.length;
const serverPids = () =>
  [...project.notes().matchAll(/^pid (\d+)$/gm)].map(([, pid]) => Number(pid));

beforeEach(() => {
  project = createFakeProject();
});

afterEach(() => {
  for (const pid of serverPids()) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
});

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function start(program, ...args) {
  const count = serverPids().length;
  const child = project.start(program, ...args);
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
  expect(project.notes()).toBe(`built\npid ${pid}\nstopped\n`);
});

test('npm start: builds again only after a source or the version has changed', async () => {
  await startAndStop();
  await startAndStop();
  expect(countBuilds()).toBe(1);
  utimesSync(inFolder('server/main.ts'), 1, 1);
  await startAndStop();
  expect(countBuilds()).toBe(1);
  project.write('server/main.ts', 'two');
  await startAndStop();
  expect(countBuilds()).toBe(2);
  project.write('server/main.test.ts', 'a test is not a source');
  await startAndStop();
  expect(countBuilds()).toBe(2);
  rmSync(inFolder('server/main.ts'));
  await startAndStop();
  expect(countBuilds()).toBe(3);
  // The build inlines the version.
  const manifest = readFileSync(inFolder('package.json'), 'utf8');
  project.write('package.json', manifest.replace('1.0.0', '1.0.1'));
  await startAndStop();
  expect(countBuilds()).toBe(4);
});

async function startRegistry() {
  const files = {};
  mkdirSync(inFolder('part/package'), { recursive: true });
  for (const version of ['1.0.0', '2.0.0']) {
    project.write('part/package/package.json', JSON.stringify({ name: 'part', version }));
    const options = { cwd: inFolder('part') };
    files[`/part-${version}.tgz`] = execFileSync('tar', ['-cz', 'package'], options);
  }
  const server = createServer((request, response) => response.end(files[request.url]));
  const open = (port) =>
    new Promise((resolve) => {
      server.listen(port, '127.0.0.1', resolve);
    });
  await open(0);
  const { port } = server.address();
  return {
    open: () => open(port),
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
      }),
    use: (version) => {
      const path = `/part-${version}.tgz`;
      const integrity = `sha512-${createHash('sha512').update(files[path]).digest('base64')}`;
      const resolved = `http://127.0.0.1:${port}${path}`;
      project.writeManifests({ 'node_modules/part': { version, resolved, integrity } });
    },
  };
}

const installedVersion = () =>
  JSON.parse(readFileSync(inFolder('node_modules/part/package.json'), 'utf8')).version;
const listInstalled = () =>
  project.listFiles().filter((path) => /^(dist|node_modules)\//.test(path));

test('npm start: npm ci and npm run build have installed and built', async () => {
  const registry = await startRegistry();
  registry.use('1.0.0');
  await project.run('npm', 'ci');
  await project.run('npm', 'run', 'build');
  await registry.close();
  const installed = listInstalled();
  await startAndStop();
  expect([installedVersion(), countBuilds()]).toEqual(['1.0.0', 1]);
  expect(listInstalled()).toEqual(installed);
});

test('npm start: packages that cannot be installed leave the old ones and the build', async () => {
  const registry = await startRegistry();
  registry.use('1.0.0');
  await startAndStop();
  await registry.close();
  registry.use('2.0.0');
  const installed = listInstalled();
  const { code, errors } = await project.run('npm', 'start');
  expect([code, errors]).toEqual([
    1,
    expect.stringContaining('The packages could not be installed. Is the npm registry reachable?'),
  ]);
  expect(installedVersion()).toBe('1.0.0');
  expect(listInstalled()).toEqual(installed);

  await registry.open();
  await startAndStop();
  await registry.close();
  expect([installedVersion(), countBuilds()]).toEqual(['2.0.0', 2]);
});
