// Prepares the project to run: checks Node's version, installs packages, builds. It has no
// dependencies, because it runs before they are installed.
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

/** Prints one sentence and exits with code 1. */
export function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** Runs a program in the project's root and shows its output; returns whether it exited with 0. */
export function run(program, args, env = {}) {
  const options = { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } };
  return spawnSync(program, args, options).status === 0;
}

export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isSupported = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;
  if (!isSupported)
    fail(`Tessera needs Node 20.19, 22.12 or newer; this is ${process.versions.node}.`);
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
  for (const name of PACKAGE_FILES) {
    if (existsSync(join(ROOT, name))) copyFileSync(join(ROOT, name), join(folder, name));
  }
  const options = ['--include=dev', '--no-fund', '--no-audit', '--loglevel=error'];
  if (!run('npm', ['ci', '--prefix', folder, ...options])) {
    fail('The packages could not be installed. Is the npm registry reachable?');
  }
  replaceFolder('node_modules', join(folder, 'node_modules'));
}

/** Whether npm's record of node_modules has the packages of package-lock.json. */
function isInstalled() {
  const { '': _, ...wanted } = readPackages('package-lock.json');
  const installed = readPackages('node_modules/.package-lock.json');
  return Object.keys({ ...wanted, ...installed }).every((path) => {
    // Packages for other platforms are not installed.
    if (!installed[path]) return wanted[path].optional;
    const { version, integrity } = installed[path];
    return version === wanted[path]?.version && integrity === wanted[path].integrity;
  });
}

function readPackages(lockFile) {
  return JSON.parse(read(lockFile) ?? '{"packages":{}}').packages;
}

/** Builds dist/, unless it was built from the same sources. */
export function build() {
  if (isBuilt()) return;
  process.stdout.write('Building …\n');
  if (!run(process.execPath, ['scripts/build.mjs'])) fail('The build failed.');
}

/** Whether dist/ was built from the sources that are here. Without sources there is nothing to compare. */
export function isBuilt() {
  const sources = hashSources();
  return sources === null || read(join('dist', BUILD_STAMP)) === sources;
}

/** A hash of the files that dist/ is built from; null if they are not here. */
export function hashSources() {
  if (![...SOURCES, ...SOURCE_FILES].every((name) => existsSync(join(ROOT, name)))) return null;
  const paths = [...SOURCES.flatMap(filesBelow), ...SOURCE_FILES];
  const sum = createHash('sha256');
  for (const path of paths)
    sum
      .update(path)
      .update('\0')
      .update(readFileSync(join(ROOT, path)));
  return sum.digest('hex');
}

function filesBelow(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.\w+$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .toSorted();
}

/** Replaces a folder of the root by a complete new one. */
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
