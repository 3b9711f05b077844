import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { StartError } from '#server/environment/start-error.ts';
import { silentLog } from '#tests/support/log.ts';
import { startCluster } from '#tests/support/postgres.ts';

import { migrateDatabase, openDatabase } from './connect.ts';

async function errorOf({ href }: URL): Promise<string> {
  try {
    const settings = { databaseUrl: href, databasePoolSize: 1, dataDir: '' };
    const database = await openDatabase(settings, silentLog);
    try {
      await migrateDatabase(database, settings, silentLog);
    } finally {
      await database.close();
    }
    return 'connected';
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
}

describe.skipIf(inject('postgresUrl') === '')('DATABASE_URL', () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>;
  beforeAll(async () => {
    cluster = await startCluster();
    const client = new Client({ connectionString: cluster.url });
    await client.connect();
    await client.query('CREATE ROLE guest LOGIN');
    await client.end();
  });
  afterAll(() => cluster.stop());

  const changed = (change: Partial<URL>) => Object.assign(new URL(cluster.url), change);

  test('DATABASE_URL: a database that cannot be used is an error that names the setting', async () => {
    expect([
      await errorOf(changed({ username: 'nobody' })),
      await errorOf(changed({ username: 'guest' })),
      await errorOf(changed({ pathname: '/missing' })),
      await errorOf(changed({ port: '1' })),
      await errorOf(changed({})),
    ]).toEqual([
      'DATABASE_URL: the database cannot be used (role "nobody" does not exist). Check the user and the password.',
      'DATABASE_URL: the database cannot be used (permission denied for schema public). The user must own the database, or have CREATE on its schema (docs/install.md#postgresql).',
      'DATABASE_URL: the database cannot be used (database "missing" does not exist). Create the database, or correct its name.',
      'DATABASE_URL: the database cannot be reached (connect ECONNREFUSED 127.0.0.1:1).',
      'connected',
    ]);
  });
});
