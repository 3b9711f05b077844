import { afterAll, beforeAll, expect, test } from 'vitest';

import { buildTestApp, signInByApi } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { FULL_CARD } from '#tests/support/owner.ts';

let testDatabase: TestDatabase;
let testApp: ReturnType<typeof buildTestApp>;
let owner: { _id: string; sessionToken: string };

beforeAll(async () => {
  testDatabase = await openTestSqlite();
  testApp = buildTestApp(testDatabase.database);
  owner = await signInByApi(testApp);
});

afterAll(async () => {
  await testApp.app.close();
  await testDatabase.dispose();
});

async function fileOf(card: object) {
  const { app } = testApp;
  const headers = { authorization: owner.sessionToken };
  const url = `/api/user/updateUser/${owner._id}`;
  const saved = await app.inject({ method: 'POST', url, headers, payload: card });
  expect(saved.statusCode).toBe(200);
  return app.inject({ url: `/user/${owner._id}/contact.vcf` });
}

test('contact file: has the fields of the card and the phone in E.164', async () => {
  const { statusCode, headers, body } = await fileOf(FULL_CARD);
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/vcard; charset=utf-8',
    'content-disposition': `inline; filename="card.vcf"; filename*=UTF-8''Asha%20Rao.vcf`,
  });
  expect(body.split('\r\n')).toEqual([
    'BEGIN:VCARD',
    'VERSION:3.0',
    'N:Rao;Asha;;;',
    'FN:Asha Rao',
    'TITLE:Principal Architect',
    'ORG:Rao & Partners Architects',
    'EMAIL;TYPE=INTERNET:asha.rao@rao-partners.example',
    'TEL;TYPE=CELL:+919876543210',
    'END:VCARD',
    '',
  ]);
});

test('contact file: a phone that cannot be parsed is unchanged', async () => {
  const phones = [
    '98765 43210',
    '+44 20 7946 0958',
    '९८७६५४३२१०',
    'ask at the desk',
    '12',
    '+91 98765 43210 ext. 9',
  ];
  const written: (string | undefined)[] = [];
  for (const phone of phones) {
    written.push(/TEL;TYPE=CELL:(.*)\r/.exec((await fileOf({ phone })).body)?.[1]);
  }
  expect(written).toEqual([
    '+919876543210',
    '+442079460958',
    '+919876543210',
    'ask at the desk',
    '12',
    '+91 98765 43210 ext. 9',
  ]);
});

test('contact file: any name of a person is a valid file name', async () => {
  const names = ['', 'a"b; c', '../../x', '👩‍💻 अनन्या', "O'Brien (2)", 'अ'.repeat(120), '%0d%0a'];
  const dispositions: unknown[] = [];
  for (const name of names) {
    const { statusCode, headers } = await fileOf({ name });
    expect(statusCode).toBe(200);
    dispositions.push(String(headers['content-disposition']).split("UTF-8''")[1]);
  }
  expect(dispositions).toEqual([
    'card.vcf',
    'a%20b%3B%20c.vcf',
    'x.vcf',
    `${encodeURIComponent('👩‍💻 अनन्या')}.vcf`,
    'O%27Brien%20%282%29.vcf',
    `${encodeURIComponent('अ'.repeat(80))}.vcf`,
    '0d%200a.vcf',
  ]);
});

test('contact file: is valid for a stored name with line breaks and control characters', async () => {
  await testDatabase.database.run('UPDATE users SET name = $1 WHERE id = $2', [
    `a\r\nSet-Cookie: b\u0007${'x'.repeat(300)}`,
    owner._id,
  ]);
  const { statusCode, headers } = await testApp.app.inject({
    url: `/user/${owner._id}/contact.vcf`,
  });
  expect(statusCode).toBe(200);
  expect(headers['set-cookie']).toBeUndefined();
});

test('contact file: an unknown or invalid id is 404', async () => {
  for (const id of ['1111111111111111', 'nobody']) {
    expect((await testApp.app.inject({ url: `/user/${id}/contact.vcf` })).statusCode).toBe(404);
  }
});

test('contact file: HEAD is 200 without a body', async () => {
  const { statusCode, body } = await testApp.app.inject({
    method: 'HEAD',
    url: `/user/${owner._id}/contact.vcf`,
  });
  expect([statusCode, body]).toEqual([200, '']);
});
