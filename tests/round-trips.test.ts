import { EventEmitter, once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';

import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';

import { openPostgres } from '#server/db/postgres.ts';
import type { Database } from '#server/db/database.ts';

import { buildTestApp, signInByApi } from './support/app.ts';
import { openTestPostgres } from './support/database.ts';
import { silentLog } from './support/log.ts';
import { listen } from './support/port.ts';

const POOL_SIZE = 2;
/** The frontend messages that the server answers (postgresql.org/docs/current/protocol-flow.html). */
const ROUND_TRIPS = new Set(['Q', 'S']);
const LENGTH_BYTES = 4;

/** Starts a proxy to PostgreSQL that counts the round trips of all connections. */
async function openPostgresTap(url: string) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let roundTrips = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let rest = Buffer.alloc(0);
    // The startup message has no type.
    let typeBytes = 0;
    client.on('data', (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes]);
      while (rest.length >= typeBytes + LENGTH_BYTES) {
        const end = typeBytes + rest.readUInt32BE(typeBytes);
        if (rest.length < end) return;
        if (ROUND_TRIPS.has(rest.toString('latin1', 0, typeBytes))) roundTrips += 1;
        typeBytes = 1;
        rest = rest.subarray(end);
      }
    });
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
  });
  const proxyUrl = new URL(url);
  proxyUrl.port = new URL(await listen(server)).port;
  return {
    url: proxyUrl.href,
    count: async (work: () => Promise<unknown>): Promise<number> => {
      const before = roundTrips;
      await work();
      return roundTrips - before;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe.skipIf(inject('postgresUrl') === '')('round trips to PostgreSQL', () => {
  let opened: Awaited<ReturnType<typeof openTestPostgres>>;
  let tap: Awaited<ReturnType<typeof openPostgresTap>>;
  let database: Database;
  let testApp: ReturnType<typeof buildTestApp>;
  let owner: { _id: string; sessionToken: string };

  beforeEach(async () => {
    opened = await openTestPostgres();
    tap = await openPostgresTap(opened.url);
    database = openPostgres(tap.url, silentLog, { poolSize: POOL_SIZE });
    testApp = buildTestApp(database);
    owner = await signInByApi(testApp);
  });
  afterEach(async () => {
    await testApp.app.close();
    await database.close();
    tap.close();
  });

  const save = (payload: object, headers: Record<string, string> = {}) =>
    testApp.app.inject({
      method: 'POST',
      url: `/api/user/updateUser/${owner._id}`,
      headers: { authorization: owner.sessionToken, ...headers },
      payload,
    });
  const countSave = async (...call: Parameters<typeof save>) => {
    let status = 0;
    const roundTrips = await tap.count(async () => {
      status = (await save(...call)).statusCode;
    });
    return [status, roundTrips];
  };

  test('save: is two round trips, one for the session and one for the row', async () => {
    expect(await countSave({ name: 'Asha' })).toEqual([200, 2]);
    expect(await countSave({}, { 'if-match': '"1"' })).toEqual([412, 2]);
    expect(await countSave({ name: 5 })).toEqual([400, 1]);
    expect(await countSave({}, { authorization: 'x'.repeat(43) })).toEqual([403, 1]);
    expect(await countSave({}, { authorization: 'null' })).toEqual([403, 0]);
  });

  test('get user: is one round trip', async () => {
    const url = `/api/user/${owner._id}`;
    expect(await tap.count(() => testApp.app.inject({ url }))).toBe(1);
  });

  test('exhausted pool: saves are 503 with Retry-After while no connection is free', async () => {
    await save({});
    const hold = new EventEmitter();
    const released = once(hold, 'release');
    const busy = Array.from({ length: POOL_SIZE }, () =>
      database.transaction(async (tx) => {
        await tx.one('SELECT 1');
        await released;
      }),
    );
    const answers = await Promise.all(Array.from({ length: 20 }, () => save({ name: 'Asha' })));
    hold.emit('release');
    const error = { error: 'unavailable', message: expect.any(String) as string };
    for (const { statusCode, headers, body } of answers)
      expect([statusCode, headers['retry-after'], JSON.parse(body)]).toEqual([503, '2', error]);
    await Promise.allSettled(busy);
    expect((await save({ name: 'Asha' })).statusCode).toBe(200);
  });
});
