import { afterEach, beforeEach, expect, test } from 'vitest';

import type { LIMIT_SETTINGS } from '#server/limit-settings.ts';

import { buildTestApp, signInByApi } from './support/app.ts';
import { openTestSqlite } from './support/database.ts';
import type { TestDatabase } from './support/database.ts';

const OFFICE = '203.0.113.7';

let testDatabase: TestDatabase;
let testApp: ReturnType<typeof buildTestApp>;
beforeEach(async () => {
  testDatabase = await openTestSqlite();
});
afterEach(async () => {
  await testApp.app.close();
  await testDatabase.dispose();
});

function start(name: keyof typeof LIMIT_SETTINGS): void {
  testApp = buildTestApp(testDatabase.database, { environment: { [name]: '3' } });
}

const post = (url: string, payload: object) => ({
  method: 'POST' as const,
  url,
  payload,
  remoteAddress: OFFICE,
});

/** Returns the statuses of requests that are sent one after the other from the office. */
async function statuses(requests: readonly object[]): Promise<number[]> {
  const found: number[] = [];
  for (const request of requests) {
    found.push((await testApp.app.inject({ remoteAddress: OFFICE, ...request })).statusCode);
  }
  return found;
}

const contact = (userID: string, name: string) =>
  post('/api/profile/addContact', { userID, contact: { name, mobile: '1' } });

test('LIMIT_READS_PER_MINUTE: is the limit of reads, also of cached cards', async () => {
  start('LIMIT_READS_PER_MINUTE');
  const { _id } = await signInByApi(testApp);
  const urls = [`/user/${_id}`, `/user/${_id}`, `/api/user/${_id}`, `/user/${_id}`];
  expect(await statuses(urls.map((url) => ({ url })))).toEqual([200, 200, 200, 429]);
});

test('LIMIT_INVALID_PER_MINUTE: is the limit of invalid bodies', async () => {
  start('LIMIT_INVALID_PER_MINUTE');
  const invalid = Array.from({ length: 4 }, () => post('/api/otp/send', {}));
  expect(await statuses(invalid)).toEqual([400, 400, 400, 429]);
});

test('LIMIT_CONTACTS_PER_HOUR: is the limit of contacts to all cards', async () => {
  start('LIMIT_CONTACTS_PER_HOUR');
  const { _id: first } = await signInByApi(testApp);
  const { _id: second } = await signInByApi(testApp, '+919876543211');
  const ids = [first, second, first, second];
  const sent = ids.map((id, index) => contact(id, `Visitor ${index}`));
  expect(await statuses(sent)).toEqual([200, 200, 200, 429]);
});

test('LIMIT_CONTACTS_PER_CARD: is the limit of contacts to one card', async () => {
  start('LIMIT_CONTACTS_PER_CARD');
  const { _id: first } = await signInByApi(testApp);
  const { _id: second } = await signInByApi(testApp, '+919876543211');
  const ids = [first, first, first, first, second];
  const sent = ids.map((id, index) => contact(id, `Visitor ${index}`));
  expect(await statuses(sent)).toEqual([200, 200, 200, 429, 200]);
});

test('LIMIT_CODES_PER_HOUR: is the limit of codes to different phones', async () => {
  start('LIMIT_CODES_PER_HOUR');
  const sends = [0, 1, 2, 3].map((digit) =>
    post('/api/otp/send', { appId: 'tessera', phone: `987650000${digit}` }),
  );
  expect(await statuses(sends)).toEqual([200, 200, 200, 429]);
});
