import { expect, test, vi } from 'vitest';

import { addContactByApi, buildTestApp, signInByApi } from '#tests/support/app.ts';
import { openTestPostgres, openTestSqlite, testOnPostgres } from '#tests/support/database.ts';
import { METRICS_TOKEN, metricsRequest, metricValues, readMetric } from '#tests/support/metrics.ts';

import { SECOND_MS } from '#domain/duration.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { saveBackupTime } from '#server/adapter/database/statistics.ts';
import type { SendCode } from '#server/adapter/sms/delivery.ts';

import type { metricRoutes } from './routes.ts';

type App = Parameters<typeof metricRoutes>[0];

async function open(environment: Record<string, string> = { METRICS_TOKEN }) {
  const { app } = buildTestApp((await openTestSqlite()).database, { environment });
  return { app, meter: (app as App).meter };
}

test('/metrics: is 404 without a port or a token, where nothing is counted, and beside a port of its own', async () => {
  const nothing = await open({});
  expect((await nothing.app.inject(metricsRequest)).statusCode).toBe(404);
  expect(nothing.meter).toBe(null);
  const own = await open({ METRICS_PORT: '0' });
  expect((await own.app.inject(metricsRequest)).statusCode).toBe(404);
  expect(await own.meter?.render()).toContain('tessera_http_request_duration_seconds');
});

test('/metrics: needs the token', async () => {
  const { app } = await open();
  const error = { error: 'token_invalid', message: 'METRICS_TOKEN is needed.' };
  for (const authorization of ['', METRICS_TOKEN, `Bearer ${METRICS_TOKEN}x`, 'Bearer ', null]) {
    const headers = authorization === null ? {} : { authorization };
    const response = await app.inject({ url: '/metrics', headers });
    expect([response.statusCode, response.json()], `${authorization}`).toEqual([403, error]);
  }
});

test('metrics: count codes, and requests by route pattern, with _total in the name of each counter', async () => {
  const { database } = await openTestSqlite();
  const sent = new Map<string, string>();
  const sendCode = vi.fn<SendCode>(async (phone, code) => void sent.set(phone, code));
  const environment = { METRICS_TOKEN };
  const testApp = buildTestApp(database, { environment, dependencies: { sendCode } });
  const { app } = testApp;
  const { _id } = await signInByApi({ ...testApp, codes: sent });
  sendCode.mockRejectedValueOnce(new Error('The gateway is down.'));
  const payload = { appId: 'tessera', phone: '9876543211' };
  await app.inject({ method: 'POST', url: '/api/otp/send', payload });
  for (const name of ['Ravi', '']) await addContactByApi(testApp, _id, { name, mobile: '1' });
  for (let count = 0; count < 3; count += 1) await app.inject(`/user/${_id}`);
  await app.inject('/no/such/place');

  const text = (await app.inject(metricsRequest)).body;
  const names = ['codes', 'otp_send_cap'];
  expect(names.map((name) => metricValues(text, `tessera_${name}_total`))).toEqual([
    { '{result="sent"}': 1, '{result="failed"}': 1 },
    // A counter that begins at 1 would have no increase for the alert.
    { '{devices="known"}': 0, '{devices="unknown"}': 0 },
  ]);
  expect(metricValues(text, 'tessera_http_request_duration_seconds_count')).toEqual({
    '{method="POST",route="/api/otp/send",status="200"}': 1,
    '{method="POST",route="/api/otp/verify",status="200"}': 1,
    '{method="GET",route="/api/user/authenticate/phone",status="200"}': 1,
    '{method="POST",route="/api/otp/send",status="503"}': 1,
    '{method="POST",route="/api/profile/addContact",status="200"}': 1,
    '{method="POST",route="/api/profile/addContact",status="400"}': 1,
    '{method="GET",route="/user/:userID",status="200"}': 3,
    '{method="any",route="none",status="404"}': 1,
  });
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  expect(types.length).toBeGreaterThan(20);
  for (const [line, name, type] of types)
    expect(name?.endsWith('_total'), line).toBe(type === 'counter');
  // An id or a phone would be personal data, and each would create a time series.
  for (const personal of [_id, '98765']) expect(text).not.toContain(personal);
});

test('metrics: show whether the node is ready, the last backup and the disk', async () => {
  const { database, dispose } = await openTestSqlite();
  const { app } = buildTestApp(database, { environment: { METRICS_TOKEN } });
  const values = async () => {
    const text = (await app.inject(metricsRequest)).body;
    const names = ['ready', 'last_backup_timestamp_seconds'];
    return names.map((name) => Object.values(metricValues(text, `tessera_${name}`))[0]);
  };
  expect(await values()).toEqual([1, 0]);
  await saveBackupTime(database, 1_000);
  await saveBackupTime(database, 7_000);
  expect(await values()).toEqual([1, 7]);
  const disk = metricValues((await app.inject(metricsRequest)).body, 'tessera_disk_bytes');
  expect(disk['{state="free"}']).toBeLessThan(disk['{state="size"}'] ?? 0);
  await dispose();
  expect(await values()).toEqual([0, undefined]);
});

test('metrics: show how long a message waits that could be sent', async () => {
  const { database } = await openTestSqlite();
  const environment = { METRICS_TOKEN, VIEWS: 'contacts' };
  const testApp = buildTestApp(database, { environment });
  const overdue = () => readMetric(testApp, 'tessera_queue_overdue_seconds');
  expect(await overdue()).toEqual({ '{state="notifications"}': 0, '{state="webhooks"}': 0 });
  const { _id } = await signInByApi(testApp);
  await database.run(sql`INSERT INTO webhooks (webhook_id, user_id, endpoint, secret, next_at)
    VALUES ('w', ${_id}, 'https://crm.example/', 's', ${testApp.clock.now() - 90 * SECOND_MS})`);
  expect(await overdue()).toEqual({ '{state="notifications"}': 0, '{state="webhooks"}': 90 });
});

testOnPostgres('metrics: count the connections of the PostgreSQL pool', async () => {
  const { database } = await openTestPostgres();
  const { app } = buildTestApp(database, { environment: { METRICS_TOKEN } });
  await app.inject('/readyz');
  const text = (await app.inject(metricsRequest)).body;
  const connections = { '{state="busy"}': 0, '{state="idle"}': 1, '{state="waiting"}': 0 };
  expect(metricValues(text, 'tessera_database_connections')).toEqual(connections);
});
