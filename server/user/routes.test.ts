import { gzipSync } from 'node:zlib';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { buildTestApp, signInByApi } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';

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
const HOUR_MS = 3_600_000;
const FAULT_KEYS = ['error', 'message'];

/** JSON of an exact length, most of it in a key that is ignored. */
function fill(size: number): string {
  const frame = JSON.stringify({ name: 'Asha', profileImage: '' });
  return frame.replace('""', `"${'x'.repeat(size - frame.length)}"`);
}

onEachDatabase((open) => {
  let opened: TestDatabase;
  let context: ReturnType<typeof buildTestApp>;
  let owner: { _id: string; sessionToken: string };

  beforeEach(async () => {
    opened = await open();
    context = buildTestApp(opened.database);
    owner = await signInByApi(context);
  });
  afterEach(async () => {
    await context.app.close();
    await opened.dispose();
  });

  const read = (id = owner._id) => context.app.inject({ url: `/api/user/${id}` });
  const profile = async () => (await read()).json<typeof CARD & { _id: string }>();
  const post = (payload: string | Buffer, headers: Record<string, string> = {}) =>
    context.app.inject({
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

  test('a new user’s card is empty but for the phone, with exactly the public keys', async () => {
    const answer = await read();
    expect([answer.statusCode, answer.headers['cache-control'], answer.json()]).toEqual([
      200,
      'no-store',
      {
        _id: owner._id,
        name: '',
        designation: '',
        companyName: '',
        bio: '',
        phone: '+919876543210',
        email: '',
        profilePhoto: '',
        socialMediaHandles: {},
      },
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
  ])('the id %s, which nobody has, is a 400 with a word and a sentence', async (id) => {
    const answer = await read(id);
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, FAULT_KEYS]);
  });

  test('an id that nobody has says that the user does not exist', async () => {
    expect((await read('1'.repeat(16))).json()).toEqual({
      error: 'user_unknown',
      message: 'User does not exist',
    });
  });

  test('a save is answered with the fresh card, and everybody sees it', async () => {
    const answer = await save(CARD);
    const expected = { _id: owner._id, profilePhoto: '', ...CARD };
    expect([answer.statusCode, answer.json()]).toEqual([200, expected]);
    expect(await profile()).toEqual(expected);
  });

  test('the whole user object, stale parts included, changes only what is the owner’s to change', async () => {
    await opened.database.run('UPDATE users SET profile_photo = $1', ['/photos/kept.jpg']);
    const answer = await save({
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
    const kept = { _id: owner._id, profilePhoto: '/photos/kept.jpg', ...CARD };
    expect([answer.statusCode, answer.json()]).toEqual([200, kept]);
    const row = await opened.database.one(
      'SELECT id, login_phone, created_at > 0 AS dated FROM users',
    );
    expect(row).toMatchObject({ id: owner._id, login_phone: '+919876543210' });
    expect(Boolean((row as { dated: unknown }).dated)).toBe(true);
    context.clock.advance(HOUR_MS);
    const again = await signInByApi(context, '+919876543210');
    expect(again._id).toBe(owner._id);
  });

  test('an absent key stays as it was, an empty text empties, a null handle is unset', async () => {
    await save(CARD);
    await save({ bio: '' });
    await save({ socialMediaHandles: { Web: null, X: 'https://x.example', Maps: null } });
    await save({});
    await save({ socialMediaHandles: {} });
    expect(await profile()).toEqual({
      _id: owner._id,
      profilePhoto: '',
      ...CARD,
      bio: '',
      socialMediaHandles: { Whatsapp: '9876543210', X: 'https://x.example' },
    });
  });

  test('two saves of different fields at once are both kept', async () => {
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
    '%s takes %i characters and not one more',
    async (field, max) => {
      const longest = { ...CARD, [field]: 'क'.repeat(max) };
      expect((await save(longest)).statusCode).toBe(200);
      const refused = await save({ ...CARD, name: 'Other', [field]: 'क'.repeat(max + 1) });
      expect([refused.statusCode, refused.json()]).toEqual([
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
  ])('%s with %j is refused, named, and nothing of the save is kept', async (field, value) => {
    const before = await profile();
    const bad = typeof value === 'string' ? `a${value}b` : value;
    const answer = await save({ ...CARD, [field]: bad });
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_input']);
    expect(answer.json().message).toMatch(new RegExp(`^${field} `));
    expect(await profile()).toEqual(before);
  });

  test('a lone surrogate, escaped in JSON, is refused', async () => {
    const answer = await post('{"name":"a\\ud800b"}');
    expect([answer.statusCode, answer.json().message.split(' ')[0]]).toEqual([400, 'name']);
  });

  test.each([
    ['Web', 'javascript:alert(1)'],
    ['Web', 'ftp://a.example'],
    ['Maps', 'https://u:p@a.example'],
    ['X', 'no link'],
    ['Facebook', 5],
    ['Whatsapp', '987654321'],
    ['Whatsapp', '+919876543210'],
  ])('the handle %s of %j is refused and named', async (network, value) => {
    const answer = await save({ ...CARD, socialMediaHandles: { [network]: value } });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().message).toMatch(new RegExp(`^socialMediaHandles\\.${network} `));
    expect((await profile()).name).toBe('');
  });

  test('text is kept in NFC with line feeds; what Indic scripts and emoji need is kept', async () => {
    await save({ name: 'Rene\u0301 \u200dக்\u200cஷ 👩‍👩‍👧', bio: 'a\r\nb\rc' });
    expect(await profile()).toMatchObject({ name: 'René \u200dக்\u200cஷ 👩‍👩‍👧', bio: 'a\nb\nc' });
  });

  test('an unknown network and a key of no field are ignored', async () => {
    const answer = await save({
      socialMediaHandles: { Orkut: 'https://o.example' },
      role: 'admin',
    });
    expect([answer.statusCode, answer.json().socialMediaHandles]).toEqual([200, {}]);
  });

  test.each(['', 'null', '[]', '"x"', '5', '{', '{"name":}', '\u0000', 'name=Asha'])(
    'the body %j is a 400',
    async (body) => {
      const answer = await post(body);
      expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, FAULT_KEYS]);
    },
  );

  test('a body that is no object is named', async () => {
    expect((await post('[]')).json().message).toBe('The body must be an object');
  });

  test.each([
    '{"__proto__":{"name":"x"}}',
    '{"constructor":{"prototype":{"name":"x"}}}',
    '{"socialMediaHandles":{"__proto__":{"Web":"https://a.example"}}}',
    '{"\\u005f_proto__":{"name":"x"}}',
  ])('the poisoned body %s is a 400', async (body) => {
    const answer = await post(body);
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, FAULT_KEYS]);
    expect(({} as { name?: string }).name).toBe(undefined);
  });

  test('a body of 64 KiB is read and one byte more is a 413', async () => {
    expect((await post(fill(JSON_SIZE_BYTES_MAX))).statusCode).toBe(200);
    const answer = await post(fill(JSON_SIZE_BYTES_MAX + 1));
    expect([answer.statusCode, answer.json().error]).toEqual([413, 'too_large']);
  });

  test.each(['gzip', 'deflate', 'br', 'identity, gzip', 'x'])(
    'a body in the encoding %s is a 415',
    async (encoding) => {
      const answer = await post(gzipSync('{}'), { 'content-encoding': encoding });
      expect([answer.statusCode, answer.json().error]).toEqual([415, 'media_type_unsupported']);
    },
  );

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'json'])(
    'a body of type %s is a 415',
    async (type) => {
      const answer = await post('{"name":"x"}', { 'content-type': type });
      expect([answer.statusCode, answer.json().error]).toEqual([415, 'media_type_unsupported']);
      expect((await profile()).name).toBe('');
    },
  );

  test('another owner, nobody and an ended session are refused before the body is looked at', async () => {
    const other = await signInByApi(context, '+919876500000');
    await context.app.inject({
      method: 'POST',
      url: '/api/user/logout',
      headers: { authorization: other.sessionToken },
    });
    const third = await signInByApi(context, '+919876511111');
    for (const authorization of [third.sessionToken, other.sessionToken, '', 'Bearer null']) {
      for (const body of ['{', 'x'.repeat(JSON_SIZE_BYTES_MAX + 1), JSON.stringify(CARD)]) {
        const answer = await post(body, { authorization });
        expect([answer.statusCode, answer.json()]).toEqual([
          403,
          { error: 'session_invalid', message: expect.any(String) },
        ]);
      }
    }
    expect((await profile()).name).toBe('');
  });

  test('after log out the session is over at once, on another node too', async () => {
    const node = buildTestApp(opened.database);
    const ask = (where: typeof context) =>
      where.app.inject({
        url: `/api/profile/getContacts/${owner._id}`,
        headers: { authorization: owner.sessionToken },
      });
    const before = [(await ask(context)).statusCode, (await ask(node)).statusCode];
    const left = await context.app.inject({
      method: 'POST',
      url: '/api/user/logout',
      headers: { authorization: owner.sessionToken },
    });
    expect([left.statusCode, left.json()]).toEqual([200, {}]);
    expect([before, (await ask(context)).statusCode, (await ask(node)).statusCode]).toEqual([
      [200, 200],
      403,
      403,
    ]);
    await node.app.close();
  });

  test('a user who is gone is a 403 to the owner and a 400 to everybody', async () => {
    await opened.database.run('DELETE FROM users');
    expect([(await save(CARD)).statusCode, (await read()).statusCode]).toEqual([403, 400]);
  });
});
