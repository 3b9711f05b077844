import { expect, inject, test } from 'vitest';

import { buildTestApp, signInByApi } from '#tests/support/app.ts';
import { openTestPostgres, openTestSqlite } from '#tests/support/database.ts';
import { METRICS_TOKEN, asOperator, valuesOf } from '#tests/support/metrics.ts';

import { saveBackupTime } from '#server/db/backup-time.ts';
import { VERSION } from '#server/version.ts';

import type { metricRoutes } from './routes.ts';

type App = Parameters<typeof metricRoutes>[0];

test('/metrics: is 404 without a port or a token, and nothing is counted', async () => {
  const { database } = await openTestSqlite();
  const { app } = buildTestApp(database);
  expect((await app.inject('/metrics')).statusCode).toBe(404);
  expect((app as App).meter).toBe(null);
});

test('/metrics: needs the token', async () => {
  const { database } = await openTestSqlite();
  const { app } = buildTestApp(database, { environment: { METRICS_TOKEN } });
  const headers = [
    undefined,
    '',
    METRICS_TOKEN,
    `Bearer ${METRICS_TOKEN}x`,
    'Bearer ',
    `Bearer ${METRICS_TOKEN}`,
  ];
  const responses = await Promise.all(
    headers.map((authorization) =>
      app.inject({
        url: '/metrics',
        headers: authorization === undefined ? {} : { authorization },
      }),
    ),
  );
  expect(responses.map((response) => response.statusCode)).toEqual([403, 403, 403, 403, 403, 200]);
  expect(responses.slice(0, -1).map((response) => response.json<unknown>())).toEqual(
    headers
      .slice(0, -1)
      .map(() => ({ error: 'token_invalid', message: 'METRICS_TOKEN is needed.' })),
  );
});

test('/metrics: with METRICS_PORT only, it is 404 on the port of the service', async () => {
  const { database } = await openTestSqlite();
  const { app } = buildTestApp(database, { environment: { METRICS_PORT: '0' } });
  expect((await app.inject(asOperator)).statusCode).toBe(404);
  expect(await (app as App).meter?.render()).toContain('tessera_http_request_duration_seconds');
});

test('metrics: count sign-ins, codes, contacts, cards, and requests by route pattern', async () => {
  const { database } = await openTestSqlite();
  let isDown = false;
  const sent = new Map<string, string>();
  const testApp = buildTestApp(database, {
    environment: { METRICS_TOKEN },
    dependencies: {
      sendCode: async (phone, code) => {
        if (isDown) throw new Error('The gateway is down.');
        sent.set(phone, code);
      },
    },
  });
  const { app } = testApp;
  const { _id } = await signInByApi({ ...testApp, codes: sent });
  isDown = true;
  await app.inject({
    method: 'POST',
    url: '/api/otp/send',
    payload: { appId: 'tessera', phone: '9876543211' },
  });
  const contact = { name: 'Ravi', mobile: '', email: 'ravi@example.com', companyName: '' };
  const lead = { method: 'POST', url: '/api/profile/addContact' } as const;
  await app.inject({ ...lead, payload: { userID: _id, contact } });
  await app.inject({ ...lead, payload: { userID: _id, contact: { ...contact, name: '' } } });
  for (let count = 0; count < 3; count += 1) await app.inject(`/user/${_id}`);
  await app.inject('/no/such/place');

  const text = (await app.inject(asOperator)).body;
  expect(valuesOf(text, 'tessera_sign_ins_total')).toEqual({ '': 1 });
  expect(valuesOf(text, 'tessera_codes_total')).toEqual({
    '{result="sent"}': 1,
    '{result="failed"}': 1,
  });
  // A counter that begins at 1 would have no increase for the alert.
  expect(valuesOf(text, 'tessera_otp_send_cap_total')).toEqual({
    '{devices="known"}': 0,
    '{devices="unknown"}': 0,
  });
  expect(valuesOf(text, 'tessera_contacts_total')).toEqual({ '': 1 });
  expect(valuesOf(text, 'tessera_card_pages_total')).toEqual({
    '{cache="hit"}': 2,
    '{cache="miss"}': 1,
  });
  expect(valuesOf(text, 'tessera_http_request_duration_seconds_count')).toEqual({
    '{method="POST",route="/api/otp/send",status="200"}': 1,
    '{method="POST",route="/api/otp/verify",status="200"}': 1,
    '{method="GET",route="/api/user/authenticate/phone",status="200"}': 1,
    '{method="POST",route="/api/otp/send",status="503"}': 1,
    '{method="POST",route="/api/profile/addContact",status="200"}': 1,
    '{method="POST",route="/api/profile/addContact",status="400"}': 1,
    '{method="GET",route="/user/:userID",status="200"}': 3,
    '{method="any",route="none",status="404"}': 1,
  });
  const totals = ['users', 'cards', 'photos', 'contacts'];
  expect(totals.map((name) => valuesOf(text, `tessera_${name}`)[''])).toEqual([1, 1, 0, 1]);
  expect(valuesOf(text, 'tessera_build_info')).toEqual({
    [`{version="${VERSION}",node="${process.version}"}`]: 1,
  });
  // Only with a list of gateways or WhatsApp.
  expect(text).not.toContain('tessera_gateway_messages_total');
  // An id or a phone would be personal data, and each would create a time series.
  expect(text).not.toContain(_id);
  expect(text).not.toContain('98765');
});

