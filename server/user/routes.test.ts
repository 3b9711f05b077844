import { sql } from '#server/db/sql.ts';
import { expect, test } from 'vitest';

import { HOUR_MS } from '#domain/duration.ts';
import { signInByApi, useOwner, useTestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { EMPTY_PROFILE } from '#tests/support/profile.ts';

const JSON_SIZE_BYTES_MAX = 128 * 1024;
const CARD = {
  name: 'Asha Rao',
  designation: 'Engineer',
  companyName: 'Kaveri',
  bio: 'One\nTwo',
  phone: '+91 98765 43210',
  email: 'asha@example.com',
  socialMediaHandles: { Web: 'https://asha.example', Whatsapp: '9876543210' },
};

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
  const post = (payload: string, headers: Record<string, string> = {}) =>
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

  test('get user: an unknown id is 400 with a code and a sentence', async () => {
    const unknown = [
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
    ];
    for (const id of unknown) {
      const response = await read(id);
      const keys = Object.keys(response.json());
      expect([id, response.statusCode, keys]).toEqual([id, 400, ['error', 'message']]);
    }
    const error = { error: 'user_unknown', message: 'User does not exist' };
    expect((await read('1'.repeat(16))).json()).toEqual(error);
  });

  const BODIES = [
    ['', {}, 400],
    ['[]', {}, 400],
    ['{"name":}', {}, 400],
    ['\u0000', {}, 400],
    ['{"name":"a\\ud800b"}', {}, 400],
    ['{"__proto__":{"name":"x"}}', {}, 400],
    ['{"constructor":{"prototype":{"name":"x"}}}', {}, 400],
    ['{"socialMediaHandles":{"__proto__":{"Web":"https://a.example"}}}', {}, 400],
    ['{"\\u005f_proto__":{"name":"x"}}', {}, 400],
    ['{}', { 'content-encoding': 'gzip' }, 415],
    ['{}', { 'content-encoding': 'identity, gzip' }, 415],
    ['{"name":"x"}', { 'content-type': 'text/plain' }, 415],
    ['{"name":"x"}', { 'content-type': 'json' }, 415],
  ] as const;

  test('update user: a body that is no JSON object is 400 or 415, and changes nothing', async () => {
    for (const [body, headers, status] of BODIES) {
      const response = await post(body, headers);
      const error = status === 400 ? 'invalid_input' : 'media_type_unsupported';
      expect([body, response.statusCode, response.json()]).toEqual([
        body,
        status,
        { error, message: expect.any(String) },
      ]);
    }
    expect([(await profile()).name, ({} as { name?: string }).name]).toEqual(['', undefined]);
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

  const WRONG = [
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
    ['bio', 'क'.repeat(2000)],
    ['socialMediaHandles', { Web: 'javascript:alert(1)' }],
  ] as const;

  test('update user: a wrong value is 400, names the field and stores nothing', async () => {
    const before = await profile();
    for (const [field, value] of WRONG) {
      const bad = typeof value === 'string' ? `a${value}b` : value;
      const response = await save({ ...CARD, [field]: bad });
      const message = expect.stringMatching(new RegExp(`^${field}[ .]`)) as string;
      expect([response.statusCode, response.json()]).toEqual([
        400,
        { error: 'invalid_input', message },
      ]);
    }
    expect(await profile()).toEqual(before);
  });

  test('update user: stores NFC with line feeds, and joiners of Indic scripts and emoji', async () => {
    await save({ name: 'Rene\u0301 \u200dக்\u200cஷ 👩‍👩‍👧', bio: 'a\r\nb\rc' });
    expect(await profile()).toMatchObject({ name: 'René \u200dக்\u200cஷ 👩‍👩‍👧', bio: 'a\nb\nc' });
  });

  test('update user: a body of 128 KiB is accepted and one byte more is 413', async () => {
    expect((await post(jsonOfSize(JSON_SIZE_BYTES_MAX))).statusCode).toBe(200);
    const response = await post(jsonOfSize(JSON_SIZE_BYTES_MAX + 1));
    expect([response.statusCode, response.json().error]).toEqual([413, 'too_large']);
  });

  test('deleted user: is 403 for the owner and 400 for everybody', async () => {
    await testDatabase.database.run('DELETE FROM users');
    expect([(await save(CARD)).statusCode, (await read()).statusCode]).toEqual([403, 400]);
  });
});
