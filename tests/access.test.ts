import { sql } from '#server/db/sql.ts';
import { expect, test } from 'vitest';

import { VIEWS } from '#domain/view.ts';
import { saveTokenStatement } from '#server/otp/embedded/store.ts';
import { newToken } from '#server/token.ts';
import { useTestApp } from '#tests/support/app.ts';
import type { TestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';

import { API_PREFIX } from '#server/http/route.ts';
import type { RouteEntry } from '#server/http/route-table.ts';

/** Calls that only change the caller's own session: another owner may make them. */
const OWN_SESSION_ONLY = new Set(['POST /api/user/logout']);

interface Owner {
  readonly _id: string;
  readonly sessionToken: string;
}

async function signIn({ app, dependencies }: TestApp, phone: string): Promise<Owner> {
  const token = newToken();
  await dependencies.database.batch([
    saveTokenStatement({ token, phone, now: dependencies.clock.now() }),
  ]);
  const headers = { authorization: token };
  return (await app.inject({ url: '/api/user/authenticate/phone', headers })).json<Owner>();
}

/** A valid body: JSON for most calls, a form with the victim's id for uploads. */
function bodyFor({ method, url }: RouteEntry, victim: Owner) {
  if (method !== 'POST') return {};
  if (!url.includes('upload')) return { payload: { _id: victim._id, name: 'Somebody else' } };
  const boundary = 'boundary';
  const field = (head: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`;
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: [
      field('name="_id"', victim._id),
      field('name="image"; filename="a.jpg"\r\nContent-Type: image/jpeg', 'x'),
      `--${boundary}--\r\n`,
    ].join(''),
  };
}

/**
 * Makes every call that is not open on a victim's data as each kind of caller without permission;
 * returns a line for each response that is not 403.
 */
async function findUnprotectedCalls(testApp: TestApp): Promise<string[]> {
  const victim = await signIn(testApp, '+919876543210');
  const unprotected: string[] = [];
  const closed = testApp.app.routeTable.filter(
    ({ url, access }) => url.startsWith(`${API_PREFIX}/`) && access !== 'open',
  );
  for (const route of closed) {
    const name = `${route.method} ${route.url}`;
    const attempt = async (caller: string, token: string | null, id = victim._id) => {
      const { headers, ...body } = bodyFor(route, { ...victim, _id: id });
      const response = await testApp.app.inject({
        method: route.method as 'GET',
        url: route.url.replace(/:\w+/, id),
        headers: { ...headers, ...(token === null ? {} : { authorization: token }) },
        ...body,
      });
      if (response.statusCode !== 403)
        unprotected.push(`${name} as ${caller}: ${response.statusCode}`);
    };

    await attempt('no token', null);
    await attempt('a guessed token', newToken());
    const other = await signIn(testApp, '+919876543211');
    if (!OWN_SESSION_ONLY.has(name)) await attempt('another owner', other.sessionToken);
    const ended = await signIn(testApp, '+919876543210');
    const headers = { authorization: ended.sessionToken };
    await testApp.app.inject({ method: 'POST', url: '/api/user/logout', headers });
    await attempt('an ended session', ended.sessionToken);
    const deleted = await signIn(testApp, '+919876543212');
    await testApp.dependencies.database.run(sql`DELETE FROM users WHERE id = ${deleted._id}`);
    await attempt('a deleted user on their own card', deleted.sessionToken, deleted._id);
    await attempt('a deleted user', deleted.sessionToken);
  }
  const card = await testApp.app.inject(`/api/user/${victim._id}`);
  if (card.json<{ name: string }>().name !== '') unprotected.push("the victim's card was changed");
  return unprotected;
}

onEachDatabase((open) => {
  const { testApp } = useTestApp(open, { environment: { VIEWS: VIEWS.join(',') } });

  test('access: a call that is not open rejects every caller without permission', async () => {
    await testApp.app.ready();
    expect(await findUnprotectedCalls(testApp)).toEqual([]);
  });

  test('access: finds a route that has no check on purpose', async () => {
    testApp.app.get('/api/unchecked/:id', async () => ({}));
    testApp.app.post('/api/unchecked/:id', { config: { access: 'owner' } }, async () => ({}));
    await testApp.app.ready();
    const callers = [
      'no token',
      'a guessed token',
      'another owner',
      'an ended session',
      'a deleted user on their own card',
      'a deleted user',
    ];
    expect(await findUnprotectedCalls(testApp)).toEqual(
      ['GET', 'HEAD', 'POST'].flatMap((method) =>
        callers.map((caller) => `${method} /api/unchecked/:id as ${caller}: 200`),
      ),
    );
  });
});
