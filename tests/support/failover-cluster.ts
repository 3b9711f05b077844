import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client } from 'pg';

import { waitUntil } from './polling.ts';
import { freePort } from './port.ts';
import { giveToPostgres, postgresProcesses, postgresUser } from './postgres.ts';

const POSTGRES_PROGRAMS = '/usr/lib/postgresql/15/bin';
/** Their packages: etcd-server, patroni, haproxy, pgbouncer. */
export const PROGRAMS = [
  '/usr/bin/etcd',
  '/usr/bin/patroni',
  '/usr/sbin/haproxy',
  '/usr/sbin/pgbouncer',
];

/** A killed primary is rewound and follows the new one before it is a standby. */
const STANDBY_TIMEOUT_MS = 180_000;

type Member = Readonly<Record<'name' | 'folder', string> & Record<'port' | 'restPort', number>> & {
  patroni: ChildProcess;
};

/**
 * Starts two PostgreSQL servers under Patroni with a synchronous standby, etcd, HAProxy in front of
 * the primary and PgBouncer in front of HAProxy, all on the loopback interface and without passwords.
 */
export async function startFailoverCluster() {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-failover-'));
  const processes: ChildProcess[] = [];
  giveToPostgres(folder);
  const write = (name: string, text: string) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  const start = (program: string, ...args: string[]) => {
    const child = spawnAsPostgres(folder, program, args);
    processes.push(child);
    return child;
  };

  const etcdUrl = `http://127.0.0.1:${await freePort()}`;
  const etcdPeerUrl = `http://127.0.0.1:${await freePort()}`;
  start(
    'etcd',
    '--name=etcd',
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    `--listen-peer-urls=${etcdPeerUrl}`,
    `--initial-advertise-peer-urls=${etcdPeerUrl}`,
    `--initial-cluster=etcd=${etcdPeerUrl}`,
  );
  await waitUntil(async () => isOk(`${etcdUrl}/health`));

  const startPatroni = (name: string) => start('patroni', join(folder, `${name}.yaml`));
  const members: Member[] = [];
  for (const name of ['alpha', 'beta']) {
    const ports = { port: await freePort(), restPort: await freePort() };
    const member = { name, folder: join(folder, name), ...ports };
    mkdirSync(member.folder);
    giveToPostgres(member.folder);
    write(`${name}.yaml`, patroniConfig(member, folder, etcdUrl.replace('http://', '')));
    members.push({ ...member, patroni: startPatroni(name) });
    // The first one initializes the cluster, the second one copies it.
    await waitUntil(async () => isOk(`http://127.0.0.1:${member.restPort}/health`));
  }

  const proxyPort = await freePort();
  start('haproxy', '-db', '-f', write('haproxy.cfg', haproxyConfig(proxyPort, members)));
  const poolerPort = await freePort();
  start('pgbouncer', '-q', write('pgbouncer.ini', pgbouncerConfig(poolerPort, proxyPort)));

  const memberWith = async (role: string) => {
    for (const member of members)
      if (await isOk(`http://127.0.0.1:${member.restPort}/${role}`)) return member;
    return undefined;
  };
  const hasStandby = async () => (await memberWith('synchronous')) !== undefined;
  await waitUntil(hasStandby);
  const primary = new Client(`postgres://postgres@127.0.0.1:${proxyPort}/postgres`);
  await waitUntil(async () => (await memberWith('primary')) !== undefined);
  await primary.connect();
  await primary.query('CREATE ROLE tessera LOGIN');
  await primary.query('CREATE DATABASE tessera OWNER tessera');
  await primary.end();

  return {
    /** The URL through PgBouncer in one of its pool modes. */
    url: (mode: 'session' | 'transaction') =>
      `postgres://tessera@127.0.0.1:${poolerPort}/tessera_${mode}`,
    /** Waits until a standby confirms each commit. */
    waitForStandby: () => waitUntil(hasStandby, STANDBY_TIMEOUT_MS),
    /** Kills the primary with SIGKILL, on request with the Patroni that runs it. Returns its name. */
    killPrimary: async (isWithPatroni: boolean) => {
      const member = await memberWith('primary');
      if (!member) throw new Error('There is no primary.');
      if (isWithPatroni) member.patroni.kill('SIGKILL');
      killPostgres(member);
      return member.name;
    },
    restartPatroni: () => {
      for (const member of members)
        if (member.patroni.signalCode !== null) member.patroni = startPatroni(member.name);
    },
    stop: async () => {
      for (const { patroni } of members) patroni.kill('SIGKILL');
      members.forEach(killPostgres);
      const ended = processes
        .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
        .map((child) => (child.kill('SIGKILL'), once(child, 'exit')));
      await Promise.all(ended);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function spawnAsPostgres(folder: string, program: string, args: string[]): ChildProcess {
  // With FAILOVER_LOG set, the processes print their logs.
  return spawn(program, args, {
    cwd: folder,
    stdio: process.env['FAILOVER_LOG'] ? 'inherit' : 'ignore',
    env: { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:${POSTGRES_PROGRAMS}`, HOME: folder },
    ...postgresUser(),
  });
}

/** Kills a running PostgreSQL. */
function killPostgres({ folder }: Member): void {
  try {
    spawnSync('kill', ['-9', ...postgresProcesses(join(folder, 'data')).map(String)]);
  } catch {
    // It has ended.
  }
}

async function isOk(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => null);
  await response?.arrayBuffer().catch(() => null);
  return response?.ok ?? false;
}

const at = (port: number) => ({
  listen: `127.0.0.1:${port}`,
  connect_address: `127.0.0.1:${port}`,
});

function patroniConfig(member: Omit<Member, 'patroni'>, folder: string, etcd: string): string {
  return JSON.stringify({
    scope: 'tessera',
    name: member.name,
    restapi: at(member.restPort),
    etcd3: { host: etcd },
    bootstrap: {
      dcs: {
        ttl: 6,
        loop_wait: 1,
        retry_timeout: 2,
        // A primary that has crashed is not started again: the standby takes over at once.
        primary_start_timeout: 0,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, use_slots: true },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    },
    postgresql: {
      ...at(member.port),
      data_dir: join(member.folder, 'data'),
      bin_dir: POSTGRES_PROGRAMS,
      pgpass: join(member.folder, 'pgpass'),
      authentication: {
        superuser: { username: 'postgres' },
        replication: { username: 'replicator' },
      },
      parameters: { unix_socket_directories: folder, max_connections: 100 },
    },
  });
}

function haproxyConfig(port: number, members: readonly Member[]): string {
  const servers = members.map(
    ({ name, port: postgres, restPort }) =>
      `  server ${name} 127.0.0.1:${postgres} check port ${restPort}`,
  );
  return `defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
}

function pgbouncerConfig(port: number, proxyPort: number): string {
  const database = (mode: string) =>
    `tessera_${mode} = host=127.0.0.1 port=${proxyPort} dbname=tessera user=tessera pool_mode=${mode}`;
  return `[databases]
${database('session')}
${database('transaction')}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
server_login_retry = 1
server_connect_timeout = 2
query_wait_timeout = 3
`;
}
