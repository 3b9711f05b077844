import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';

import { ROOT } from '#scripts/ready.mjs';
import {
  BASE,
  IMAGE_FILES,
  buildBase,
  buildHere,
  codeReaderOf,
  installDebian,
  podman,
  run,
} from '#tests/support/container.ts';
import { newFolder } from '#tests/support/folder.ts';
import { startLoad } from '#tests/support/load.ts';
import { createOwner, postPhoto, sendRequest } from '#tests/support/owner.ts';
import type { Owner } from '#tests/support/owner.ts';
import { twoHalves } from '#tests/support/picture.ts';
import { freePort } from '#tests/support/port.ts';
import { startCluster } from '#tests/support/postgres.ts';
import { buildRelease } from '#tests/support/previous-version.ts';
import { print } from '#tests/support/print.ts';
import { hasS3Server, startS3Server, writeCephConfig } from '#tests/support/s3-server.ts';
import { startServer } from '#tests/support/server.ts';
import { ADDRESS, SITE_PROXIES, edit, startCaddy } from '#tests/support/site-proxy.ts';
import type { RunningServer } from '#tests/support/server.ts';

// The files of deploy/, as docs/operate/install.md and docs/operate/proxy.md use them: with Debian's programs, and the compose files
// by podman-compose.

const WAIT = { timeout: 60_000, interval: 100 };
const RESTARTS = 10;
const AGENT = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/130.0.0.0 Mobile Safari/537.36';
const RELOADED = 'SocketError: other side closed';

/** The nodes see all visitors at the IP address of the test, so its limits are raised. */
const LIMITS = {
  LIMIT_READS_PER_MINUTE: '1000000',
  LIMIT_CONTACTS_PER_HOUR: '100000',
  LIMIT_CONTACTS_PER_CARD: '10000',
};

let lastPhone = 9_876_543_210;

/** Returns what curl receives, or '' after an error. curl checks the certificate. */
function curl(authority: string, ...args: string[]): string {
  const options = ['--silent', '--ipv4', '--max-time', '5', '--cacert', authority];
  const { status, stdout } = spawnSync('curl', [...options, ...args], { encoding: 'utf8' });
  return status === 0 ? stdout : '';
}

/** Uses a service, also while `replaceNodes` runs. No request may fail, and nothing acknowledged may be lost. */
async function checkDeployment(
  name: string,
  service: Pick<RunningServer, 'origin' | 'codeFor'>,
  replaceNodes?: () => Promise<unknown>,
): Promise<void> {
  const { origin } = service;
  const startedAt = performance.now();
  lastPhone += 1;
  const owner = await createOwner(service, String(lastPhone), { name: 'Asha Rao' });
  const picture = await twoHalves({ width: 300, height: 300 }).png().toBuffer();
  const upload = async () => (await postPhoto(service, owner, picture)).status === 200;
  await vi.waitUntil(upload, { ...WAIT, interval: 1000 });
  const card = await fetch(`${origin}/user/${owner._id}`);
  expect(await card.text()).toContain('Asha Rao');
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const saved = await sendRequest<{ profilePhoto: string }>(service, `/user/${owner._id}`);
  const photo = await fetch(origin + saved.profilePhoto);
  expect(photo.headers.get('content-type')).toBe('image/jpeg');

  const load = startLoad(origin, [owner]);
  await replaceNodes?.();
  await load.stop();
  const { read, save, contact } = load.sent;
  print(
    `${name}: a card with a photo after ${seconds} s; ${read} reads, ${save} saves and ${contact} contacts ` +
      `${replaceNodes ? 'while the nodes were replaced' : 'after it'}, ${load.failures.length} failed`,
  );
  // A reload closes idle connections of visitors, whose browsers send again; a loss behind nginx is 502.
  const isReload = (reason: string) => name === 'nginx' && reason === RELOADED;
  expect(load.failures.filter(({ reason }) => !isReload(reason))).toEqual([]);
  // For a moment another node may show an earlier card (docs/operate/scaling.md#several-nodes).
  await expect.poll(() => load.findLosses(), { timeout: 10_000, interval: 500 }).toEqual([]);
  expect(Math.min(read, save, contact)).toBeGreaterThan(0);
}

