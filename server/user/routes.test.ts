import { sql } from '#server/db/sql.ts';
import { gzipSync } from 'node:zlib';

import { expect, test } from 'vitest';

import { HOUR_MS } from '#domain/duration.ts';
import { buildTestApp, signInByApi, useOwner, useTestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { EMPTY_PROFILE } from '#tests/support/profile.ts';

const JSON_SIZE_BYTES_MAX = 64 * 1024;
const FIELDS = { name: 120, designation: 120, companyName: 120, bio: 2000, phone: 32, email: 254 };
const CARD = {
  name: 'Asha Rao',
  designation: 'Engineer',
  companyName: 'Kaveri',
  bio: 'One\nTwo',
  phone: '+91 98765 43210',
  email: 'asha@example.com',
  socialMediaHandles: { Web: 'https://asha.example', Whatsapp: '9876543210' },
};
const ERROR_KEYS = ['error', 'message'];

/** Returns JSON of an exact size, most of it in a key that is ignored. */
function jsonOfSize(size: number): string {
  const json = JSON.stringify({ name: 'Asha', profileImage: '' });
  return json.replace('""', `"${'x'.repeat(size - json.length)}"`);
}

onEachDatabase((open) => {
  const { testDatabase, testApp } = useTestApp(open);
  const owner = useOwner(testApp);

  const read = (id = owner._id) => testApp.app.inject({ url: `/api/user/${id}` });
  const profile = async () => (await read()).json<typeof CARD & { _id: string }>();
  const post = (payload: string | Buffer, headers: Record<string, string> = {}) =>
    testApp.app.inject({
      method: 'POST',
      url: `/api/user/updateUser/${owner._id}`,
      headers: {
        authorization: owner.sessionToken,
        'content-type': 'application/json',
        ...headers,
      },
      payload,
    });
  const save = (change: unknown) => post(JSON.stringify(change));

  test('get user: a new card has the phone only, with exactly the public keys', async () => {
    const response = await read();
    expect([response.statusCode, response.headers['cache-control'], response.json()]).toEqual([
      200,
      'no-store',
      { ...EMPTY_PROFILE, _id: owner._id, phone: '+919876543210' },
    ]);
  });

  test.each([
    '1'.repeat(16),
    'x',
    `${'1'.repeat(15)}%00`,
    '%00',
    '%F0%9F%91%8B',
    '%E0%A4%A',
    '%',
    '..%2f..%2fetc',
    "1'%20OR%20'1'='1",
    '1'.repeat(250),
    '1'.repeat(300),
    'null',
    'undefined',
  ])('get user: the unknown id %s is 400 with a code and a sentence', async (id) => {
    const response = await read(id);
    expect([response.statusCode, Object.keys(response.json())]).toEqual([400, ERROR_KEYS]);
  });

  test('get user: an unknown id is user_unknown', async () => {
    expect((await read('1'.repeat(16))).json()).toEqual({
      error: 'user_unknown',
      message: 'User does not exist',
    });
  });

  test('update user: replies with the stored card, and everybody sees it', async () => {
    const response = await save(CARD);
    const expected = { ...EMPTY_PROFILE, ...CARD, _id: owner._id };
    expect([response.statusCode, response.json()]).toEqual([200, expected]);
    expect(await profile()).toEqual(expected);
  });

  test('update user: the whole user object changes only the fields of the card', async () => {
    await testDatabase.database.run(sql`UPDATE users SET profile_photo = ${'/photos/kept.jpg'}`);
    const response = await save({
      ...CARD,
      _id: '2'.repeat(16),
      id: '2'.repeat(16),
      sessionToken: 'stale',
      profilePhoto: '/photos/stale.jpg',
      profileImage: 'data:image/jpeg;base64,AAAA',
      login_phone: '+911111111111',
      loginPhone: '+911111111111',
      created_at: 0,
      updated_at: 0,
      constructor_: { prototype: 1 },
    });
    const expected = {
      ...EMPTY_PROFILE,
      ...CARD,
      _id: owner._id,
      profilePhoto: '/photos/kept.jpg',
    };
    expect([response.statusCode, response.json()]).toEqual([200, expected]);
    const row = await testDatabase.database.one(
      'SELECT id, login_phone, created_at > 0 AS dated FROM users',
    );
    expect(row).toMatchObject({ id: owner._id, login_phone: '+919876543210' });
    expect(Boolean((row as { dated: unknown }).dated)).toBe(true);
    testApp.clock.advance(HOUR_MS);
    const again = await signInByApi(testApp, '+919876543210');
    expect(again._id).toBe(owner._id);
  });

  test('update user: absent keys are unchanged, an empty text is stored, a null handle is unset', async () => {
    await save(CARD);
    await save({ bio: '' });
    await save({ socialMediaHandles: { Web: null, X: 'https://x.example', Maps: null } });
    await save({});
    await save({ socialMediaHandles: {} });
    expect(await profile()).toEqual({
      ...EMPTY_PROFILE,
      ...CARD,
      _id: owner._id,
      bio: '',
      socialMediaHandles: { Whatsapp: '9876543210', X: 'https://x.example' },
    });
  });

  test('update user: concurrent changes of different fields are both stored', async () => {
    await Promise.all([
      save({ name: 'Asha', socialMediaHandles: { X: 'https://x.example' } }),
      save({ email: 'asha@example.com', socialMediaHandles: { Web: 'https://asha.example' } }),
    ]);
    expect(await profile()).toMatchObject({
      name: 'Asha',
      email: 'asha@example.com',
      socialMediaHandles: { X: 'https://x.example', Web: 'https://asha.example' },
    });
  });

  test.each(Object.entries(FIELDS))(
    'update user: %s may have %i characters and not one more',
    async (field, max) => {
      const longest = { ...CARD, [field]: 'क'.repeat(max) };
      expect((await save(longest)).statusCode).toBe(200);
      const rejected = await save({ ...CARD, name: 'Other', [field]: 'क'.repeat(max + 1) });
      expect([rejected.statusCode, rejected.json()]).toEqual([
        400,
        { error: 'invalid_input', message: `${field} must be at most ${max} characters` },
      ]);
      expect(await profile()).toMatchObject(longest);
    },
  );

  test.each([
    ['name', '\u0000'],
    ['designation', '\n'],
    ['companyName', '\u202e'],
    ['phone', '\t'],
    ['email', '\u2066'],
    ['bio', '\u0085'],
    ['bio', '\u001b'],
    ['name', null],
    ['bio', 5],
    ['email', ['x']],
    ['phone', {}],
  ])('update user: %s with %j is 400, names the field and stores nothing', async (field, value) => {
    const before = await profile();
    const bad = typeof value === 'string' ? `a${value}b` : value;
    const response = await save({ ...CARD, [field]: bad });
    expect([response.statusCode, response.json().error]).toEqual([400, 'invalid_input']);
    expect(response.json().message).toMatch(new RegExp(`^${field} `));
    expect(await profile()).toEqual(before);
  });

  test('update user: a lone surrogate in JSON is 400', async () => {
    const response = await post('{"name":"a\\ud800b"}');
    expect([response.statusCode, response.json().message.split(' ')[0]]).toEqual([400, 'name']);
  });

  test.each([
    ['Web', 'javascript:alert(1)'],
    ['Web', 'ftp://a.example'],
    ['Maps', 'https://u:p@a.example'],
    ['X', 'no link'],
    ['Facebook', 5],
    ['Whatsapp', '987654321'],
    ['Whatsapp', '+919876543210'],
  ])('update user: the handle %s of %j is 400 and named', async (network, value) => {
    const response = await save({ ...CARD, socialMediaHandles: { [network]: value } });
    expect(response.statusCode).toBe(400);
    expect(response.json().message).toMatch(new RegExp(`^socialMediaHandles\\.${network} `));
    expect((await profile()).name).toBe('');
  });

  test('update user: stores NFC with line feeds, and joiners of Indic scripts and emoji', async () => {
    await save({ name: 'Rene\u0301 \u200dக்\u200cஷ 👩‍👩‍👧', bio: 'a\r\nb\rc' });
    expect(await profile()).toMatchObject({ name: 'René \u200dக்\u200cஷ 👩‍👩‍👧', bio: 'a\nb\nc' });
  });

  test('update user: ignores an unknown network and an unknown key', async () => {
    const response = await save({
      socialMediaHandles: { Orkut: 'https://o.example' },
      role: 'admin',
    });
    expect([response.statusCode, response.json().socialMediaHandles]).toEqual([200, {}]);
  });

  test.each(['', 'null', '[]', '"x"', '5', '{', '{"name":}', '\u0000', 'name=Asha'])(
    'update user: the body %j is 400',
    async (body) => {
      const response = await post(body);
      expect([response.statusCode, Object.keys(response.json())]).toEqual([400, ERROR_KEYS]);
    },
  );

  test('update user: the error names a body that is not an object', async () => {
    expect((await post('[]')).json().message).toBe('The body must be an object');
  });

  test.each([
    '{"__proto__":{"name":"x"}}',
    '{"constructor":{"prototype":{"name":"x"}}}',
    '{"socialMediaHandles":{"__proto__":{"Web":"https://a.example"}}}',
    '{"\\u005f_proto__":{"name":"x"}}',
  ])('update user: the prototype pollution %s is 400', async (body) => {
    const response = await post(body);
    expect([response.statusCode, Object.keys(response.json())]).toEqual([400, ERROR_KEYS]);
    expect(({} as { name?: string }).name).toBe(undefined);
  });

  test('update user: a body of 64 KiB is accepted and one byte more is 413', async () => {
    expect((await post(jsonOfSize(JSON_SIZE_BYTES_MAX))).statusCode).toBe(200);
    const response = await post(jsonOfSize(JSON_SIZE_BYTES_MAX + 1));
    expect([response.statusCode, response.json().error]).toEqual([413, 'too_large']);
  });

  test.each(['gzip', 'deflate', 'br', 'identity, gzip', 'x'])(
    'update user: a body in the encoding %s is 415',
    async (encoding) => {
      const response = await post(gzipSync('{}'), { 'content-encoding': encoding });
      expect([response.statusCode, response.json().error]).toEqual([415, 'media_type_unsupported']);
    },
  );

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'json'])(
    'update user: a body of type %s is 415',
    async (type) => {
      const response = await post('{"name":"x"}', { 'content-type': type });
      expect([response.statusCode, response.json().error]).toEqual([415, 'media_type_unsupported']);
      expect((await profile()).name).toBe('');
    },
  );

  test('update user: another owner’s, an ended and no token are 403 before the body is parsed', async () => {
    const other = await signInByApi(testApp, '+919876500000');
    await testApp.app.inject({
      method: 'POST',
      url: '/api/user/logout',
      headers: { authorization: other.sessionToken },
    });
    const third = await signInByApi(testApp, '+919876511111');
    for (const authorization of [third.sessionToken, other.sessionToken, '', 'Bearer null']) {
      for (const body of ['{', 'x'.repeat(JSON_SIZE_BYTES_MAX + 1), JSON.stringify(CARD)]) {
        const response = await post(body, { authorization });
        expect([response.statusCode, response.json()]).toEqual([
          403,
          { error: 'session_invalid', message: expect.any(String) },
        ]);
      }
    }
    expect((await profile()).name).toBe('');
  });

  test('logout: ends the session immediately, also on another node', async () => {
    const otherApp = buildTestApp(testDatabase.database);
    const getContacts = (target: typeof testApp) =>
      target.app.inject({
        url: `/api/profile/getContacts/${owner._id}`,
        headers: { authorization: owner.sessionToken },
      });
    const before = [
      (await getContacts(testApp)).statusCode,
      (await getContacts(otherApp)).statusCode,
    ];
    const loggedOut = await testApp.app.inject({
      method: 'POST',
      url: '/api/user/logout',
      headers: { authorization: owner.sessionToken },
    });
    expect([loggedOut.statusCode, loggedOut.json()]).toEqual([200, {}]);
    expect([
      before,
      (await getContacts(testApp)).statusCode,
      (await getContacts(otherApp)).statusCode,
    ]).toEqual([[200, 200], 403, 403]);
    await otherApp.app.close();
  });

  test('deleted user: is 403 for the owner and 400 for everybody', async () => {
    await testDatabase.database.run('DELETE FROM users');
    expect([(await save(CARD)).statusCode, (await read()).statusCode]).toEqual([403, 400]);
  });
});
