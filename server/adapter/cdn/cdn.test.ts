import { createHmac } from 'node:crypto';

import { expect, test, vi } from 'vitest';

import { DAY_MS } from '#domain/duration.ts';
import { block } from '#server/command/admin/change.ts';
import { deleteExpiredRows } from '#server/adapter/database/cleanup.ts';
import { buildTestApp, photoForm, signInByApi, uploadByApi } from '#tests/support/app.ts';
import { useOwner, useTestApp } from '#tests/support/app.ts';
import { onEachDatabase, openTestSqlite } from '#tests/support/database.ts';
import { EXAMPLE_ENDPOINTS, EXAMPLE_ENVIRONMENT } from '#tests/support/example-requests.ts';
import { createExampleRequests } from '#tests/support/example-requests.ts';
import { startFakeServices } from '#tests/support/fake-services.ts';
import { FULL_CARD } from '#tests/support/owner.ts';
import { twoHalves } from '#tests/support/picture.ts';
import { waitUntil } from '#tests/support/polling.ts';
import { words } from '#tests/support/words.ts';

const SECRET = 'a-secret-of-at-least-32-characters';

onEachDatabase((open) => {
  const nowhere = { CDN_PURGE_URL: 'http://127.0.0.1:9/purge', CDN_PURGE_SECRET: SECRET };
  const environment = { ...EXAMPLE_ENVIRONMENT, ...nowhere };
  const { database, testApp } = useTestApp(open, { environment });
  const owner = useOwner(testApp);

  test('CDN: every call that changes what visitors get queues a purge in its transaction', async () => {
    const { app } = testApp;
    const base = `/user/${owner._id}`;
    const rests = ['', '/contact.vcf', '/photo.jpg', '?lang=ta'];
    const paths = [...rests.map((rest) => base + rest), `/api${base}`];
    const publicBodies = async () => {
      app.responses.dropAll();
      const responses = await Promise.all(paths.map((url) => app.inject({ url })));
      return responses.map(({ statusCode, body }) => `${statusCode} ${body}`).join();
    };
    for (let count = 0; count < 5; count += 1) await owner.post('user/updateUser', FULL_CARD);
    // The receiver is away, and one purge serves all saves, for a day.
    const waiting = async () => (await database.all('SELECT id FROM cdn_purges')).length;
    expect(await waiting()).toBe(1);
    await deleteExpiredRows(database, testApp.clock.now() + DAY_MS);
    expect(await waiting()).toBe(0);
    const contact = { newestContact: 'c2', oldestContact: 'c1' };
    const requestsFor = createExampleRequests(testApp, { userId: owner._id, ...contact });
    const changing = new Set<string>();
    const missing: string[] = [];
    for (const endpoint of EXAMPLE_ENDPOINTS.filter(({ method }) => method === 'POST')) {
      for await (const { name, options } of requestsFor(endpoint)) {
        const before = await publicBodies();
        await database.run('DELETE FROM cdn_purges');
        await app.inject(options);
        if ((await publicBodies()) === before) continue;
        changing.add(endpoint.path);
        if ((await waiting()) === 0) missing.push(name);
      }
    }
    expect(missing).toEqual([]);
    expect(changing.size).toBeGreaterThan(4);
  });
});

test('CDN: gets the signed paths of a card with the removed photo, once more after 3 s, and again after an outage', async () => {
  let status = 503;
  const receiver = await startFakeServices({
    'POST /purge': (_call, response) => response.writeHead(status).end('{}'),
  });
  const environment = { CDN_PURGE_URL: `${receiver.origin}/purge`, CDN_PURGE_SECRET: SECRET };
  const { database } = await openTestSqlite();
  const testApp = buildTestApp(database, { environment });
  const { app, clock } = testApp;
  const owner = await signInByApi(testApp);
  const upload = async (side: number) => {
    const picture = await twoHalves({ width: side, height: side }).png().toBuffer();
    await uploadByApi(testApp, owner, photoForm(owner._id, picture));
    return (await database.all<{ photo: string }>('SELECT profile_photo AS photo FROM users'))[0];
  };
  const waiting = () => database.all<{ sent: number }>('SELECT sent FROM cdn_purges ORDER BY sent');
  const first = await upload(120);
  await waitUntil(() => receiver.calls.length > 0);
  expect(await waiting()).toEqual([{ sent: 0 }]);
  status = 204;
  const isSent = async () => (clock.advance(100), (await waiting())[0]?.sent === 1);
  await waitUntil(isSent);
  await waitUntil(async () => (clock.advance(100), (await waiting()).length === 0));

  const second = await upload(140);
  await waitUntil(isSent);
  const { headers, body = '{}' } = receiver.calls.at(-1) ?? {};
  const { paths } = JSON.parse(body) as { paths: string[] };
  const base = `/user/${owner._id}`;
  const files = words('contact.vcf preview.jpg photo.jpg qr.svg').map((name) => `${base}/${name}`);
  const expected = [base, `/api${base}`, first?.photo, second?.photo, ...files];
  expect(paths).toEqual(expect.arrayContaining(expected));
  const signed = `${String(headers?.['webhook-timestamp'])}.${body}`;
  const signature = createHmac('sha256', SECRET).update(signed).digest('hex');
  expect(headers?.['webhook-signature']).toBe(`v1=${signature}`);

  // By the command of an operator, whose process serves nothing.
  const { dependencies, settings } = testApp;
  const responses = { drop: vi.fn(), purgeStatements: app.responses.purgeStatements };
  const operator = { countries: ['IN'], sessionDays: 30, actor: 'asha', confirm: vi.fn() };
  const context = { ...dependencies, responses, settings, ...operator };
  await block(context, { userId: owner._id, reason: 'abuse' });
  const { length } = receiver.calls;
  await waitUntil(() => receiver.calls.length > length);
  await receiver.close();
});
