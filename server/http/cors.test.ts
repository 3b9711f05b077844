import { expect, test } from 'vitest';

import { sql } from '#server/adapter/database/sql.ts';
import { buildTestApp, signInByApi, useTestApp } from '#tests/support/app.ts';

const ORIGIN = 'https://cards.example.com';
const { testApp, testDatabase } = useTestApp(undefined, {
  environment: { CORS_ORIGINS: `${ORIGIN} https://b.example` },
});

interface ApiDocument {
  readonly paths: Record<string, Record<string, { readonly responses: Responses }>>;
}
type Responses = { readonly 200: { readonly headers?: Record<string, unknown> } };

/** Returns the headers that the document of the API names. A page of another origin must be able to read each. */
function repliedHeaders({ paths }: ApiDocument): string[] {
  const calls = Object.values(paths).flatMap((methods) => Object.values(methods));
  const names = calls.flatMap(({ responses }) => Object.keys(responses[200].headers ?? {}));
  return ['Retry-After', ...new Set(names)].toSorted();
}

test('CORS_ORIGINS: permits the calls of its origins, with their headers and without cookies, and no other origin and no page', async () => {
  const { _id, sessionToken } = await signInByApi(testApp);
  await testDatabase.database.run(sql`INSERT INTO contacts
    (id, user_id, name, mobile, email, company_name, created_at, held)
    VALUES ('1', ${_id}, 'Ravi', '', '', '', 0, 1)`);
  const service = await testApp.app.listen({ host: '127.0.0.1', port: 0 });
  const call = (path: string, headers: Record<string, string> = {}, body?: string) =>
    fetch(`${service}/api/${path}/${_id}`, {
      headers: { origin: ORIGIN, ...headers },
      ...(body === undefined ? {} : { method: 'POST', body }),
    });
  const signedIn = { authorization: sessionToken };
  const save = { ...signedIn, 'content-type': 'application/json', 'if-match': '"other"' };
  const responses = [
    await call('user'),
    // The cache answers this one.
    await call('user'),
    await call('profile/getContacts', signedIn),
    await call('profile/getContacts'),
    await call('user/updateUser', save, '{}'),
    await call('nothing'),
  ];
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 403, 412, 404]);
  expect(responses[2]?.headers.get('x-held-contacts')).toBe('1');
  const document = await fetch(`${service}/api/openapi.json`);
  const replied = repliedHeaders((await document.json()) as ApiDocument);
  expect(replied).toEqual(expect.arrayContaining(['ETag', 'X-Look-Chosen', 'X-Call-Link']));
  for (const { headers } of responses) {
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
    const exposed = headers.get('access-control-expose-headers')?.split(', ');
    expect(exposed?.toSorted()).toEqual(replied);
    expect(headers.get('vary')).toContain('Origin');
    expect(headers.has('access-control-allow-credentials')).toBe(false);
  }
  const withoutOrigin = await fetch(`${service}/api/user/${_id}`);
  expect(withoutOrigin.headers.get('vary')).toBe('Origin, accept-encoding');
  const url = `/api/user/updateUser/${_id}`;
  const asked = { origin: ORIGIN, 'access-control-request-method': 'POST' };
  const preflight = await testApp.app.inject({ method: 'OPTIONS', url, headers: asked });
  expect(preflight).toMatchObject({
    statusCode: 204,
    headers: {
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-allow-headers': 'Authorization, Content-Type, If-Match',
    },
  });

  const without = buildTestApp(testDatabase.database);
  for (const [{ app }, path, origin] of [
    [testApp, `/api/user/${_id}`, 'https://evil.example'],
    [testApp, `/api/user/${_id}`, `${ORIGIN}.evil.example`],
    [testApp, `/user/${_id}`, ORIGIN],
    [without, `/api/user/${_id}`, ORIGIN],
  ] as const) {
    const { headers } = await app.inject({ url: path, headers: { origin } });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  }
});
