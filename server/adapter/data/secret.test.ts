import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { onEachDatabase } from '#tests/support/database.ts';
import { newFolder } from '#tests/support/folder.ts';
import { recordingLog } from '#tests/support/log.ts';

import { noteSecret, readSecret } from './secret.ts';

onEachDatabase((open) => {
  test('secret: is the same for nodes that share a database, and not in the database', async () => {
    const { database } = await open();
    const read = (databaseUrl: string) =>
      readSecret({ secret: null, dataDir: '/nowhere', databaseUrl }, database);
    const urls = ['postgres://a:password@near/cards', 'postgres://b:password@far/cards'];
    const [one = '', other] = await Promise.all(urls.map(read));
    expect([one.length, other]).toEqual([43, one]);
    expect(await read('postgres://a:another@near/cards')).not.toBe(one);
    const rows = await database.all('SELECT * FROM seeds');
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(one);
  });

  test('secret: a start with another one logs what ends, once', async () => {
    const { database } = await open();
    const { log, lines } = recordingLog('warn');
    for (const secret of ['one', 'one', 'two', 'two']) await noteSecret(database, secret, log);
    expect(lines).toEqual([
      expect.stringMatching(/"webhooks":0,"subscriptions":0,"msg":"SECRET has changed, .*#new-secret/),
    ]);
    expect(JSON.stringify(await database.all('SELECT * FROM seeds'))).not.toMatch(/one|two/);
  });

  test('secret: is a private file without DATABASE_URL; SECRET has precedence', async () => {
    const { database } = await open();
    const dataDir = newFolder();
    const source = { secret: null, dataDir, databaseUrl: null };
    const read = () => readSecret(source, database);
    const [one, other] = await Promise.all([read(), read()]);
    expect(other).toBe(one);
    expect(readFileSync(join(dataDir, 'secret'), 'utf8')).toBe(one);
    expect(statSync(join(dataDir, 'secret')).mode & 0o777).toBe(0o600);
    expect(await readSecret({ ...source, secret: 'given' }, database)).toBe('given');
    writeFileSync(join(dataDir, 'secret'), '');
    await expect(read()).rejects.toThrow(/secret is empty/);
    writeFileSync(join(dataDir, 'secret'), one.slice(0, 20));
    await expect(read()).rejects.toThrow(/secret is damaged/);
  });
});
