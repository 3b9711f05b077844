// Prepares the project to run: checks Node's version, installs packages, builds. It has no
// dependencies, because it runs before they are installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const ROOT = dirname(import.meta.dirname);
const SOURCES = ['domain', 'contract', 'view', 'server', 'web', 'scripts'];
const SOURCE_FILES = ['package.json', 'package-lock.json', 'vite.config.ts'];

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

/** Installs the packages of package-lock.json, unless they are installed already. */
export function install() {
  const stamp = join(ROOT, 'node_modules', '.installed');
  const expected = hash([join(ROOT, 'package.json'), join(ROOT, 'package-lock.json')]);
  if (read(stamp) === expected) return;
  process.stdout.write('Installing packages …\n');
  if (!run('npm', ['ci', '--include=dev', '--no-fund', '--no-audit', '--loglevel=error'])) {
    fail('The packages could not be installed. Is the npm registry reachable?');
  }
  writeStamp(stamp, expected);
}

/**
 * Builds dist/, unless it was built from the same sources. Files that were not touched since then
 * are not read again, because reading all of them takes longer than the rest of this script.
 */
export function build() {
  const stamp = join(ROOT, 'dist', '.built');
  const paths = [
    ...SOURCES.flatMap((folder) => filesBelow(join(ROOT, folder))),
    ...SOURCE_FILES.map((name) => join(ROOT, name)),
  ];
  const [builtStats, builtContents] = (read(stamp) ?? '').split('\n');
  const stats = hashFileStats(paths);
  if (stats === builtStats) return;
  const contents = hash(paths);
  if (contents !== builtContents) {
    process.stdout.write('Building …\n');
    if (!run(process.execPath, ['scripts/build.mjs'])) fail('The build failed.');
  }
  writeStamp(stamp, `${stats}\n${contents}`);
}

function writeStamp(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

function hash(paths) {
  const sum = createHash('sha256');
  for (const path of paths)
    sum.update(path.slice(ROOT.length)).update('\0').update(readFileSync(path));
  return sum.digest('hex');
}

/** A hash of the names, sizes and change times of files. */
function hashFileStats(paths) {
  const fileStats = paths.map((path) => {
    const { size, ctimeMs } = statSync(path);
    return [path, size, ctimeMs];
  });
  return createHash('sha256').update(JSON.stringify(fileStats)).digest('hex');
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.\w+$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}
