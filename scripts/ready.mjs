// Prepares the project to run: it checks Node's version, installs packages and builds. It has no dependencies,
// because it runs before they are installed.
import './check-node.cjs';

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';

export const ROOT = dirname(import.meta.dirname);
const SOURCES = ['domain', 'contract', 'view', 'server', 'web', 'scripts'];
const SOURCE_FILES = ['package.json', 'package-lock.json', 'vite.config.ts'];
const PACKAGE_FILES = ['package.json', 'package-lock.json', '.npmrc'];
/** The hash of the sources from which dist/ was built. */
export const BUILD_STAMP = '.built';
/** The peak memory of the build, measured with /usr/bin/time. */
const BUILD_MEMORY = 'about 700 MB';

export function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** Runs a program in the project's root and shows its output; returns whether it exited with 0. */
export function run(program, args, env = {}) {
  const options = { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } };
  return spawnSync(program, args, options).status === 0;
}

/**
 * Installs the packages of package-lock.json, unless they are installed already. `npm ci` empties
 * node_modules first, so it runs in another folder.
 */
export function install() {
  if (isInstalled()) return;
  process.stdout.write('Installing packages …\n');
  const folder = join(ROOT, '.cache', 'install');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  installInto(folder, ['--include=dev', '--include=optional']);
  replaceFolder('node_modules', join(folder, 'node_modules'));
}

/** Installs the packages of package-lock.json into a folder, and leaves npm's files there. */
export function installInto(folder, options) {
  for (const name of PACKAGE_FILES) {
    if (existsSync(join(ROOT, name))) copyFileSync(join(ROOT, name), join(folder, name));
  }
  const quiet = ['--no-fund', '--no-audit', '--loglevel=error'];
  if (!run('npm', ['ci', '--prefix', folder, ...options, ...quiet]))
    fail('The packages could not be installed. Is the npm registry reachable?');
}

/** Returns whether npm's record of node_modules has the packages of package-lock.json. */
function isInstalled() {
  const { '': _, ...wanted } = readPackages('package-lock.json');
  const installed = readPackages('node_modules/.package-lock.json');
  return Object.keys({ ...wanted, ...installed }).every((path) => {
    // Packages for other platforms are not installed. Packages for this one are missing if the folder was
    // copied from another platform, or if optional packages were left out.
    if (!installed[path]) return wanted[path].optional && !isOfPlatform(wanted[path]);
    const { version, integrity } = installed[path];
    return version === wanted[path]?.version && integrity === wanted[path].integrity;
  });
}

const isAllowedOn = (list, own) => list.length === 0 || list.includes(own());

/** Returns whether a package is for this platform and not for every platform. */
function isOfPlatform({ os = [], cpu = [], libc = [] }) {
  return (
    cpu.length > 0 &&
    isAllowedOn(os, () => process.platform) &&
    isAllowedOn(cpu, () => process.arch) &&
    isAllowedOn(libc, () =>
      process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl',
    )
  );
}

function readPackages(lockFile) {
  return JSON.parse(read(lockFile) ?? '{"packages":{}}').packages;
}

/** Builds dist/, unless it was built from the same sources. */
export function build() {
  if (isBuilt()) return;
  process.stdout.write('Building …\n');
  rebuild();
}

/** The signals by which Node or the kernel ends a process that is out of memory. */
const MEMORY_SIGNALS = new Set(['SIGKILL', 'SIGABRT', 'SIGTRAP']);

/** Runs in a process of its own, because a process that is out of memory cannot say so. */
export function rebuild() {
  const options = { cwd: ROOT, stdio: 'inherit' };
  const { status, signal } = spawnSync(process.execPath, ['scripts/build.mjs'], options);
  if (MEMORY_SIGNALS.has(signal))
    fail(
      `The build ran out of memory. It needs ${BUILD_MEMORY}. Add memory or swap space, or build on another machine and copy the folder dist/.`,
    );
  if (status !== 0) fail('The build failed.');
}

/** Returns whether dist/ was built from the present sources, or whether there are no sources to compare. */
export function isBuilt() {
  const sources = hashSources();
  return sources === null || read(join('dist', BUILD_STAMP)) === sources;
}

/** Returns a hash of the files that dist/ is built from, or null if there are no sources. */
export function hashSources() {
  if (![...SOURCES, ...SOURCE_FILES].every((name) => existsSync(join(ROOT, name)))) return null;
  const paths = [...SOURCES.flatMap(filesBelow), ...SOURCE_FILES];
  const sum = createHash('sha256');
  for (const path of paths) sum.update(`${path}\0`).update(readFileSync(join(ROOT, path)));
  return sum.digest('hex');
}

function filesBelow(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.\w+$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .toSorted();
}

/** Replaces a folder of the root with a new one that is complete. */
export function replaceFolder(name, newPath) {
  const path = join(ROOT, name);
  const old = join(ROOT, '.cache', 'replaced');
  rmSync(old, { recursive: true, force: true });
  if (existsSync(path)) renameSync(path, old);
  renameSync(newPath, path);
  rmSync(old, { recursive: true, force: true });
}

function read(path) {
  return existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : null;
}

const PARENT_CHECK_MS = 200;

/**
 * Stops this process when its parent ends, if npm started it. npm sends SIGTERM to the shell between
 * npm and this process, and the shell ends without forwarding it.
 */
export function stopWithParent() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_MS).unref();
}
