import { expect, test } from 'vitest';

import { sql } from '#server/db/sql.ts';
import { buildTestApp, useOwner, useTestApp } from '#tests/support/app.ts';
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

onEachDatabase((open) => {
  const { testDatabase, testApp } = useTestApp(open);
  const owner = useOwner(testApp);

  const read = (id = owner._id) => testApp.app.inject({ url: `/api/user/${id}` });
  const profile = async () => (await read()).json<typeof CARD & { _id: string }>();
  const post = (payload: string, headers: Record<string, string> = {}, { app } = testApp) =>
    app.inject({
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
    const { statusCode, headers, json } = await read();
    expect([statusCode, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(json()).toEqual({ ...EMPTY_PROFILE, _id: owner._id, phone: '+919876543210' });
  });

  test('get user: an unknown id is 400 with a code and a sentence', async () => {
    const unknown =
      `x ${'1'.repeat(15)}%00 %00 %F0%9F%91%8B %E0%A4%A % ..%2f..%2fetc 1'%20OR%20'1'='1
      ${'1'.repeat(250)} ${'1'.repeat(300)} null undefined`.split(/\s+/);
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
      const found = [body, response.statusCode, response.json()];
      expect(found).toEqual([body, status, { error, message: expect.any(String) }]);
    }
    expect([(await profile()).name, ({} as { name?: string }).name]).toEqual(['', undefined]);
  });

  test('update user: replies with the stored card, which everybody sees; other keys of a user change nothing', async () => {
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
    const card = { ...EMPTY_PROFILE, ...CARD, _id: owner._id, profilePhoto: '/photos/kept.jpg' };
    expect([response.statusCode, response.json()]).toEqual([200, card]);
    expect(await profile()).toEqual(card);
    const rows = await testDatabase.database.all(
      'SELECT id, login_phone, created_at FROM users WHERE created_at > 0',
    );
    expect(rows).toMatchObject([{ id: owner._id, login_phone: '+919876543210' }]);
  });

  test('update user: absent keys are unchanged, an empty text is stored, a null handle is unset', async () => {
    await save(CARD);
    await save({ bio: '' });
    await save({ socialMediaHandles: { Web: null, X: 'https://x.example', Maps: null } });
    await save({});
    await save({ socialMediaHandles: {} });
    const socialMediaHandles = { Whatsapp: '9876543210', X: 'https://x.example' };
    const card = { ...EMPTY_PROFILE, ...CARD, _id: owner._id, bio: '', socialMediaHandles };
    expect(await profile()).toEqual(card);
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
    ['bio', 5],
    ['socialMediaHandles', { Web: 'javascript:alert(1)' }],
  ] as const;

  test('update user: a wrong value is 400, names the field and stores nothing', async () => {
    const before = await profile();
    for (const [field, value] of WRONG) {
      const bad = typeof value === 'string' ? `a${value}b` : value;
      const response = await save({ ...CARD, [field]: bad });
      const message = expect.stringMatching(new RegExp(`^${field}[ .]`)) as string;
      expect(response.statusCode).toBe(400);
      expect(response.json()).toEqual({ error: 'invalid_input', message });
    }
    expect(await profile()).toEqual(before);
  });

  test('update user: a body of 128 KiB is accepted and one byte more is 413', async () => {
    expect((await post('{}'.padEnd(JSON_SIZE_BYTES_MAX))).statusCode).toBe(200);
    const response = await post('{}'.padEnd(JSON_SIZE_BYTES_MAX + 1));
    expect([response.statusCode, response.json().error]).toEqual([413, 'too_large']);
  });

  const etag = async () => String((await read()).headers['etag']);
  const saveName = (name: string, version?: string, on = testApp) =>
    post(JSON.stringify({ name }), version === undefined ? {} : { 'if-match': version }, on);

  test('if-match: the second of two saves of one version is 412 on every node, and stores nothing', async () => {
    const version = await etag();
    const saved = await saveName('First', version);
    expect(version).toMatch(/^"\d+"$/);
    expect([saved.statusCode, saved.headers['etag']]).toEqual([200, await etag()]);
    expect(await etag()).not.toBe(version);
    for (const on of [testApp, buildTestApp(testDatabase.database)]) {
      const late = await saveName('Second', version, on);
      expect([late.statusCode, late.headers['etag']]).toEqual([412, undefined]);
      expect(late.json()).toMatchObject({ error: 'precondition_failed' });
    }
    expect((await profile()).name).toBe('First');
    expect((await saveName('Second', await etag())).statusCode).toBe(200);
    expect((await profile()).name).toBe('Second');
  });

  test('if-match: without it, and with *, the last save wins', async () => {
    await saveName('First', await etag());
    for (const [name, version] of [['Second'], ['Third', '*']] as const)
      expect((await saveName(name, version)).statusCode).toBe(200);
    expect((await profile()).name).toBe('Third');
  });
});