/** Checks that an open stream reports a visit, so that no proxy waits for its end. */
async function checkLive(origin: string, { _id, sessionToken }: Owner): Promise<void> {
  const { body } = await fetch(`${origin}/api/user/${_id}/live?s=aB3dE6gH`, {
    headers: { authorization: sessionToken },
    signal: AbortSignal.timeout(WAIT.timeout),
  });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  await fetch(`${origin}/user/${_id}?s=aB3dE6gH`, { headers: { 'user-agent': AGENT } });
  let text = '';
  while (!text.includes('opened')) {
    const chunk = await reader?.read();
    if (!chunk?.value) throw new Error(`The live stream has ended: ${text}`);
    text += chunk.value;
  }
  await reader?.cancel();
}

/** Returns the commands below a heading of a document. */
function commandsOf(page: string, heading: string): string[] {
  const text = readFileSync(join(ROOT, 'docs/operate', page), 'utf8');
  const part = text.slice(text.indexOf(`\n## ${heading}\n`) + 1).replace(/\n## [^]*/, '');
  const blocks = [...part.matchAll(/^```sh\n([^]*?)^```/gm)];
  return blocks.flatMap(([, lines = '']) => lines.trim().split('\n'));
}

/** Starts a shell in which /opt and /var/lib are empty, /etc is a copy, and systemctl is hardening/systemd's. */
async function startMachine(folder: string) {
  const journal = join(folder, 'journal');
  writeFileSync(journal, '');
  const mounts =
    'mount -t tmpfs tmpfs /opt; mount -t tmpfs tmpfs /var/lib; cp -a /etc /opt/etc; ' +
    'mount --bind /opt/etc /etc; mkdir -p /etc/systemd/system; echo ready; cat';
  const shell = spawn('unshare', ['--mount', 'sh', '-euc', mounts]);
  onTestFinished(() => void shell.kill('SIGKILL'));
  await once(shell.stdout, 'data');
  const env = {
    PATH: `${join(import.meta.dirname, 'systemd')}:${process.env['PATH'] ?? ''}`,
    JOURNAL: journal,
    HOME: folder,
  };
  const enter = (command: string) => {
    const args = ['--target', String(shell.pid), '--mount', 'bash', '-euc', command];
    return execFileSync('nsenter', args, { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' });
  };
  onTestFinished(() => void enter('systemctl stop tessera'));
  return { run: enter, readJournal: () => readFileSync(journal, 'utf8') };
}

describe.skipIf(!hasS3Server)('deploy/', () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>;
  let store: Awaited<ReturnType<typeof startS3Server>>;
  let environment: Record<string, string>;

  beforeAll(async () => {
    cluster = await startCluster('postgres');
    store = await startS3Server();
    const script = ['-f', join(ROOT, 'deploy/postgres.sql'), cluster.url];
    const values = ['-v', 'ON_ERROR_STOP=1', '-v', 'password=password'];
    execFileSync('psql', [...values, ...script], { stdio: 'pipe' });
    const url = cluster.url.replace('//postgres@', '//tessera:password@');
    environment = {
      NODE_ENV: 'production',
      SMS_GATEWAY: 'console',
      DATABASE_URL: url.replace(/\w+$/, 'tessera'),
      ...store.environmentOf(await store.makeBucket()),
      TRUST_PROXY: ADDRESS,
      LOG_ADDRESS: 'full',
      ...LIMITS,
    };
    return async () => {
      await store.stop();
      cluster.stop();
    };
  });

  test.each(SITE_PROXIES)(
    '$name: two nodes serve over https, also while they are replaced',
    async ({ name, start }) => {
      const folder = newFolder();
      const port = await freePort();
      const origin = `https://localhost:${port}`;
      const ports = [await freePort(), await freePort()];
      const startNode = (node: number) =>
        startServer({ ...environment, PORT: String(node), PUBLIC_URL: origin });
      const nodes: RunningServer[] = [];
      for (const node of ports) nodes.push(await startNode(node));
      let output = '';
      onTestFinished(async () => {
        await Promise.all(nodes.map((node) => node.dispose()));
        vi.unstubAllEnvs();
      });
      const httpPort = await freePort();
      const proxy = start({ folder, port, httpPort, nodes: ports });

      await expect
        .poll(() => curl(proxy.authority, `${origin}/healthz`), WAIT)
        .toContain('"status":"ok"');
      const options = ['--output', '/dev/null', '--write-out', '%{http_code}'];
      const status = (url: string) => curl(proxy.authority, ...options, url);
      expect(status(`http://localhost:${httpPort}/login?phone=9876512345`)).toBe('308');
      for (const path of ['/readyz', '/readyz/', '/%72eadyz', '/metrics'])
        expect(status(`${origin}${path}`)).toBe('404');
      curl(proxy.authority, `${origin}/login?phone=9876512345`);

      // curl has checked the certificate.
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
      const codeFor = (phone: string) => Promise.any(nodes.map((node) => node.codeFor(phone)));
      await checkDeployment(name, { origin, codeFor }, async () => {
        for (let restart = 0; restart < RESTARTS; restart += 1) {
          const index = restart % ports.length;
          const node = ports[index] ?? 0;
          proxy.setDown?.(node);
          expect(await nodes[index]?.stop()).toBe(0);
          output += nodes[index]?.output();
          nodes[index] = await startNode(node);
          proxy.setDown?.(null);
          // The proxy needs a moment to notice that the node is ready.
          await new Promise((resolve) => setTimeout(resolve, 3000));
        }
      });
      expect(output).toContain(`"address":"${ADDRESS}"`);
      await checkLive(origin, await createOwner({ origin, codeFor }, '9876500003', {}));
      // A visitor's own X-Forwarded-For must not count.
      expect(output).not.toContain('"address":"10.');
      await expect.poll(proxy.log, WAIT).toContain('/login');
      expect(proxy.log().match(/9876512345|"remote_ip":"127\.0\.0\.1"/)).toBeNull();
    },
  );

  // Only root can mount another /opt, /etc and /var/lib.
  test.skipIf(process.getuid?.() !== 0)(
    'archive: is a card behind https by the commands of docs/, with the unit for systemd, and is upgraded, restored and moved to PostgreSQL by them',
    async () => {
      const release = buildRelease();
      const folder = newFolder();
      onTestFinished(() => release.remove());
      const machine = await startMachine(folder);
      const [port, node, httpPort] = [await freePort(), await freePort(), await freePort()];
      const origin = `https://localhost:${port}`;
      const moved = environment['DATABASE_URL']?.replace(/\w+$/, 'tessera_restored') ?? '';
      const values: Record<string, string> = {
        'tessera-2.1.0-linux-x64': basename(release.folder),
        'http://localhost:3000': `http://localhost:${node}`,
        'postgres://tessera:password@localhost/tessera': moved,
      };
      /** Runs commands of a document in their order, with the values of this machine. */
      const follow = (cwd: string, commands: readonly string[], chosen = /^/) => {
        const text = [`cd ${cwd}`, ...commands.filter((line) => chosen.test(line))].join('\n');
        const known = Object.entries(values).filter(([example]) => text.includes(example));
        machine.run(edit(text, Object.fromEntries(known)));
      };

      const startedAt = performance.now();
      // The unit starts it.
      const notStart = /^(?!.*tessera start$)/;
      follow(release.release, commandsOf('install.md', 'From a release'), notStart);
      const local = { PORT: String(node), HOST: ADDRESS, TRUST_PROXY: ADDRESS };
      const settings = { ...local, PUBLIC_URL: origin, SMS_GATEWAY: 'console', ...LIMITS };
      const install = commandsOf('install.md', 'With systemd');
      const start = install.findIndex((line) => line.startsWith('systemctl'));
      follow('/opt/tessera', install.slice(0, start), /^(?!npm )/);
      const lines = Object.entries(settings).map(
        ([name, value]) => `s#^\\# ${name}=.*#${name}=${value}#`,
      );
      machine.run(`sed -i '${lines.join(';')}' /etc/tessera.env`);
      follow('/opt/tessera', install.slice(start), /^(?!npm )/);
      const proxy = startCaddy({ folder, port, httpPort, nodes: [node] });
      await expect.poll(() => curl(proxy.authority, origin), WAIT).toContain('<html');
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
      onTestFinished(() => void vi.unstubAllEnvs());
      const service = { origin, codeFor: codeReaderOf(machine.readJournal) };
      await checkDeployment('archive', service);
      // The command finds the settings, the folder and the user of the unit.
      expect(machine.run('/opt/tessera/tessera admin stats < /dev/null')).toContain('Users: ');
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      print(`archive: from its file to a card behind https in ${seconds} s`);
      const owner = await createOwner(service, '9876500001', { name: 'Asha Rao' });
      const expectCard = () =>
        expect
          .poll(() => sendRequest(service, `/user/${owner._id}`), WAIT)
          .toMatchObject({ name: 'Asha Rao' });
      const uid = machine.run('ps -o uid= -p $(cat /etc/systemd/system/tessera.pid)');
      expect(uid.trim()).toBe('61184');

      const upgrade = commandsOf('upgrade.md', 'Up');
      const first = upgrade.findIndex((line) => line.includes('tar '));
      follow(release.release, upgrade.slice(first, first + 2));
      await expectCard();

      follow('/opt/tessera', commandsOf('backup.md', 'Every night'), /tessera-backup/);
      values['tessera-2026-11-20T03-15-00Z'] = machine.run('ls /var/lib/tessera-backup').trim();
      machine.run('systemctl stop tessera');
      follow('/', commandsOf('restore.md', 'With systemd'));
      machine.run('systemctl start tessera');
      await expectCard();

      const create = commandsOf('upgrade.md', 'Down').filter((line) => line.startsWith('psql'));
      machine.run(create.join('\n').replace('psql', `psql ${cluster.url}`));
      machine.run('systemctl stop tessera');
      follow('/', commandsOf('backup.md', 'From SQLite to PostgreSQL'), /^systemd-run/);
      machine.run(`echo DATABASE_URL=${moved} >> /etc/tessera.env`);
      machine.run('systemctl start tessera');
      await expectCard();
    },
  );
});

const SERVICES = 'localhost/tessera-services';
const SERVICE_PACKAGES = ['caddy', 'postgresql-15', 'ceph-mon', 'ceph-osd', 'radosgw', 'curl'];

const secret = () => randomBytes(32).toString('hex');
const duration = (from: number, to: number) => `${((to - from) / 1000).toFixed(0)} s`;

/** Clones the project and fills deploy/ in, as docs/operate/install.md says. */
function prepareCompose(folder: string) {
  const project = join(folder, 'project');
  run(folder, 'git', 'clone', '--quiet', ROOT, project);
  const deploy = join(project, 'deploy');
  run(deploy, 'install', '-m', '0600', 'example.env', '.env');
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
  const files = { CONTAINERS_CONF: containers, IMAGE_FOLDER: IMAGE_FILES, S3_FOLDER: s3 };
  const own = { VERSION: '1.1.0+compose', COMPOSE: join(IMAGE_FILES, 'compose') };
  for (const [name, value] of Object.entries({ ...files, ...own })) vi.stubEnv(name, value);
  /** Sets the compose files, and lines of .env. */
  const configure = (added: readonly string[], lines: Readonly<Record<string, string>>) => {
    const names = ['compose.yaml', join(IMAGE_FILES, 'compose-override.yaml'), ...added];
    const options = names.map((name) => `--file=${name}`).join(' ');
    const podmanPath = join(IMAGE_FILES, 'podman');
    vi.stubEnv('OPTIONS', `--project-name=tessera --podman-path=${podmanPath} ${options}`);
    const values = { ...lines, COMPOSE_FILE: ['compose.yaml', ...added].join(':') };
    const env = readFileSync(join(deploy, '.env'), 'utf8').split('\n');
    const others = env.filter((line) => !(line.replace(/=.*/, '') in values));
    const set = Object.entries(values).map(([name, value]) => `${name}=${value}`);
    writeFileSync(join(deploy, '.env'), [...others, ...set, ''].join('\n'));
  };
  const build =
    '--layers=false --isolation=chroot --network=host --volume=/etc/ssl/certs:/etc/ssl/certs:ro';
  const compose = (...args: string[]) => {
    const options = (process.env['OPTIONS'] ?? '').split(' ');
    return run(deploy, 'podman-compose', ...options, `--podman-build-args=${build}`, ...args);
  };
  return { compose, configure, update: () => promisify(execFile)(join(deploy, 'update.sh')) };
}

/** Describes a service whose codes are read from the logs of its containers. */
const serviceOf = (...nodes: string[]) => ({
  origin: 'https://localhost',
  codeFor: codeReaderOf(() => nodes.map((node) => podman('logs', `tessera_${node}_1`)).join('')),
});

test('compose: one node serves behind Caddy, is backed up and restored; then two nodes with PostgreSQL and a bucket, while update.sh replaces them', async () => {
  const folder = newFolder();
  buildBase(folder);
  installDebian(folder, SERVICE_PACKAGES);
  writeFileSync(join(folder, 'Dockerfile'), 'FROM scratch\nADD root.tar /\n');
  buildHere(folder, `--tag=${SERVICES}`);
  const { compose, configure, update } = prepareCompose(folder);
  const subnets = ['--subnet=172.30.0.0/24', '--ipv6', '--subnet=fd5e:55e7:a000::/64'];
  const create = () => podman('network', 'create', ...subnets, 'tessera_inside');
  const remove = () => {
    compose('down');
    podman('network', 'rm', '--force', 'tessera_inside');
    const volumes = podman('volume', 'ls', '--quiet', '--filter=name=tessera_');
    if (volumes) podman('volume', 'rm', ...volumes.split('\n'));
  };
  create();
  onTestFinished(() => {
    remove();
    vi.unstubAllEnvs();
    podman('image', 'rm', '--force', '--ignore', SERVICES, 'localhost/tessera', BASE);
  });
  const startedAt = performance.now();
  configure([], { SITE: 'localhost', ...LIMITS });
  compose('build', 'node-1');
  const builtAt = performance.now();
  await update();

  const root = '/data/caddy/pki/authorities/local/root.crt';
  const authority = join(folder, 'root.crt');
  const health = '{"status":"ok","version":"1.1.0+compose"}';
  const expectHealth = () =>
    expect
      .poll(
        () => {
          writeFileSync(authority, podman('exec', 'tessera_proxy_1', 'cat', root));
          return curl(authority, 'https://localhost/healthz');
        },
        { timeout: 180_000, interval: 1000 },
      )
      .toBe(health);
  await expectHealth();
  const [built, up] = [duration(startedAt, builtAt), duration(builtAt, performance.now())];
  print(`compose: built in ${built}, behind https ${up} later`);

  // curl has checked the certificate.
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  const one = serviceOf('node-1');
  await checkDeployment('compose, one node', one);
  const owner = await createOwner(one, '9876500002', { name: 'Asha Rao' });
  const backups = join(folder, 'backups');
  mkdirSync(backups);
  // The node's user is 1000.
  chmodSync(backups, 0o777);
  /** Does what `docker compose run --rm -v /backups:/backups node-1`, whose -v podman-compose 1.0 ignores. */
  const runInNode = (env: string, ...args: string[]) => {
    const options = `--rm --volumes-from=tessera_node-1_1 --volume=${backups}:/backups ${env}`;
    const command = ['localhost/tessera', 'node', 'dist/server/command.js'];
    return podman('run', ...options.split(' '), ...command, ...args);
  };
  runInNode('--env=SMS_GATEWAY=console', 'backup', '--keep', '14', '/backups');
  compose('stop', 'node-1');
  const backup = `/backups/${readdirSync(backups)[0]}`;
  configure([], { DATA_DIR: '/data/restored' });
  const restored = '--env=SMS_GATEWAY=console --env=DATA_DIR=/data/restored';
  runInNode(restored, 'restore', '--present', '/data', backup);
  const restartedAt = performance.now();
  await update();
  const card = await sendRequest(one, `/user/${owner._id}`);
  expect(card).toMatchObject({ name: 'Asha Rao' });
  print(`compose, one node: restored, replaced in ${duration(restartedAt, performance.now())}`);
  // Another machine begins without both.
  remove();
  create();

  const secrets = {
    DATABASE_PASSWORD: secret(),
    POSTGRES_PASSWORD: secret(),
    GARAGE_RPC_SECRET: secret(),
    S3_ACCESS_KEY_ID: `GK${secret().slice(0, 24)}`,
    S3_SECRET_ACCESS_KEY: secret(),
  };
  const services = join(IMAGE_FILES, 'compose-override-nodes.yaml');
  const added = ['compose.postgres.yaml', 'compose.nodes.yaml', services];
  configure(added, { ...secrets, DATA_DIR: '' });
  await update();
  await expectHealth();
  for (const node of ['node-1', 'node-2']) {
    const environment = podman('exec', `tessera_${node}_1`, 'env');
    expect(environment).toContain(secrets.DATABASE_PASSWORD);
    expect(environment).not.toContain(secrets.POSTGRES_PASSWORD);
    expect(environment).not.toContain(secrets.GARAGE_RPC_SECRET);
  }
  await checkDeployment('compose', serviceOf('node-1', 'node-2'), update);

  // Git replaces a file in this way: another file with the same name.
  const file = join(folder, 'project/deploy/Caddyfile');
  const changed = readFileSync(file, 'utf8').replace(
    '\tencode ',
    '\theader Is-Changed yes\n\tencode ',
  );
  rmSync(file);
  writeFileSync(file, changed);
  await update();
  expect((await fetch('https://localhost')).headers.get('is-changed')).toBe('yes');
});
