import type { InjectOptions } from 'fastify';
import { expect, test } from 'vitest';

import { TABLES } from '#server/command/backup/copy.ts';
import { rawSql, sql } from '#server/adapter/database/sql.ts';
import { newToken } from '#server/token.ts';
import {
  addContactByApi,
  photoForm,
  signInByApi,
  signInByToken,
  useTestApp,
} from '#tests/support/app.ts';
import type { TestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import {
  EXAMPLE_ENDPOINTS,
  EXAMPLE_ENVIRONMENT,
  createExampleRequests,
} from '#tests/support/example-requests.ts';

import { API_PREFIX } from '#server/http/route.ts';

/** Only changes the caller's own session: another owner may make it. */
const LOGOUT = 'POST /api/user/logout';

/** Makes each closed call on a victim's data as every caller without permission; returns those that are not 403. */
async function findUnprotectedCalls(testApp: TestApp): Promise<string[]> {
  const victim = await signInByToken(testApp, '+919876543210');
  const unprotected: string[] = [];
  const closed = testApp.app.routeTable.filter(
    ({ url, access }) => url.startsWith(`${API_PREFIX}/`) && access !== 'open',
  );
  for (const route of closed) {
    const name = `${route.method} ${route.url}`;
    const isUpload = route.url.includes('upload');
    const ended = await signInByToken(testApp, '+919876543210');
    const headers = { authorization: ended.sessionToken };
    await testApp.app.inject({ method: 'POST', url: '/api/user/logout', headers });
    const other = await signInByToken(testApp, '+919876543211');
    const deleted = await signInByToken(testApp, '+919876543212');
    await testApp.dependencies.database.run(sql`DELETE FROM users WHERE id = ${deleted._id}`);
    for (const [caller, authorization, id = victim._id] of [
      ['no token', ''],
      ['a guessed token', newToken()],
      ['another owner', other.sessionToken],
      ['an ended session', ended.sessionToken],
      ['a deleted user on their own card', deleted.sessionToken, deleted._id],
      ['a deleted user', deleted.sessionToken],
    ] as const) {
      if (name === LOGOUT && caller === 'another owner') continue;
      const payload = isUpload ? photoForm(id, Buffer.from('x')) : { _id: id, name: 'Somebody' };
      const { statusCode } = await testApp.app.inject({
        method: route.method as 'GET',
        url: route.url.replace(/:\w+/, id),
        headers: authorization === '' ? {} : { authorization },
        ...(route.method === 'POST' ? { payload } : {}),
      });
      if (statusCode !== 403) unprotected.push(`${name} as ${caller}: ${statusCode}`);
    }
  }
  if (closed.length < 30) unprotected.push(`only ${closed.length} calls are closed`);
  const card = await testApp.app.inject(`/api/user/${victim._id}`);
  if (card.json<{ name: string }>().name !== '') unprotected.push("the victim's card was changed");
  return unprotected;
}

/** Ends of pages: positions in the caller's own list. */
const POSITIONS = new Set(['before', 'after']);
const VICTIM = 'Victim';

const withFields = (old: unknown, fields: [string, unknown][]) => {
  if (!(old instanceof FormData)) return Object.fromEntries(fields);
  const form = new FormData();
  for (const [key, value] of fields) form.append(key, value as Blob);
  return form;
};

/** Returns a request once for each place where an id of the caller stands, with that of the other owner there. */
function attacksOf(options: InjectOptions, ids: readonly (readonly [string, string])[]) {
  return ids.flatMap(([own, other]) => {
    const url = options.url as string;
    const inPath = url.includes(own)
      ? [{ place: 'path', options: { ...options, url: url.replace(own, other) } }]
      : [];
    const inFields = (['query', 'payload'] as const).flatMap((part) => {
      const old = options[part];
      const fields = old instanceof FormData ? [...old] : Object.entries((old ?? {}) as object);
      return fields.flatMap(([place, value], index) => {
        const text = JSON.stringify(value);
        if (!text.includes(own)) return [];
        const changed = fields.with(index, [place, JSON.parse(text.replaceAll(own, other))]);
        return [{ place, options: { ...options, [part]: withFields(old, changed) } }];
      });
    });
    return [...inPath, ...inFields];
  });
}

onEachDatabase((open) => {
  const { testApp } = useTestApp(open, { environment: EXAMPLE_ENVIRONMENT });

  test('access: a call that is not open rejects every caller without permission', async () => {
    await testApp.app.ready();
    expect(await findUnprotectedCalls(testApp)).toEqual([]);
  });

  const createOwner = async (phone: string, name: string) => {
    const { _id: userId, sessionToken } = await signInByApi(testApp, phone);
    const headers = { authorization: sessionToken };
    for (const number of [1, 2, 3]) {
      testApp.clock.advance(1);
      await addContactByApi(testApp, userId, { name: `${name} ${number}`, mobile: '1' });
    }
    const list = await testApp.app.inject({ url: `/api/profile/getContacts/${userId}`, headers });
    const [deleted = '', newestContact = '', oldestContact = ''] = list
      .json<{ _id: string }[]>()
      .map(({ _id }) => _id);
    const url = `/api/contacts/deleteContact/${userId}`;
    await testApp.app.inject({ method: 'POST', url, headers, payload: { contact: deleted } });
    return { userId, newestContact, oldestContact, deleted };
  };

  /** Returns the rows with one of the ids. Other rows may change meanwhile, when messages to the caller are sent. */
  const readRowsWith = async (ids: readonly string[]) => {
    const tables = await Promise.all(
      [...TABLES, { name: 'push_subscriptions', key: 'session_hash' }].map(({ name, key }) =>
        testApp.dependencies.database.all(rawSql(`SELECT * FROM ${name} ORDER BY ${key}`)),
      ),
    );
    const rows = tables.flat().map((row) => JSON.stringify(row));
    return rows.filter((row) => ids.some((id) => row.includes(id)));
  };

  // Each call with the ids of another owner. The tests of faults plant calls that accept them.
  test("access: no call reads or changes another owner's object, wherever its id stands", async () => {
    const owner = await createOwner('+919876543211', 'Visitor');
    const victim = await createOwner('+919876543210', VICTIM);
    const ids = [
      [owner.userId, victim.userId],
      [owner.newestContact, victim.newestContact],
      [owner.oldestContact, victim.oldestContact],
      [owner.oldestContact, victim.deleted],
    ] as const;
    expect(await readRowsWith(Object.values(victim))).not.toEqual([]);
    const requestsFor = createExampleRequests(testApp, owner);
    const attacked = new Set<string>();
    const found: string[] = [];
    for (const endpoint of EXAMPLE_ENDPOINTS.filter(({ access }) => access !== 'open')) {
      for await (const { name, options } of requestsFor(endpoint)) {
        for (const { place, options: attack } of attacksOf(options, ids)) {
          const before = await readRowsWith(Object.values(victim));
          const { statusCode, body } = await testApp.app.inject(attack);
          const isRefused = [403, 404].includes(statusCode) || POSITIONS.has(place);
          if (!isRefused) found.push(`${name}, ${place}: ${statusCode}`);
          if (body.includes(VICTIM)) found.push(`${name}, ${place}: shows the other's data`);
          const after = await readRowsWith(Object.values(victim));
          if (after.join() !== before.join()) found.push(`${name}, ${place}: changes a row`);
          attacked.add(`${endpoint.path} ${place}`);
        }
        // Control: only the ids are refused.
        const { statusCode } = await testApp.app.inject(options);
        if (statusCode !== 200) found.push(`${name} with the caller's own ids: ${statusCode}`);
      }
    }
    expect(found).toEqual([]);
    const some = ['/contacts/contactFile/:id contact', '/user/updateUser/:id path'];
    const others = ['/contacts/restoreContact/:id contact', '/user/uploadProfileImage _id'];
    expect([...attacked]).toEqual(expect.arrayContaining([...some, ...others]));
  });
});
