import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, onTestFinished, test, vi } from 'vitest';

import { ROOT } from '#scripts/ready.mjs';
import {
  BASE,
  OWN_FILES,
  buildBase,
  buildHere,
  installDebian,
  podman,
  run,
} from '#tests/support/container.ts';
import { LIMITS, checkDeployment, codesIn, curl } from '#tests/support/deployment.ts';
import { print } from '#tests/support/print.ts';
import { writeCephConfig } from '#tests/support/s3-server.ts';

// deploy/compose.yaml and deploy/update.sh, run by podman-compose.

const SERVICES = 'localhost/tessera-services';
/** The proxy, the database and the bucket of deploy/compose.yaml. */
const SERVICE_PACKAGES = ['caddy', 'postgresql-15', 'ceph-mon', 'ceph-osd', 'radosgw', 'curl'];
const ORIGIN = 'https://localhost';

const readLogs = () => podman('logs', 'tessera_node-1_1') + podman('logs', 'tessera_node-2_1');
const secret = () => randomBytes(32).toString('hex');
const seconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(0)} s`;

/** A clone with deploy/ filled in and called as docs/install.md has it. */
function prepareCompose(folder: string) {
  const project = join(folder, 'project');
  run(folder, 'git', 'clone', '--quiet', ROOT, project);
  const deploy = join(project, 'deploy');
  const values: Readonly<Record<string, string>> = {
    S3_ACCESS_KEY_ID: `GK${secret().slice(0, 24)}`,
    SUPPORT_EMAIL: 'help@cards.example',
    JURISDICTION_STATE: 'Karnataka',
  };
  run(deploy, 'install', '-m', '0600', 'example.env', '.env');
  const env = readFileSync(join(deploy, 'example.env'), 'utf8')
    .replace(/^SITE=.*$/m, 'SITE=localhost')
    .replaceAll(/^(\w+)=$/gm, (line, name: string) =>
      name in values || /SECRET|PASSWORD/.test(name) ? `${line}${values[name] ?? secret()}` : line,
    );
  const limits = Object.entries(LIMITS).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(deploy, '.env'), env + limits.join(''));
  const s3 = join(folder, 's3');
  mkdirSync(s3);
  const config = writeCephConfig(s3, { domain: 'garage', monitorPort: 13_300, port: 3900 });
  const text = readFileSync(config, 'utf8')
    .replaceAll(s3, '/s3')
    .replace('endpoint=127.0.0.1:', 'endpoint=0.0.0.0:');
  writeFileSync(config, text.replace(/^osd_client_watch_timeout=.*$/m, ''));
  const containers = join(folder, 'containers.conf');
  // The backend that resolves names of containers.
  writeFileSync(containers, '[network]\nnetwork_backend = "netavark"\n');
  const build = '--isolation=chroot --network=host --volume=/etc/ssl/certs:/etc/ssl/certs:ro';
  const OPTIONS =
    `--project-name=tessera --podman-path=${join(OWN_FILES, 'podman')} --file=compose.yaml ` +
    `--file=${join(OWN_FILES, 'compose-override.yaml')}`;
  const files = { CONTAINERS_CONF: containers, IMAGE_FOLDER: OWN_FILES, S3_FOLDER: s3 };
  const own = { VERSION: '1.1.0-dev+compose', COMPOSE: join(OWN_FILES, 'compose'), OPTIONS };
  const environment = { ...files, ...own };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const compose = (...args: string[]) =>
    run(deploy, 'podman-compose', ...OPTIONS.split(' '), `--podman-build-args=${build}`, ...args);
  return { compose, deploy };
}

test('compose: two nodes behind Caddy, PostgreSQL and a bucket serve while update.sh replaces them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-compose-'));
  buildBase(folder);
  installDebian(folder, SERVICE_PACKAGES);
  writeFileSync(join(folder, 'Dockerfile'), 'FROM scratch\nADD root.tar /\n');
  buildHere(folder, `--tag=${SERVICES}`);
  const { compose, deploy } = prepareCompose(folder);
  const network = ['--subnet=172.30.0.0/24', '--ipv6', '--subnet=fd5e:55e7:a000::/64'];
  podman('network', 'create', ...network, 'tessera_inside');
  onTestFinished(() => {
    compose('down', '--volumes');
    podman('network', 'rm', '--force', 'tessera_inside');
    vi.unstubAllEnvs();
    podman('image', 'rm', '--force', '--ignore', SERVICES, 'localhost/tessera', BASE);
    rmSync(folder, { recursive: true, force: true });
  });
  const startedAt = performance.now();
  compose('build', 'node-1');
  const builtAt = performance.now();
  const update = () => promisify(execFile)(join(deploy, 'update.sh'));
  await update();

  const root = '/data/caddy/pki/authorities/local/root.crt';
  const authority = join(folder, 'root.crt');
  const readHealth = () => {
    writeFileSync(authority, podman('exec', 'tessera_proxy_1', 'cat', root));
    return curl(authority, `${ORIGIN}/healthz`);
  };
  const health = '{"status":"ok","version":"1.1.0-dev+compose"}';
  await expect.poll(readHealth, { timeout: 180_000, interval: 1000 }).toBe(health);
  const [built, up] = [seconds(startedAt, builtAt), seconds(builtAt, performance.now())];
  print(`compose: built in ${built}, behind https ${up} later`);
  const environment = podman('exec', 'tessera_node-1_1', 'env');
  const secrets = readFileSync(join(deploy, '.env'), 'utf8');
  const valueOf = (name: string) => new RegExp(`^${name}=(.+)$`, 'm').exec(secrets)?.[1] ?? name;
  expect(environment).toContain(valueOf('DATABASE_PASSWORD'));
  expect(environment).not.toContain(valueOf('POSTGRES_PASSWORD'));
  expect(environment).not.toContain(valueOf('GARAGE_RPC_SECRET'));

  // curl has checked the certificate.
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  await checkDeployment('compose', { origin: ORIGIN, codeFor: codesIn(readLogs) }, update);

  // As git does: another file with the same name.
  const caddyfile = readFileSync(join(deploy, 'Caddyfile'), 'utf8');
  rmSync(join(deploy, 'Caddyfile'));
  const changed = caddyfile.replace('\tencode ', '\theader Is-Changed yes\n\tencode ');
  writeFileSync(join(deploy, 'Caddyfile'), changed);
  await update();
  expect((await fetch(ORIGIN)).headers.get('is-changed')).toBe('yes');
});
