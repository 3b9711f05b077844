import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import packageFile from '#manifest' with { type: 'json' };
import { createFakeProject } from '#tests/support/fake-project.ts';

const ROOT = join(import.meta.dirname, '..');
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
    use: (version, rest = {}) => {
      const path = `/part-${version}.tgz`;
      const integrity = `sha512-${createHash('sha512').update(files[path]).digest('base64')}`;
      const resolved = `http://127.0.0.1:${port}${path}`;
      project.writeManifests({ 'node_modules/part': { version, resolved, integrity, ...rest } });
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

test('npm start: installs again if packages of this platform were left out, or are of another one', async () => {
  const registry = await startRegistry();
  const { platform, arch } = process;
  registry.use('1.0.0', { optional: true, os: [platform], cpu: [arch] });
  await startAndStop();
  for (const other of [{}, { 'node_modules/part-other': { version: '1.0.0' } }]) {
    rmSync(inFolder('node_modules/part'), { recursive: true });
    project.write('node_modules/.package-lock.json', JSON.stringify({ packages: other }));
    await startAndStop();
    expect(installedVersion()).toBe('1.0.0');
  }
  await registry.close();
  // Packages for other machines may be missing.
  registry.use('2.0.0', { optional: true, os: [platform], cpu: [`not-${arch}`] });
  project.write('node_modules/.package-lock.json', JSON.stringify({ packages: {} }));
  await startAndStop();
});

const TOO_OLD = 'Tessera needs Node 20.19, 22.12 or newer; this is ';

test('check of Node: old versions get one sentence, from a file that each of them can read', () => {
  const path = join(import.meta.dirname, 'check-node.cjs');
  expect(readFileSync(path, 'utf8')).not.toMatch(/=>|`|^\s*(?:const|let|import|class|async)\b/m);
  const errorsOf = (version) => {
    const code = `Object.defineProperty(process.versions, 'node', { value: '${version}' });
      require(${JSON.stringify(path)})`;
    const { status, stderr } = spawnSync(process.execPath, ['-e', code], { encoding: 'utf8' });
    return [status, stderr];
  };
  for (const version of [
    '0.12.18',
    '10.24.1',
    '18.20.8',
    '20.10.0',
    '20.18.3',
    '21.7.3',
    '22.11.0',
  ])
    expect(errorsOf(version)).toEqual([1, `${TOO_OLD}${version}.\n`]);
  for (const version of ['20.19.0', '22.12.0', '24.1.0', '26.0.0'])
    expect(errorsOf(version)).toEqual([0, '']);
  for (const name of ['start', 'build', 'dev', 'demo', 'admin', 'backup', 'restore', 'move-data'])
    expect(packageFile.scripts[name]).toMatch(/^node -r \.\/scripts\/check-node\.cjs /);
});

test.each([
  [
    ['run', 'build'],
    "import v8 from 'node:v8'; v8.setFlagsFromString('--max-old-space-size=20'); const all = []; for (;;) all.push(Array.from({ length: 1e5 }, String));",
  ],
  [['start'], "process.kill(process.pid, 'SIGKILL');"],
])('npm %s: says that the memory is too little for the build', async (args, code) => {
  project.write('scripts/build.mjs', code);
  const { code: status, errors } = await project.run('npm', ...args);
  expect([status, errors]).toEqual([1, expect.stringContaining('The build ran out of memory.')]);
});

const countRemoved = (...options) => {
  // Leaves out npm's own variables, which npx sets.
  const env = { PATH: process.env.PATH, HOME: project.folder, NODE_ENV: 'production' };
  const args = ['ci', '--dry-run', '--offline', ...options];
  const { stdout } = spawnSync('npm', args, { cwd: ROOT, env, encoding: 'utf8' });
  return stdout.match(/^remove /gm)?.length ?? 0;
};

test('npm ci: installs what the build needs also with NODE_ENV=production, and without it for an image', () => {
  expect(countRemoved()).toBe(0);
  expect(countRemoved('--include=prod', '--omit=dev')).toBeGreaterThan(0);
});
