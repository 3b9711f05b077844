import { createHash } from 'node:crypto';

import { expect, test, vi } from 'vitest';

import { SECOND_MS } from '#domain/duration.ts';
import type { Face } from '#domain/face.ts';
import { TRANSLATIONS } from '#domain/language/language.ts';
import { PROFILE_FIELDS, mapFaceFields } from '#domain/profile-field.ts';
import { buildTestApp, useOwner, useTestApp } from '#tests/support/app.ts';
import type { TestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';

const HOSTILE = `</title><script>alert(1)</script>" onload="x" '&amp;`;
const EMPTY = mapFaceFields(() => '');
const TAMIL: Face = {
  ...EMPTY,
  language: 'ta',
  name: 'ஆஷா ராவ்',
  designation: 'கட்டிடக் கலைஞர்',
  companyName: '',
  bio: 'முதல்\nஇரண்டாவது',
};
const URDU: Face = { ...EMPTY, language: 'ur', name: 'عائشہ راؤ' };
const FIRST = {
  name: 'Asha Rao',
  designation: 'Architect',
  companyName: 'Rao',
  bio: 'Houses',
  phone: '1',
};

const RENDERED_MS_MAX = 20 * SECOND_MS;

/** To the other faces, as [href, text]. */
const links = (body: string) =>
  [
    ...(/class="card-faces">(.*?)<\/p>/.exec(body)?.[1] ?? '').matchAll(
      /<a href="(.*?)".*?>(.*?)<\/a>/g,
    ),
  ].map(([, href, name]) => [href, name]);

onEachDatabase((open) => {
  const { testDatabase, testApp } = useTestApp(open, { environment: { LANGUAGES: 'ta,ur' } });
  const owner = useOwner(testApp);
  const withLanguages = (LANGUAGES: string) =>
    buildTestApp(testDatabase.database, { environment: { LANGUAGES } });

  type Headers = Record<string, string>;
  const call = (options: object = {}, headers: Headers = {}, on: TestApp = testApp) =>
    on.app.inject({
      url: `/api/user/${owner._id}/faces`,
      headers: { authorization: owner.sessionToken, ...headers },
      ...options,
    });
  const save = (faces: unknown, headers: Headers = {}, on: TestApp = testApp) =>
    call({ method: 'POST', payload: { faces } }, headers, on);
  const read = (path = '', language = 'en', on: TestApp = testApp) =>
    on.app.inject({ url: `/user/${owner._id}${path}`, headers: { 'accept-language': language } });

  /** The preview picture, once it is ready: as [Cache-Control, hash]. */
  const picture = (path: string) =>
    vi.waitFor(async () => {
      const { headers, rawPayload } = await read(path, 'ur');
      // Of the picture in place of one that is not rendered in time.
      expect(headers['cache-control']).not.toBe('no-store');
      return [headers['cache-control'], createHash('sha256').update(rawPayload).digest('hex')];
    }, RENDERED_MS_MAX);
  const picturePath = async () => {
    const { body } = await read('?lang=ta');
    const address = /og:image" content="(.*?)"/.exec(body)?.[1] ?? '';
    return address.replace('&amp;', '&').replace(/^.*(?=\/preview)/, '');
  };

  test('faces: none until they are saved; the list replaces them all, trimmed as the profile', async () => {
    const first = await call();
    expect([first.json(), first.headers.etag]).toEqual([{ faces: [] }, '"0"']);
    const saved = await save([
      URDU,
      { ...TAMIL, name: ` ${TAMIL.name}\u3000 `, companyName: undefined },
    ]);
    expect(saved.json()).toEqual({ faces: [TAMIL, URDU] });
    const found = await call();
    expect([found.json(), found.headers.etag]).toEqual([saved.json(), saved.headers.etag]);
    expect((await save([URDU])).json()).toEqual({ faces: [URDU] });
    expect((await save([])).json()).toEqual({ faces: [] });
  });

  test('faces: what is wrong is 400 with why, and nothing is stored', async () => {
    const sentences = [];
    for (const faces of [
      undefined,
      [{ ...TAMIL, language: 'en' }],
      [{ ...TAMIL, language: 'hi' }],
      [TAMIL, URDU, TAMIL],
      [{ ...TAMIL, name: 'a'.repeat(121) }],
      [URDU, { ...TAMIL, bio: '\u202e' }],
      [{ ...TAMIL, designation: 'a\nb' }],
      [{ ...TAMIL, companyName: null }],
    ]) {
      const { statusCode, json } = await save(faces);
      sentences.push([statusCode, json<{ message: string }>().message]);
    }
    const forbidden =
      'must not contain control characters, bidirectional overrides or broken characters';
    expect(sentences).toEqual([
      [400, 'faces must be a list'],
      [400, 'faces.0.language must be one of LANGUAGES'],
      [400, 'faces.0.language must be one of LANGUAGES'],
      [400, 'faces must have each language once'],
      [400, 'faces.0.name must be at most 120 characters'],
      [400, `faces.1.bio ${forbidden}`],
      [400, `faces.0.designation ${forbidden}`],
      [400, 'faces.0.companyName must be text'],
    ]);
    expect((await call()).json()).toEqual({ faces: [] });
  });

  test('faces: the longest in every language are accepted', async () => {
    const texts = mapFaceFields((name) => '\u0b95'.repeat(PROFILE_FIELDS[name].lengthMax));
    const faces = TRANSLATIONS.map((language) => ({ language, ...texts }));
    const everywhere = withLanguages(TRANSLATIONS.join());
    const saved = await save(faces, {}, everywhere);
    expect([saved.statusCode, saved.json()]).toEqual([200, { faces }]);
  });

  test('faces: If-Match is as that of the profile; without the setting 404', async () => {
    expect((await save([TAMIL], { 'if-match': '"1"' })).statusCode).toBe(412);
    const { headers } = await save([TAMIL], { 'if-match': '"0"' });
    expect((await save([], { 'if-match': '"0"' })).json()).toMatchObject({
      error: 'precondition_failed',
    });
    expect((await save([URDU], { 'if-match': String(headers.etag) })).statusCode).toBe(200);
    for (const LANGUAGES of ['', 'en']) {
      const none = withLanguages(LANGUAGES);
      expect((await call({}, {}, none)).statusCode).toBe(404);
      expect((await save([], {}, none)).statusCode).toBe(404);
    }
    expect((await call()).json()).toEqual({ faces: [URDU] });
  });

  test('faces: those of a language that LANGUAGES no longer has are kept, and not shown', async () => {
    await owner.post('user/updateUser', FIRST);
    await save([TAMIL, URDU]);
    const one = withLanguages('ta');
    const shown = await call({}, {}, one);
    expect(shown.json()).toEqual({ faces: [TAMIL] });
    expect((await save([URDU], {}, one)).json()).toMatchObject({
      error: 'invalid_input',
      message: 'faces.0.language must be one of LANGUAGES',
    });
    for (const path of ['', '?lang=ur']) {
      const { body } = await read(path, 'ur', one);
      expect(body).not.toContain(URDU.name);
    }
    const removed = await save([], { 'if-match': String(shown.headers.etag) }, one);
    expect(removed.json()).toEqual({ faces: [] });
    expect((await call()).json()).toEqual({ faces: [URDU] });
    expect((await read('?lang=ta', 'ta', withLanguages(''))).body).not.toContain(URDU.name);
  });

  test('card page: shows the face of its language at once, an empty field from the first, and links the sides', async () => {
    await owner.post('user/updateUser', FIRST);
    const profile = await testApp.app.inject(`/api/user/${owner._id}`);
    const [before, contactFile, qrCode] = await Promise.all(
      ['?lang=ta', '/contact.vcf', '/qr.svg'].map((path) => read(path)),
    );
    expect(before?.body).not.toMatch(/class="card-faces"/);
    await save([TAMIL, URDU]);
    const after = await read('?lang=ta');
    expect(after.headers.etag).not.toBe(before?.headers.etag);
    expect((await read('', 'ta-IN')).body).toContain(`>${TAMIL.name}</h1>`);
    const [english, tamil, urdu] = [FIRST, TAMIL, URDU].map(({ name }, index) => [
      `?lang=${['en', 'ta', 'ur'][index]}`,
      name,
    ]);
    const seen = [];
    for (const path of ['?lang=en', '?lang=ta', '?lang=ur']) {
      const { body } = await read(path);
      const part = (pattern: RegExp) => pattern.exec(body)?.[1];
      seen.push({
        title: part(/<title>(.*?)<\/title>/),
        description: part(/og:description" content="(.*?)"/),
        url: part(/og:url" content="[^"]*?(\?.*?)?"/),
        picture: part(/og:image" content="[^"]*?(\?.*?v=)/),
        about: part(/class="card-bio">(.*?)<\/p>/s),
        company: part(/class="card-company">(.*?)<\/bdi>/),
        links: links(body),
      });
    }
    expect(seen).toEqual([
      {
        title: 'Asha Rao - Architect',
        description: 'Architect · Rao',
        url: undefined,
        picture: '?v=',
        about: 'Houses',
        company: 'Rao',
        links: [tamil, urdu],
      },
      {
        title: `${TAMIL.name} - ${TAMIL.designation}`,
        description: `${TAMIL.designation} · Rao`,
        url: '?lang=ta',
        picture: '?lang=ta&amp;v=',
        about: TAMIL.bio,
        company: 'Rao',
        links: [english, urdu],
      },
      {
        title: `${URDU.name} - Architect`,
        description: 'Architect · Rao',
        url: '?lang=ur',
        picture: '?lang=ur&amp;v=',
        about: 'Houses',
        company: 'Rao',
        links: [english, tamil],
      },
    ]);
    const now = await testApp.app.inject(`/api/user/${owner._id}`);
    expect([now.headers.etag, now.body]).toEqual([profile.headers.etag, profile.body]);
    expect((await read('/contact.vcf', 'ta')).body).toBe(contactFile?.body);
    expect((await read('/qr.svg', 'ta')).body).toBe(qrCode?.body);
  });

  test('preview picture: of the face in its address, and another version after a save', async () => {
    await owner.post('user/updateUser', FIRST);
    const first = await picture('/preview.jpg');
    await save([TAMIL]);
    const tamil = await picture('/preview.jpg?lang=ta');
    expect(tamil).not.toEqual(first);
    expect([await picture('/preview.jpg'), await picture('/preview.jpg?lang=ur')]).toEqual([
      first,
      first,
    ]);
    const path = await picturePath();
    expect(await picture(path)).toEqual(['public, max-age=31536000, immutable', tamil[1]]);
    await save([{ ...TAMIL, name: 'ஆஷா' }]);
    expect(await picturePath()).not.toBe(path);
    expect(await picture('/preview.jpg?lang=ta')).not.toEqual(tamil);
  });

  test('faces: a blocked card shows none and cannot be changed', async () => {
    await owner.post('user/updateUser', FIRST);
    await save([TAMIL]);
    await testDatabase.database.run('UPDATE users SET blocked_at = 1');
    testApp.app.responses.dropAll();
    for (const path of ['?lang=ta', '/preview.jpg?lang=ta']) {
      const { statusCode, body } = await read(path);
      expect([path, statusCode, body.includes(TAMIL.name)]).toEqual([path, 410, false]);
    }
    expect((await save([])).json()).toMatchObject({ error: 'card_blocked' });
  });

  test('card page: markup in a face is escaped', async () => {
    await owner.post('user/updateUser', FIRST);
    const texts = mapFaceFields(() => HOSTILE);
    await save([{ language: 'ta', ...texts }]);
    for (const path of ['?lang=ta', '?lang=en', '?lang=ur']) {
      const { body } = await read(path);
      expect(body).toContain('&lt;/title&gt;&lt;script&gt;alert(1)');
      expect(body).not.toMatch(/<script>alert|" onload/);
    }
  });
});
