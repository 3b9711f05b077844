import { Client } from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';

import { openTestPostgres } from '#tests/support/database.ts';
import { waitUntil } from '#tests/support/polling.ts';

import { SCHEMA_VERSION, migrate, readNewestMigration } from './migrate.ts';

async function connect(connectionString: string) {
  const client = new Client({ connectionString });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

describe.skipIf(inject('postgresUrl') === '')('on PostgreSQL', () => {
  test('migrate: waits only briefly for a lock and retries, so that it blocks no other statement', async () => {
    const { database, url } = await openTestPostgres();
    const other = await connect(url);
    await other.query('BEGIN; LOCK TABLE migrations');
    const migration = migrate(database);
    const waits = new Set<string>();
    await waitUntil(async () => {
      const rows = await database.all<{ start: string }>(`SELECT xact_start::text AS start
        FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`);
      for (const { start } of rows) waits.add(start);
      return waits.size === 8;
    });
    await other.query('COMMIT');
    await migration;
  });

  test('migrate: releases the tables of one migration before the next one waits for its own', async () => {
    const { database, url } = await openTestPostgres();
    await database.script('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await migrate(database, 38);
    const event = await connect(url);
    // A node begins to queue an event. Migration 39 changes appearances, migration 41 webhook_messages.
    await event.query('BEGIN; LOCK TABLE webhook_messages IN ROW EXCLUSIVE MODE');
    const migration = migrate(database);
    await waitUntil(async () => (await readNewestMigration(database)) === 40);
    await event.query('SELECT user_id FROM appearances; COMMIT');
    await migration;
    expect(await readNewestMigration(database)).toBe(SCHEMA_VERSION);
  });
});
