import { expect, test } from 'vitest';

import { LINK_INVALID } from '#domain/handle.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { buildTestApp, useOwner, useTestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { REJECTED_LINKS } from '#tests/support/disputed-link.ts';
import { FULL_CARD } from '#tests/support/owner.ts';
import { EMPTY_PROFILE } from '#tests/support/profile.ts';
import { words } from '#tests/support/words.ts';

const JSON_SIZE_BYTES_MAX = 128 * 1024;
const HANDLES = { Web: 'https://asha.example', Whatsapp: '9876543210' };
const CARD = { ...FULL_CARD, socialMediaHandles: HANDLES };

onEachDatabase((open) => {
  const { database, testApp } = useTestApp(open);
  const owner = useOwner(testApp);

  const read = (id = owner._id) => testApp.app.inject({ url: `/api/user/${id}` });
  const etag = async () => String((await read()).headers['etag']);
  const profile = async () => (await read()).json<typeof CARD & { _id: string }>();
  const post = (body: string, headers: Record<string, string> = {}) =>
    owner.post('user/updateUser', Buffer.from(body), {
      headers: { 'content-type': 'application/json', ...headers },
    });
  const save = (change: object, ifMatch?: string, on = testApp) =>
    owner.post('user/updateUser', change, { headers: ifMatch ? { 'if-match': ifMatch } : {}, on });

  test('get user: a new card has the phone only, with exactly the public keys; an unknown id is 400', async () => {
    const { statusCode, headers, json } = await read();
    expect([statusCode, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(json()).toEqual({ ...EMPTY_PROFILE, _id: owner._id, phone: '+919876543210' });
    const unknown = words(`x ${'1'.repeat(15)}%00 %00 %F0%9F%91%8B %E0%A4%A % ..%2f..%2fetc
      1'%20OR%20'1'='1 ${'1'.repeat(250)} ${'1'.repeat(300)} null undefined`);
    for (const id of unknown) {
      const response = await read(id);
      const keys = Object.keys(response.json());
      expect([id, response.statusCode, keys]).toEqual([id, 400, ['error', 'message']]);
    }
    const error = { error: 'user_unknown', message: 'User does not exist' };
    expect((await read('1'.repeat(16))).json()).toEqual(error);
  });

  test('check handle: says what a save would reject, and stores nothing', async () => {
    const before = await profile();
    const problems = [
      ['Web', 'https://asha.example'],
      ['Instagram', 'asha.rao'],
      ['Web', 'http://localhost:3000'],
      ...REJECTED_LINKS.map((link) => ['Web', link]),
    ].map(async ([network, text]) =>
      (await owner.post('user/checkHandle', { network, text })).json<object>(),
    );
    const [right, wrong] = [{ problem: '' }, { problem: LINK_INVALID }];
    expect(await Promise.all(problems)).toEqual([
      right,
      right,
      wrong,
      ...REJECTED_LINKS.map(() => wrong),
    ]);
    expect(await profile()).toEqual(before);
  });

  test('update user: a wrong body is 400 or 415, one of more than 128 KiB 413; it changes nothing', async () => {
    await save(CARD);
    const before = await profile();
    const pollution = [
      '{"__proto__":{"name":"x"}}',
      '{"constructor":{"prototype":{"name":"x"}}}',
      '{"socialMediaHandles":{"__proto__":{"Web":"https://a.example"}}}',
      '{"\\u005f_proto__":{"name":"x"}}',
    ];
    const invalid = ['', '[]', '{"name":}', '\u0000', '{"name":"a\\ud800b"}', ...pollution];
    for (const body of invalid) {
      const response = await post(body);
      const error = { error: 'invalid_input', message: expect.any(String) };
      expect([body, response.statusCode, response.json()]).toEqual([body, 400, error]);
    }
    for (const [body, message] of [
      ['{"socialMediaHandles":{"Web":"javascript:alert(1)"}}', /^socialMediaHandles\.Web /],
      ['{"bio":"a\\u202eb"}', /^bio /],
    ] as const) {
      const { statusCode, json } = await post(body);
      expect([statusCode, json().message]).toEqual([400, expect.stringMatching(message)]);
    }
    for (const [name, value] of [
      ['content-encoding', 'gzip'],
      ['content-encoding', 'identity, gzip'],
      ['content-type', 'text/plain'],
      ['content-type', 'json'],
    ] as const) {
      const response = await post('{"name":"x"}', { [name]: value });
      const error = { error: 'media_type_unsupported', message: expect.any(String) };
      expect([value, response.statusCode, response.json()]).toEqual([value, 415, error]);
    }
    expect((await post('{}'.padEnd(JSON_SIZE_BYTES_MAX))).statusCode).toBe(200);
    const tooLarge = await post('{}'.padEnd(JSON_SIZE_BYTES_MAX + 1));
    expect([tooLarge.statusCode, tooLarge.json().error]).toEqual([413, 'too_large']);
    expect([await profile(), ({} as { name?: string }).name]).toEqual([before, undefined]);
  });

  test('update user: replies with the stored card, which everybody sees; other keys of a user change nothing', async () => {
    await database.run(sql`UPDATE users SET profile_photo = ${'/photos/kept.jpg'}`);
    const id = '2'.repeat(16);
    const photo = { profilePhoto: '/photos/stale.jpg', profileImage: 'data:image/jpeg;base64,AA' };
    const columns = { id, login_phone: '+911111111111', created_at: 0, updated_at: 0 };
    const others = { _id: id, sessionToken: 'stale', loginPhone: '+911111111111' };
    const response = await save({ ...CARD, ...photo, ...columns, ...others });
    const card = { ...EMPTY_PROFILE, ...CARD, _id: owner._id, profilePhoto: '/photos/kept.jpg' };
    expect([response.statusCode, response.json(), await profile()]).toEqual([200, card, card]);
    const rows = await database.all('SELECT id, login_phone FROM users WHERE created_at > 0');
    expect(rows).toEqual([{ id: owner._id, login_phone: '+919876543210' }]);
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
    // Concurrent changes of different fields are both stored.
    const [Web, Maps] = ['https://asha.example', 'https://maps.example'];
    await Promise.all([
      save({ name: 'Asha', socialMediaHandles: { Web } }),
      save({ email: 'rao@example.com', socialMediaHandles: { Maps } }),
    ]);
    const handles = { ...socialMediaHandles, Web, Maps };
    const changed = { name: 'Asha', email: 'rao@example.com', socialMediaHandles: handles };
    expect(await profile()).toEqual({ ...card, ...changed });
  });

  const linkOf = async (phone: string) => {
    const saved = await save({ phone });
    const links = [saved, await read()].map(({ headers }) => headers['x-call-link']);
    expect(links[0]).toBe(links[1]);
    return links[0];
  };

  test('call link: is a header of the profile and of a save, in E.164 only if the number is valid', async () => {
    expect(await linkOf('98450 12345')).toBe('tel:+919845012345');
    expect(await linkOf('2345 6789')).toBe('tel:23456789');
    expect(await linkOf('ask at the desk')).toBe('');
  });

  test('if-match: the second of two saves of one version is 412 on every node; without it, and with *, the last save wins', async () => {
    const version = await etag();
    const saved = await save({ name: 'First' }, version);
    expect(version).toMatch(/^"\d+"$/);
    expect([saved.statusCode, saved.headers['etag']]).toEqual([200, await etag()]);
    expect(await etag()).not.toBe(version);
    for (const on of [testApp, buildTestApp(database)]) {
      const late = await save({ name: 'Late' }, version, on);
      expect([late.statusCode, late.headers['etag']]).toEqual([412, undefined]);
      expect(late.json()).toMatchObject({ error: 'precondition_failed' });
    }
    expect((await profile()).name).toBe('First');
    for (const [name, match] of [['Second', await etag()], ['Third'], ['Fourth', '*']]) {
      expect((await save({ name }, match)).statusCode).toBe(200);
      expect((await profile()).name).toBe(name);
    }
  });
});