test('metrics: show whether the node is ready, its photo store, the last backup, the disk and the clock', async () => {
  const { database, dispose } = await openTestSqlite();
  let hasPhotos = true;
  const { dependencies } = buildTestApp(database);
  const photos = {
    ...dependencies.photos,
    check: async () => (hasPhotos ? undefined : Promise.reject(new Error('The store failed.'))),
  };
  const { app, clock } = buildTestApp(database, {
    environment: { METRICS_TOKEN },
    dependencies: { photos },
  });
  const values = async () => {
    const text = (await app.inject(asOperator)).body;
    const names = ['ready', 'degraded', 'last_backup_timestamp_seconds', 'time_seconds', 'users'];
    return names.map((name) => Object.values(valuesOf(text, `tessera_${name}`))[0]);
  };
  const now = clock.now() / 1000;
  expect(await values()).toEqual([1, 0, 0, now, 0]);
  await saveBackupTime(database, 1_000);
  await saveBackupTime(database, 7_000);
  hasPhotos = false;
  expect(await values()).toEqual([1, 1, 7, now, 0]);
  const disk = valuesOf((await app.inject(asOperator)).body, 'tessera_disk_bytes');
  expect(disk['{state="free"}']).toBeLessThan(disk['{state="size"}'] ?? 0);
  await dispose();
  expect(await values()).toEqual([0, 1, undefined, now, 0]);
  clock.advance(6 * 60_000);
  expect((await values()).at(-1)).toBe(undefined);
});

test('metrics: the suffix _total is on every counter, and on no other metric', async () => {
  const { database } = await openTestSqlite();
  const { app } = buildTestApp(database, { environment: { METRICS_TOKEN } });
  const { body } = await app.inject(asOperator);
  const types = [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  expect(types.length).toBeGreaterThan(20);
  const wrong = types.filter(([, name, type]) => name?.endsWith('_total') !== (type === 'counter'));
  expect(wrong.map(([line]) => line)).toEqual([]);
});

test.skipIf(inject('postgresUrl') === '')(
  'metrics: count the connections of the PostgreSQL pool',
  async () => {
    const { database } = await openTestPostgres();
    const { app } = buildTestApp(database, { environment: { METRICS_TOKEN } });
    await app.inject('/readyz');
    const text = (await app.inject(asOperator)).body;
    expect(valuesOf(text, 'tessera_database_connections')).toEqual({
      '{state="busy"}': 0,
      '{state="idle"}': 1,
      '{state="waiting"}': 0,
    });
    expect(valuesOf(text, 'tessera_database_bytes')['']).toBeGreaterThan(0);
  },
);
