import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client } from 'pg';
import type { TestProject } from 'vitest/node';

import { MINUTE_MS } from '#domain/duration.ts';
import { migrate } from '#server/adapter/database/migrate.ts';
import { openPostgres } from '#server/adapter/database/postgres.ts';
import { openSqlite } from '#server/adapter/database/sqlite.ts';

import { silentLog } from './log.ts';
import { freePort } from './port.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the PostgreSQL to test on, or '' if there is none. */
    postgresUrl: string;
    sqliteTemplate: string;
    /** The name of an empty migrated database on that PostgreSQL. */
    postgresTemplate: string;
  }
}

const PROGRAMS = '/usr/lib/postgresql/15/bin';
/** These are the limits of requests, made so long that a busy machine reaches none. */
export const LONG_LIMITS = { timeoutMs: MINUTE_MS };
/** Migrations on a busy machine need these options. */
export const MIGRATION_OPTIONS = { timeoutMs: MINUTE_MS, hasServerLimits: false };

/**
 * Provides a PostgreSQL and migrated databases, which tests copy because that is fast. The PostgreSQL is that of
 * TEST_DATABASE_URL, none if this is '', or a private cluster if it is not set.
 */
export default async function setup(project: TestProject) {
  const given = process.env['TEST_DATABASE_URL'];
  const hasCluster = given === undefined && existsSync(join(PROGRAMS, 'initdb'));
  if (given === undefined && !hasCluster && process.env['CI'])
    throw new Error('CI needs PostgreSQL.');
  const cluster = hasCluster ? await startCluster() : null;
  const url = given ?? cluster?.url ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'tessera-template-'));
  const file = join(folder, 'template.sqlite');
  const name = `template_${process.pid}_${Date.now()}`;
  const remove = async () => {
    rmSync(folder, { recursive: true, force: true });
    // A private cluster is deleted together with its databases.
    if (given) await administer(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    cluster?.stop();
  };
  try {
    // Autovacuum can analyze a small table at any moment, which would change the plan that a test expects.
    if (cluster) await administer(url, 'ALTER SYSTEM SET autovacuum = off');
    if (cluster) await administer(url, 'SELECT pg_reload_conf()');
    const databases = [openSqlite(file)];
    if (url !== '') {
      await administer(url, `CREATE DATABASE ${name}`);
      databases.push(openPostgres(databaseUrl(url, name), silentLog, MIGRATION_OPTIONS));
    }
    for (const database of databases) {
      await migrate(database);
      await database.close();
    }
  } catch (error) {
    await remove();
    throw error;
  }
  project.provide('postgresUrl', url);
  project.provide('sqliteTemplate', file);
  project.provide('postgresTemplate', name);
  return remove;
}

export async function administer(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

export function databaseUrl(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

/** Returns the ids of the user postgres, as whom root must run PostgreSQL, and nothing for other users. */
export function postgresUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'])));
  return { uid: uid ?? 0, gid: gid ?? 0 };
}

export function giveToPostgres(folder: string): void {
  const { uid, gid } = postgresUser();
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  chmodSync(folder, 0o700);
}

/** Returns the ids of the processes of a running PostgreSQL. The main process is the first. */
export function postgresProcesses(data: string): number[] {
  const [main = ''] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  const children = readFileSync(`/proc/${main}/task/${main}/children`, 'utf8');
  return [main, ...children.split(' ')].filter((pid) => pid !== '').map(Number);
}

/** Starts a private cluster without authentication and without fsync. `stop` deletes it. */
export async function startCluster(superuser = 'tessera') {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-postgres-'));
  giveToPostgres(folder);
  const options = { stdio: 'ignore', cwd: folder, ...postgresUser() } as const;
  const run = (program: string, args: string[]) =>
    void execFileSync(join(PROGRAMS, program), args, options);
  const port = await freePort();
  const data = join(folder, 'data');
  const access = ['-A', 'trust', '-U', superuser];
  run('initdb', ['-D', data, ...access, '-E', 'UTF8', '--no-sync', '--locale=C.UTF-8']);
  const settings = `-p ${port} -k ${folder} -h 127.0.0.1 -c fsync=off -c max_connections=200`;
  const start = () =>
    run('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', settings, 'start']);
  const halt = () => run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop']);
  start();
  return {
    url: `postgres://${superuser}@127.0.0.1:${port}/postgres`,
    /** Stops the cluster immediately. `resume` starts it again with the same data. */
    halt,
    resume: start,
    processes: () => postgresProcesses(data),
    stop: () => {
      halt();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
