import { execFileSync } from 'node:child_process';
import { chownSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { expect, inject, onTestFinished, test } from 'vitest';

import { newFolder } from '#tests/support/folder.ts';
import { silentLog } from '#tests/support/log.ts';
import { startCluster } from '#tests/support/postgres.ts';

import { openPostgres } from './postgres.ts';

function makeCertificate(folder: string): void {
  const command = 'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost';
  const files = ['-keyout', join(folder, 'server.key'), '-out', join(folder, 'server.crt')];
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', [...command.split(' '), ...names, ...files], { stdio: 'ignore' });
}

async function isEncrypted(url: string): Promise<boolean | undefined> {
  const database = openPostgres(url, silentLog);
  onTestFinished(() => database.close());
  const query = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
  return (await database.one<{ ssl: boolean }>(query))?.ssl;
}

test.skipIf(inject('postgresUrl') === '')(
  'TLS to PostgreSQL: verify-full accepts only the named authority, no-verify any, and without sslmode there is none',
  async () => {
    const folder = newFolder();
    makeCertificate(folder);
    const [certificate, key] = [join(folder, 'server.crt'), join(folder, 'server.key')];
    const cluster = await startCluster();
    onTestFinished(() => cluster.stop());
    const database = openPostgres(cluster.url, silentLog);
    const row = await database.one<{ data_directory: string }>('SHOW data_directory');
    const { uid, gid } = statSync(row?.data_directory ?? '');
    for (const path of [folder, key, certificate]) chownSync(path, uid, gid);
    await database.run(`ALTER SYSTEM SET ssl_cert_file = '${certificate}'`);
    await database.run(`ALTER SYSTEM SET ssl_key_file = '${key}'`);
    await database.run('ALTER SYSTEM SET ssl = on');
    await database.one('SELECT pg_reload_conf()');
    await database.close();
    cluster.halt();
    cluster.resume();
    const { url } = cluster;
    expect(await isEncrypted(`${url}?sslmode=verify-full&sslrootcert=${certificate}`)).toBe(true);
    const rejected = isEncrypted(`${url}?sslmode=verify-full`);
    await expect(rejected).rejects.toMatchObject({ name: 'Unavailable' });
    expect(await isEncrypted(`${url}?sslmode=no-verify`)).toBe(true);
    expect(await isEncrypted(`${url}?sslmode=disable`)).toBe(false);
    expect(await isEncrypted(url)).toBe(false);
  },
);
