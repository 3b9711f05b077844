import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import dns from 'node:dns';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { AwsClient } from 'aws4fetch';
import { vi } from 'vitest';

import type { BucketSettings } from '#server/storage/bucket-settings.ts';

import { print } from './print.ts';
import { writeCephConfig } from './s3-config.ts';
import { waitUntil } from './polling.ts';
import { freePort } from './port.ts';

const PROGRAMS = ['ceph-mon', 'ceph-osd', 'radosgw'].map((name) => `/usr/bin/${name}`);
const START_TIMEOUT_MS = 60_000;
/** Virtual-host URLs: the bucket's name is a subdomain of this domain. */
const DOMAIN = 's3.test';

export const hasS3Server = PROGRAMS.every((path) => existsSync(path));
if (!hasS3Server && process.env['CI'])
  throw new Error('CI needs Debian’s ceph-mon, ceph-osd and radosgw.');
if (!hasS3Server)
  print('There is no Ceph S3 server on this machine: photos in a bucket are not tested.');

export type S3Server = Awaited<ReturnType<typeof startS3Server>>;

/** Starts Ceph's S3 server with its storage in memory. It checks every signature. */
export async function startS3Server() {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-bucket-'));
  const [monitorPort, port] = [await freePort(), await freePort()];
  const config = writeCephConfig(folder, { domain: DOMAIN, monitorPort, port });
  const env = { PATH: process.env['PATH'] ?? '', CEPH_CONF: config };
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] }).toString();
  const start = (program: string, ...args: string[]) =>
    spawn(program, ['-f', ...args], { env, cwd: folder, stdio: 'ignore' });

  const children: ChildProcess[] = [];
  makeKeys(folder, monitorPort, run);
  children.push(start('ceph-mon', '-i', 'a'));
  const osd = randomUUID();
  run('ceph', 'osd', 'new', osd);
  run('ceph', 'osd', 'crush', 'add', 'osd.0', '1.0', 'root=default', 'host=localhost');
  run('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', osd);
  children.push(start('ceph-osd', '-i', '0'));

  const origin = `http://127.0.0.1:${port}`;
  let radosgw = start('radosgw', '-n', 'client.admin');
  const isServing = () => fetch(origin).then(Boolean, () => false);
  await waitUntil(isServing, START_TIMEOUT_MS);
  const [accessKeyId, secretAccessKey] = ['AKTEST', 'SKTESTSECRET'];
  const user = ['--uid=test', '--display-name=test'];
  const keys = [`--access-key=${accessKeyId}`, `--secret-key=${secretAccessKey}`];
  run('radosgw-admin', 'user', 'create', ...user, ...keys);

  const settings = (bucket: string): BucketSettings => ({
    bucket,
    endpoint: origin,
    region: 'us-east-1',
    accessKeyId,
    secretAccessKey,
    isPathStyle: true,
  });

  const credentials = { accessKeyId, secretAccessKey, service: 's3', region: 'us-east-1' };
  const client = new AwsClient({ ...credentials, retries: 0 });
  /** Sends a signed request. Does not use the code under test. */
  const call = (method: string, path: string, body?: string) =>
    client.fetch(`${origin}/${path}`, { method, ...(body === undefined ? {} : { body }) });

  return {
    settings,
    /** The settings of the service for a bucket. */
    environmentOf: ({ bucket }: BucketSettings): Record<string, string> => ({
      S3_BUCKET: bucket,
      S3_ENDPOINT: origin,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    }),
    call,
    /** The endpoint for virtual-host URLs. Call `resolveDomain` before using it. */
    domainOrigin: `http://${DOMAIN}:${port}`,
    domain: DOMAIN,
    resolveDomain,
    async makeBucket(): Promise<BucketSettings> {
      const name = `cards-${randomUUID()}`;
      const { status } = await call('PUT', name);
      if (status !== 200) throw new Error(`No bucket: ${status}`);
      return settings(name);
    },
    halt: () => end(radosgw),
    async resume() {
      radosgw = start('radosgw', '-n', 'client.admin');
      await waitUntil(isServing, START_TIMEOUT_MS);
    },
    async stop() {
      await Promise.all([radosgw, ...children].map(end));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Resolves subdomains of the domain to this machine; returns the set of hosts that were looked up. */
function resolveDomain(): () => ReadonlySet<string> {
  const hosts = new Set<string>();
  const real = dns.lookup;
  vi.spyOn(dns, 'lookup').mockImplementation((...args: Parameters<typeof dns.lookup>) => {
    const [host, ...rest] = args;
    const isBucketHost = host.endsWith(`.${DOMAIN}`);
    if (isBucketHost) hosts.add(host);
    return real(isBucketHost ? '127.0.0.1' : host, ...rest);
  });
  return () => hosts;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

type Run = (program: string, ...args: string[]) => string;

function makeKeys(folder: string, monitorPort: number, run: Run): void {
  const keyring = join(folder, 'keyring');
  const map = join(folder, 'monmap');
  const all = ['mon', 'osd', 'mgr', 'mds'].flatMap((one) => ['--cap', one, 'allow *']);
  run('ceph-authtool', '--create-keyring', keyring, '--gen-key', '-n', 'mon.', ...all.slice(0, 3));
  run('ceph-authtool', keyring, '--gen-key', '-n', 'client.admin', ...all);
  const own = ['--cap', 'mon', 'allow profile osd', '--cap', 'osd', 'allow *'];
  run('ceph-authtool', keyring, '--gen-key', '-n', 'osd.0', ...own);
  const fsid = run('ceph-conf', '--lookup', 'fsid').trim();
  const address = `[v2:127.0.0.1:${monitorPort}]`;
  run('monmaptool', '--create', '--fsid', fsid, '--addv', 'a', address, map);
  run('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map, '--keyring', keyring);
}
