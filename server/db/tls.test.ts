import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { silentLog } from '#tests/support/log.ts';
import { startCluster } from '#tests/support/postgres.ts';

import { openPostgres } from './postgres.ts';

function makeCertificate(folder: string): void {
  const command = 'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost';
  const files = ['-keyout', join(folder, 'server.key'), '-out', join(folder, 'server.crt')];
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', [...command.split(' '), ...names, ...files], { stdio: 'ignore' });
}

describe.skipIf(inject('postgresUrl') === '')('TLS to PostgreSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-tls-'));
  const certificate = join(folder, 'server.crt');
  let cluster: Awaited<ReturnType<typeof startCluster>>;

  beforeAll(async () => {
    cluster = await startCluster();
    makeCertificate(folder);
    const database = openPostgres(cluster.url, silentLog);
    const row = await database.one<{ data_directory: string }>('SHOW data_directory');
    const { uid, gid } = statSync(row?.data_directory ?? '');
    for (const name of ['', 'server.key', 'server.crt']) chownSync(join(folder, name), uid, gid);
    await database.run(`ALTER SYSTEM SET ssl_cert_file = '${certificate}'`);
    await database.run(`ALTER SYSTEM SET ssl_key_file = '${join(folder, 'server.key')}'`);
    await database.run('ALTER SYSTEM SET ssl = on');
    await database.one('SELECT pg_reload_conf()');
    await database.close();
    cluster.halt();
    cluster.resume();
  });
  afterAll(() => {
    cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function isEncrypted(options: string): Promise<boolean | undefined> {
    const database = openPostgres(`${cluster.url}?${options}`, silentLog);
    try {
      const row = await database.one<{ ssl: boolean }>(
        'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
      );
      return row?.ssl;
    } finally {
      await database.close();
    }
  }

  test('sslmode=verify-full: encrypts and accepts only the named authority', async () => {
    expect(await isEncrypted(`sslmode=verify-full&sslrootcert=${certificate}`)).toBe(true);
    const rejected = isEncrypted('sslmode=verify-full');
    await expect(rejected).rejects.toMatchObject({ name: 'Unavailable' });
  });

  test('sslmode=no-verify: encrypts and accepts any certificate; without sslmode nothing is encrypted', async () => {
    expect(await isEncrypted('sslmode=no-verify')).toBe(true);
    expect(await isEncrypted('sslmode=disable')).toBe(false);
    expect(await isEncrypted('')).toBe(false);
  });
});
