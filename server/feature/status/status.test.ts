import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, onTestFinished, test, vi } from 'vitest';

import { SECOND_MS } from '#domain/duration.ts';
import { ApiError } from '#server/error.ts';
import { VERSION } from '#server/version.ts';
import { buildTestApp, inProcessDecoder } from '#tests/support/app.ts';
import { recordingLog } from '#tests/support/log.ts';
import { METRICS_TOKEN, readMetric } from '#tests/support/metrics.ts';
import { onEachDatabase, openTestSqlite, testSqliteFile } from '#tests/support/database.ts';

test('API document: is valid OpenAPI for a public validator, and has every call of the server with its access', async () => {
  const { app } = buildTestApp((await openTestSqlite()).database);
  const document = (await app.inject('/api/openapi.json')).json<Record<string, unknown>>();
  expect(await new Validator().validate(document)).toMatchObject({ valid: true });
  // Control: the validator rejects the same document without a required key.
  const incomplete = { ...document, info: undefined };
  expect(await new Validator().validate(incomplete)).toMatchObject({ valid: false });

  const paths = document['paths'] as Record<string, Record<string, { security: unknown[] }>>;
  const described = Object.entries(paths).flatMap(([path, calls]) =>
    Object.entries(calls).map(
      ([method, { security }]) =>
        `${method.toUpperCase()} ${path}${security.length === 0 ? ' open' : ''}`,
    ),
  );
  const served = app.routeTable
    .filter(({ method, url }) => method !== 'HEAD' && url.startsWith('/api/'))
    .filter(({ url }) => url !== '/api/openapi.json')
    .map(({ method, url, access }) => {
      const path = url.slice('/api'.length).replace(/:(\w+)/g, '{$1}');
      return `${method} ${path}${access === 'open' ? ' open' : ''}`;
    });
  expect(described.toSorted()).toEqual(served.toSorted());
  expect(served.length).toBeGreaterThanOrEqual(7);
});

const message = 'This node is not ready. Try again.';
const NOT_READY = { error: 'unavailable', message, status: 'not ready' };

onEachDatabase((open) => {
  test.each([
    'ALTER TABLE users RENAME COLUMN bio TO other',
    'DROP TABLE migrations',
    'DELETE FROM migrations WHERE number > 1',
  ])('readyz: is 503 if a card cannot be read: %s', async (sql) => {
    const { database } = await open();
    const { app } = buildTestApp(database);
    expect((await app.inject('/readyz')).statusCode).toBe(200);
    await database.script(sql);
    expect((await app.inject('/readyz')).json()).toEqual({ ...NOT_READY, why: ['database'] });
  });

  test('readyz: is 503 without the database, and ready but degraded without the photo store', async () => {
    const { database, dispose } = await open();
    const { app, dependencies } = buildTestApp(database);
    const check = vi.spyOn(dependencies.photos, 'check');
    const failure = new ApiError('unavailable', 'The store failed.');
    const readyz = async () => {
      const late = delay(10 * SECOND_MS, null, { ref: false });
      const response = await Promise.race([app.inject('/readyz'), late]);
      return [response?.statusCode, response?.headers['retry-after'], response?.json()];
    };
    expect(await readyz()).toEqual([200, undefined, { status: 'ready' }]);
    check.mockRejectedValue(failure);
    const degraded = [200, undefined, { status: 'ready', degraded: ['photos'] }];
    expect(await readyz()).toEqual(degraded);
    // A store that never answers delays the response only briefly.
    check.mockReturnValue(new Promise(() => undefined));
    expect(await readyz()).toEqual(degraded);
    expect((await app.inject('/healthz')).statusCode).toBe(200);
    check.mockResolvedValue();
    expect(await readyz()).toEqual([200, undefined, { status: 'ready' }]);
    await dispose();
    expect(await readyz()).toEqual([503, '2', { ...NOT_READY, why: ['database'] }]);
    check.mockRejectedValue(failure);
    expect(await readyz()).toEqual([503, '2', { ...NOT_READY, why: ['database', 'photos'] }]);
    expect((await app.inject('/healthz')).json()).toEqual({ status: 'ok', version: VERSION });
  });
});

test('readyz: is ready but degraded while nothing can be saved, and tries again', async () => {
  const { database } = await openTestSqlite();
  const { log, lines } = recordingLog('warn');
  const environment = { METRICS_TOKEN };
  const { app } = buildTestApp(database, { environment, dependencies: { log } });
  const readyz = async () => (await app.inject('/readyz')).json<unknown>();
  const degraded = async () => await readMetric({ app }, 'tessera_degraded');
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  expect(await readyz()).toEqual({ status: 'ready' });
  await database.script('PRAGMA query_only = ON');
  vi.advanceTimersByTime(5 * SECOND_MS);
  expect(await readyz()).toEqual({ status: 'ready', degraded: ['writes'] });
  expect(await degraded()).toMatchObject({ '{state="writes"}': 1, '{state="photos"}': 0 });
  expect(lines).toEqual([expect.stringContaining('attempt to write a readonly database')]);
  await database.script('PRAGMA query_only = OFF');
  vi.advanceTimersByTime(5 * SECOND_MS);
  expect(await readyz()).toEqual({ status: 'ready' });
});

test('readyz: is ready but degraded while no picture can be decoded', async () => {
  const { database } = await openTestSqlite();
  let why: string | null = 'The process died (1).';
  const decoder = { ...inProcessDecoder, findFailure: () => why };
  const { app } = buildTestApp(database, { dependencies: { decoder } });
  const readyz = async () => (await app.inject('/readyz')).json<unknown>();
  expect(await readyz()).toEqual({ status: 'ready', degraded: ['pictures'] });
  why = null;
  expect(await readyz()).toEqual({ status: 'ready' });
});

test('readyz: is 503 if the database file contains something else', async () => {
  const { database, folder = '' } = await openTestSqlite();
  const { app } = buildTestApp(database);
  expect((await app.inject('/readyz')).statusCode).toBe(200);
  writeFileSync(testSqliteFile(folder), 'garbage '.repeat(20_000));
  expect((await app.inject('/readyz')).statusCode).toBe(503);
});
