import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';

import { ROOT } from '#scripts/ready.mjs';
import {
  BASE,
  MULTI_ARCH_BASE,
  buildBase,
  buildMultiArchBase,
  codeReaderOf,
  podman,
  run,
} from '#tests/support/container.ts';
import { createOwner, sendRequest } from '#tests/support/owner.ts';
import { freePort } from '#tests/support/port.ts';
import { print } from '#tests/support/print.ts';

// The image of deploy/Dockerfile, built by buildah and run by podman.

const IMAGE = 'localhost/tessera-test';
const ARM64_IMAGE = 'localhost/tessera-test-arm64';
const NAME = 'tessera-image-test';
const RESTORED = `${NAME}-restored`;
const WAIT = { timeout: 60_000, interval: 100 };

const folder = mkdtempSync(join(tmpdir(), 'tessera-image-'));
beforeAll(() => buildBase(folder));
afterEach(() => {
  podman('rm', '--force', '--ignore', NAME);
  podman('volume', 'rm', '--force', NAME, RESTORED);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  // While a list has an image for this machine, its name stands for that image.
  for (const image of [IMAGE, ARM64_IMAGE, BASE, MULTI_ARCH_BASE])
    podman('image', 'rm', '--force', '--ignore', image);
});

/** Builds the image from a folder with the sources. Returns its size in megabytes. */
function buildImage(
  sources: string,
  image: string,
  { version, base = BASE, platform = 'linux/amd64' }: Readonly<Record<string, string>>,
): string {
  // Where a proxy ends TLS, npm must know its authority.
  const certificates = '--volume=/etc/ssl/certs:/etc/ssl/certs:ro';
  // Docker sets the platforms itself.
  const options =
    `--format=docker --isolation=chroot --network=host --timestamp=0 --platform=${platform} ` +
    `--build-arg=BASE=${base} --build-arg=VERSION=${version} --build-arg=BUILDPLATFORM=linux/amd64 ` +
    `--build-arg=TARGETPLATFORM=${platform} --file=deploy/Dockerfile --tag=${image} ${certificates}`;
  run(sources, 'buildah', 'bud', ...options.split(' '), '.');
  const bytes = Number(podman('image', 'inspect', '--format={{.Size}}', image));
  return `${(bytes / 1e6).toFixed(0)} MB with its base`;
}

/** Starts a container as docs/operate/install.md does, with its data in a volume. */
async function start(image: string, volume = NAME) {
  const port = await freePort();
  const options =
    `--detach --name=${NAME} --read-only --tmpfs=/tmp --cap-drop=ALL --security-opt=no-new-privileges ` +
    `--env=SMS_GATEWAY=console --env=PORT=${port} --env=HOST=127.0.0.1 --network=host ` +
    `--no-healthcheck --volume=${volume}:/data ${image}`;
  podman('run', ...options.split(' '));
  const origin = `http://127.0.0.1:${port}`;
  await vi.waitUntil(async () => (await fetch(`${origin}/readyz`).catch(() => null))?.ok, WAIT);
  return { origin, codeFor: codeReaderOf(() => podman('logs', NAME)) };
}

function stop(): number {
  podman('stop', '--time=30', NAME);
  const code = Number(podman('inspect', '--format={{.State.ExitCode}}', NAME));
  podman('rm', NAME);
  return code;
}

test('image: is built, runs unprivileged on a read-only root, answers its health check, keeps a volume, and restores a backup into another', async () => {
  const startedAt = performance.now();
  const size = buildImage(ROOT, IMAGE, { version: '1.1.0+image' });
  const seconds = (performance.now() - startedAt) / 1000;
  print(`image: ${size}, built in ${seconds.toFixed(0)} s`);

  const first = await start(IMAGE);
  const owner = await createOwner(first, '9876543210', { name: 'Asha Rao' });
  expect(stop()).toBe(0);

  const service = await start(IMAGE);
  expect(await sendRequest(service, `/user/${owner._id}`)).toMatchObject({ name: 'Asha Rao' });
  const health = await (await fetch(`${service.origin}/healthz`)).json();
  expect(health).toEqual({ status: 'ok', version: '1.1.0+image' });
  expect(podman('exec', NAME, 'id', '-u')).not.toBe('0');
  expect(() => podman('exec', NAME, 'touch', '/app/new')).toThrow(/Read-only file system/);
  expect(() => podman('exec', NAME, 'node', 'healthcheck.mjs', '/none')).toThrow();
  podman('exec', NAME, 'node', 'healthcheck.mjs', '/readyz');
  const command = ['node', 'dist/server/command.js'];
  podman('exec', NAME, ...command, 'backup', '/data/backup');
  expect(stop()).toBe(0);

  const options =
    `--rm --network=none --env=SMS_GATEWAY=console --volume=${NAME}:/before ` +
    `--volume=${RESTORED}:/data ${IMAGE}`;
  const restore = ['restore', '--present', '/before', '/before/backup'];
  podman('run', ...options.split(' '), ...command, ...restore);
  const restored = await start(IMAGE, RESTORED);
  expect(await sendRequest(restored, `/user/${owner._id}`)).toMatchObject({ name: 'Asha Rao' });
  expect(stop()).toBe(0);
});

/** Returns the machine for which a program was built (ELF, e_machine). */
const machineOf = (path: string) => readFileSync(path).readUInt16LE(18);
const AARCH64 = 183;

test('image: for arm64 has programs of that architecture only, built without running one', () => {
  buildMultiArchBase(folder);
  const build = { version: '1.1.0+arm64', base: MULTI_ARCH_BASE, platform: 'linux/arm64' };
  const size = buildImage(ROOT, ARM64_IMAGE, build);
  print(`image for arm64: ${size}, built and not run`);
  expect(podman('image', 'inspect', '--format={{.Architecture}}', ARM64_IMAGE)).toBe('arm64');
  const root = podman('image', 'mount', ARM64_IMAGE);
  onTestFinished(() => void podman('image', 'unmount', ARM64_IMAGE));
  const image = join(root, 'app/node_modules/@img');
  const packages = readdirSync(image).filter((name) => name.startsWith('sharp-'));
  expect(packages).toEqual(['sharp-libvips-linux-arm64', 'sharp-linux-arm64']);
  const libraries = join(image, 'sharp-linux-arm64/lib');
  const library = readdirSync(libraries).find((name) => name.endsWith('.node')) ?? '';
  const programs = [join(root, 'usr/local/bin/node'), join(libraries, library)];
  expect(programs.map(machineOf)).toEqual([AARCH64, AARCH64]);
  expect(statSync(join(root, 'data')).uid).toBe(1000);
});
