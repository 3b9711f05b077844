import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { AwsClient } from 'aws4fetch';

import type { BucketSettings } from '#server/settings/conflicts.ts';

import { waitUntil } from './polling.ts';
import { freePort } from './port.ts';
import { print } from './print.ts';
import { fillTemplate } from './template.ts';
import { withWorker } from './with-worker.ts';

const START_TIMEOUT_MS = 120_000;

export const hasS3Server = ['ceph-mon', 'ceph-osd', 'radosgw'].every((name) =>
  existsSync(`/usr/bin/${name}`),
);
if (!hasS3Server && process.env['CI'])
  throw new Error('CI needs Debian’s ceph-mon, ceph-osd and radosgw.');
if (!hasS3Server)
  print('There is no Ceph S3 server on this machine: photos in a bucket are not tested.');

/** Writes the configuration of a Ceph cluster in memory with one daemon of each kind. Returns its path. */
export function writeCephConfig(
  folder: string,
  { domain, monitorPort, port }: { domain: string; monitorPort: number; port: number },
): string {
  const path = join(folder, 'ceph.conf');
  for (const name of ['mon', 'osd', 'gateway', 'run']) mkdirSync(join(folder, name));
  const values = { ID: randomUUID(), FOLDER: folder, MONITOR: monitorPort, PORT: port };
  const template = join(import.meta.dirname, 'ceph.conf');
  writeFileSync(path, fillTemplate(template, { ...values, DOMAIN: domain }));
  return path;
}

export type S3Server = Awaited<ReturnType<typeof startS3Server>>;

/** Starts Ceph's S3 server with its storage in memory. It checks every signature. */
export async function startS3Server() {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-bucket-'));
  const [monitorPort, port] = [await freePort(), await freePort()];
  const config = writeCephConfig(folder, { domain: 's3.test', monitorPort, port });
  const options = { cwd: folder, env: { PATH: process.env['PATH'] ?? '', CEPH_CONF: config } };
  const run = (script: string) =>
    execFileSync('bash', ['-ec', script], { ...options, stdio: 'pipe' });
  const start = (program: string, ...args: string[]) =>
    spawn(...withWorker([program, '-f', ...args]), { ...options, stdio: 'ignore' });
  run(`
    ceph-authtool --create-keyring keyring --gen-key -n mon. --cap mon 'allow *'
    ceph-authtool keyring --gen-key -n client.admin --cap mon 'allow *' --cap osd 'allow *' \
      --cap mgr 'allow *' --cap mds 'allow *'
    ceph-authtool keyring --gen-key -n osd.0 --cap mon 'allow profile osd' --cap osd 'allow *'
    monmaptool --create --fsid $(ceph-conf --lookup fsid) --addv a '[v2:127.0.0.1:${monitorPort}]' monmap
    ceph-mon --mkfs -i a --monmap monmap --keyring keyring`);
  const monitor = start('ceph-mon', '-i', 'a');
  const osd = randomUUID();
  run(`
    ceph osd new ${osd}
    ceph osd crush add osd.0 1.0 root=default host=localhost
    ceph-osd -i 0 --mkfs --osd-uuid ${osd}`);
  const store = start('ceph-osd', '-i', '0');
  const origin = `http://127.0.0.1:${port}`;
  const startGateway = async () => {
    const child = start('radosgw', '-n', 'client.admin');
    await waitUntil(() => fetch(origin).then(Boolean, () => false), START_TIMEOUT_MS);
    return child;
  };
  let gateway = await startGateway();
  const keys = { accessKeyId: 'AKTEST', secretAccessKey: 'SKTESTSECRET' };
  run(`radosgw-admin user create --uid=test --display-name=test \
    --access-key=${keys.accessKeyId} --secret-key=${keys.secretAccessKey}`);

  const region = 'us-east-1';
  const settings = (bucket: string): BucketSettings => ({
    bucket,
    endpoint: origin,
    region,
    ...keys,
    isPathStyle: true,
  });
  const client = new AwsClient({ ...keys, service: 's3', region, retries: 0 });
  /** Sends a signed request. Does not use the code under test. */
  const call = (method: string, path: string, body?: string) =>
    client.fetch(`${origin}/${path}`, { method, ...(body === undefined ? {} : { body }) });

  return {
    settings,
    environmentOf: ({ bucket }: BucketSettings): Record<string, string> => ({
      S3_BUCKET: bucket,
      S3_ENDPOINT: origin,
      S3_ACCESS_KEY_ID: keys.accessKeyId,
      S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
    }),
    call,
    async makeBucket(): Promise<BucketSettings> {
      const name = `cards-${randomUUID()}`;
      const { status } = await call('PUT', name);
      if (status !== 200) throw new Error(`No bucket: ${status}`);
      return settings(name);
    },
    halt: () => end(gateway),
    resume: async () => void (gateway = await startGateway()),
    async stop() {
      await Promise.all([gateway, monitor, store].map(end));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
