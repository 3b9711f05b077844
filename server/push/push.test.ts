import { createPublicKey } from 'node:crypto';

import { jwtVerify } from 'jose';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { SECOND_MS } from '#domain/duration.ts';
import { buildTestApp, signInByApi } from '#tests/support/app.ts';
import type { TestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { decryptPush, newSubscription, startPushService } from '#tests/support/push-service.ts';
import type { PushService, TestSubscription } from '#tests/support/push-service.ts';

import { createPushTransport } from './transport.ts';

const LEAD = {
  name: 'Ravi “R” Kumar 🙂',
  mobile: '98765 43210',
  email: 'ravi@example.com',
  companyName: 'कावेरी',
};
const PHONE = '+919876543210';
const WAIT = { timeout: 10_000, interval: 10 };

interface Owner {
  readonly _id: string;
  readonly sessionToken: string;
}

onEachDatabase((open) => {
  let testDatabase: TestDatabase;
  let service: PushService;
  let testApp: TestApp;
  let owner: Owner;
  const nodes: TestApp[] = [];

  /** Another node on the same database. */
  const addNode = (timeoutMs = 10 * SECOND_MS): TestApp => {
    const transport = createPushTransport({ testOrigin: service.origin, timeoutMs });
    const node = buildTestApp(testDatabase.database, {
      dependencies: { pushTransport: transport },
    });
    nodes.push(node);
    return node;
  };

  beforeEach(async () => {
    [testDatabase, service] = await Promise.all([open(), startPushService()]);
    testApp = addNode();
    owner = await signInByApi(testApp, PHONE);
  });
  afterEach(async () => {
    await service.close();
    await Promise.all(nodes.splice(0).map(({ app }) => app.close()));
    await testDatabase.dispose();
  });

  const post = (path: string, { _id, sessionToken }: Owner, payload: object = {}) =>
    testApp.app.inject({
      method: 'POST',
      url: `/api/${path}/${_id}`,
      headers: { authorization: sessionToken },
      payload,
    });
  const subscribe = async (kind: string, from = owner): Promise<TestSubscription> => {
    const subscription = newSubscription(`${service.origin}/${kind}`);
    expect((await post('push/subscribe', from, subscription.json)).statusCode).toBe(200);
    return subscription;
  };
  const leaveContact = async (lead: object = {}, node = testApp) => {
    const response = await node.app.inject({
      method: 'POST',
      url: '/api/profile/addContact',
      payload: { userID: owner._id, contact: { ...LEAD, ...lead } },
    });
    expect([response.statusCode, response.json()]).toEqual([200, {}]);
  };
  const rows = (table: string) => testDatabase.database.all(`SELECT * FROM ${table}`);
  const countRows = async () => ({
    subscriptions: (await rows('push_subscriptions')).length,
    messages: (await rows('push_messages')).length,
  });
  const arrived = (count: number) =>
    vi.waitFor(() => expect(service.received).toHaveLength(count), WAIT);
  /** Waits until the rows are as expected. */
  const settled = (expected: { subscriptions: number; messages: number }) =>
    vi.waitFor(async () => expect(await countRows()).toEqual(expected), WAIT);

  test('notification: a new contact sends name and company, encrypted for the browser alone', async () => {
    const subscription = await subscribe('created/1');
    await leaveContact();
    await arrived(1);
    const [push] = service.received;
    if (!push) throw new Error('There is no request.');
    expect(JSON.parse(decryptPush(push.body, subscription))).toEqual({
      name: LEAD.name,
      companyName: LEAD.companyName,
    });
    expect(() => decryptPush(push.body, newSubscription(''))).toThrow(/./);
    expect(push).toMatchObject({
      path: '/created/1',
      headers: {
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: '86400',
        urgency: 'high',
        topic: expect.stringMatching(/^[0-9a-z]{21}$/),
      },
    });
    await settled({ subscriptions: 1, messages: 0 });
  });

  test('notification: is signed with the key that the browser got, for this push service only', async () => {
    await subscribe('created/1');
    const { publicKey } = (
      await testApp.app.inject({
        url: `/api/push/getKey/${owner._id}`,
        headers: { authorization: owner.sessionToken },
      })
    ).json<{ publicKey: string }>();
    await leaveContact();
    await arrived(1);
    const { authorization = '' } = service.received[0]?.headers ?? {};
    const [, token = '', key] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? [];
    expect(key).toBe(publicKey);
    const point = Buffer.from(publicKey, 'base64url');
    const x = point.subarray(1, 33).toString('base64url');
    const y = point.subarray(33).toString('base64url');
    const verified = await jwtVerify(
      token,
      createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } }),
      { audience: service.origin, currentDate: new Date(testApp.clock.now()) },
    );
    expect(verified).toMatchObject({
      protectedHeader: { alg: 'ES256', typ: 'JWT' },
      payload: {
        sub: 'mailto:support@example.com',
        exp: testApp.clock.now() / SECOND_MS + 12 * 3600,
      },
    });
  });
});
