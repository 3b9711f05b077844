import { afterEach, beforeEach, expect, test } from 'vitest';

import { saveExchangeToken } from '#server/otp/embedded/store.ts';
import { newToken } from '#server/token.ts';
import { buildTestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';

import { API_PREFIX } from '#server/http/route.ts';
import type { RouteEntry } from '#server/http/route-table.ts';

/** These act on the caller's own session alone, so that another owner harms nobody by them. */
const OWN_SESSION_ONLY = new Set(['POST /api/user/logout']);

interface Owner {
  readonly _id: string;
  readonly sessionToken: string;
}

type Whole = ReturnType<typeof buildTestApp>;

async function signIn({ app, dependencies }: Whole, phone: string): Promise<Owner> {
  const token = newToken();
  await saveExchangeToken(dependencies.database, { token, phone, now: dependencies.clock.now() });
  const headers = { authorization: token };
  return (await app.inject({ url: '/api/user/authenticate/phone', headers })).json<Owner>();
}

/** A body that would pass: JSON for most, a form that names the victim for uploads. */
function bodyFor({ method, url }: RouteEntry, victim: Owner) {
  if (method !== 'POST') return {};
  if (!url.includes('upload')) return { payload: { _id: victim._id, name: 'Somebody else' } };
  const boundary = 'boundary';
  const part = (head: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`;
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: [
      part('name="_id"', victim._id),
      part('name="image"; filename="a.jpg"\r\nContent-Type: image/jpeg', 'x'),
      `--${boundary}--\r\n`,
    ].join(''),
  };
}

/**
 * Tries every route of the table that is not open, at a victim's, as everybody who must not; gives
 * back a line for each try that was not refused with 403.
 */
async function findOpenDoors(whole: Whole): Promise<string[]> {
  const victim = await signIn(whole, '+919876543210');
  const doors: string[] = [];
  const closed = whole.app.routeTable.filter(
    ({ url, access }) => url.startsWith(`${API_PREFIX}/`) && access !== 'open',
  );
  for (const route of closed) {
    const name = `${route.method} ${route.url}`;
    const knock = async (who: string, token: string | null, id = victim._id) => {
      const { headers, ...body } = bodyFor(route, { ...victim, _id: id });
      const answer = await whole.app.inject({
        method: route.method as 'GET',
        url: route.url.replace(/:\w+/, id),
        headers: { ...headers, ...(token === null ? {} : { authorization: token }) },
        ...body,
      });
      if (answer.statusCode !== 403) doors.push(`${name} as ${who}: ${answer.statusCode}`);
    };

    await knock('nobody', null);
    await knock('somebody who guesses', newToken());
    const other = await signIn(whole, '+919876543211');
    if (!OWN_SESSION_ONLY.has(name)) await knock('another owner', other.sessionToken);
    const ended = await signIn(whole, '+919876543210');
    const headers = { authorization: ended.sessionToken };
    await whole.app.inject({ method: 'POST', url: '/api/user/logout', headers });
    await knock('one whose session has ended', ended.sessionToken);
    const gone = await signIn(whole, '+919876543212');
    await whole.dependencies.database.run('DELETE FROM users WHERE id = $1', [gone._id]);
    await knock('a deleted user at home', gone.sessionToken, gone._id);
    await knock('a deleted user', gone.sessionToken);
  }
  const card = await whole.app.inject(`/api/user/${victim._id}`);
  if (card.json<{ name: string }>().name !== '') doors.push("the victim's card was changed");
  return doors;
}

onEachDatabase((open) => {
  let fresh: TestDatabase;
  let whole: Whole;

  beforeEach(async () => {
    fresh = await open();
    whole = buildTestApp(fresh.database);
  });

  afterEach(async () => {
    await whole.app.close();
    await fresh.dispose();
  });

  test('every call that is not open refuses nobody, strangers, ended sessions and deleted users', async () => {
    await whole.app.ready();
    expect(await findOpenDoors(whole)).toEqual([]);
  });

  test('the calls that are not open are these', async () => {
    await whole.app.ready();
    const closed = whole.app.routeTable
      .filter(({ url, access }) => url.startsWith(`${API_PREFIX}/`) && access !== 'open')
      .map(({ method, url, access }) => `${method} ${url} (${access})`);
    expect(closed.toSorted()).toEqual([
      'GET /api/profile/getContacts/:id (owner)',
      'HEAD /api/profile/getContacts/:id (owner)',
      'POST /api/user/logout (session)',
      'POST /api/user/updateUser/:id (owner)',
      'POST /api/user/uploadProfileImage (session)',
    ]);
  });

  test('control: a route that forgot to check is found', async () => {
    whole.app.get('/api/planted/:id', async () => ({}));
    whole.app.post('/api/planted/:id', { config: { access: 'owner' } }, async () => ({}));
    await whole.app.ready();
    const people = [
      'nobody',
      'somebody who guesses',
      'another owner',
      'one whose session has ended',
      'a deleted user at home',
      'a deleted user',
    ];
    expect(await findOpenDoors(whole)).toEqual(
      ['GET', 'HEAD', 'POST'].flatMap((method) =>
        people.map((who) => `${method} /api/planted/:id as ${who}: 200`),
      ),
    );
  });
});
