import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client } from 'pg';

import { MINUTE_MS } from '#domain/duration.ts';
import { migrate } from '#server/db/migrate.ts';
import { openPostgres } from '#server/db/postgres.ts';
import { openSqlite } from '#server/db/sqlite.ts';

import { silentLog } from './log.ts';

/** For migrations on a busy machine. */
export const PATIENT = { timeoutMs: MINUTE_MS, hasServerLimits: false };

export async function administer(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

/** The address of a database on the server of `url`. */
export function databaseUrl(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

/**
 * Creates empty migrated databases that the tests copy, because the migrations take longer than most
 * tests: a file of SQLite, and a database of PostgreSQL if there is a server. `remove` deletes them.
 */
export async function createTemplates(postgresUrl: string) {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-template-'));
  const sqliteFile = join(folder, 'template.sqlite');
  const sqlite = openSqlite(sqliteFile);
  await migrate(sqlite);
  await sqlite.close();
  const postgresName = `template_${process.pid}_${Date.now()}`;
  if (postgresUrl !== '') {
    await administer(postgresUrl, `CREATE DATABASE ${postgresName}`);
    const postgres = openPostgres(databaseUrl(postgresUrl, postgresName), silentLog, PATIENT);
    await migrate(postgres);
    await postgres.close();
  }
  return {
    sqliteFile,
    postgresName,
    remove: async () => {
      rmSync(folder, { recursive: true, force: true });
      if (postgresUrl !== '')
        await administer(postgresUrl, `DROP DATABASE ${postgresName} WITH (FORCE)`);
    },
  };
}
