import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';

import { TRANSLATION_LANGUAGES } from '#domain/language/language.ts';
import { PROFILE_FIELDS, mapTranslatedFields } from '#domain/profile-field.ts';
import type { Translation } from '#domain/translation.ts';
import { buildTestApp, useOwner, useTestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { waitUntil } from '#tests/support/polling.ts';

const EMPTY = mapTranslatedFields(() => '');
const ROLE = { designation: 'கட்டிடக் கலைஞர்', bio: 'முதல்\nஇரண்டாவது' };
const TAMIL: Translation = { ...EMPTY, ...ROLE, language: 'ta', name: 'ஆஷா ராவ்' };
const URDU: Translation = { ...EMPTY, language: 'ur', name: 'عائشہ راؤ' };
const FORBIDDEN =
  'must not contain control characters, bidirectional overrides or broken characters';
const OTHER_LANGUAGE = 'translations.0.language must be one of LANGUAGES';
const FIRST = { name: 'Asha Rao', designation: 'Architect', companyName: 'Rao', bio: 'Houses' };

onEachDatabase((open) => {
  const { database, testApp } = useTestApp(open, { environment: { LANGUAGES: 'ta,ur' } });
  const owner = useOwner(testApp);
  const withLanguages = (LANGUAGES: string) =>
    buildTestApp(database, { environment: { LANGUAGES } });

  type Options = Parameters<typeof owner.get>[1];
  const call = (options?: Options) => owner.get('user/:id/translations', options);
  const save = (translations: unknown, options?: Options) =>
    owner.post('user/:id/translations', { translations }, options);
  const saveIfMatch = (translations: unknown, tag: unknown, on = testApp) =>
    save(translations, { headers: { 'if-match': String(tag) }, on });
  const read = (path = '', language = 'en', on = testApp) =>
    owner.page(path, { headers: { 'accept-language': language }, on });
  const saveFirst = () => owner.post('user/updateUser', { ...FIRST, phone: '1' });

  /** Waits for the preview picture, and returns it as [Cache-Control, hash]. */
  const picture = (path: string) =>
    waitUntil(async () => {
      const { headers, rawPayload } = await read(path, 'ur');
      const hash = createHash('sha256').update(rawPayload).digest('hex');
      // The substitute for a picture that is not rendered in time has 'no-store'.
      return headers['cache-control'] !== 'no-store' && [headers['cache-control'], hash];
    });
  const picturePath = async () => {
    const [, path = ''] =
      /:image" content=".*?(\/preview.*?)"/.exec((await read('?lang=ta')).body) ?? [];
    return path.replace('&amp;', '&');
  };

  test('translations: none until they are saved; the list replaces them all, trimmed as the profile, with If-Match', async () => {
    const first = await call();
    expect([first.json(), first.headers.etag]).toEqual([{ translations: [] }, '"0"']);
    expect((await saveIfMatch([], '"1"')).statusCode).toBe(412);
    const spaced = { ...TAMIL, name: ` ${TAMIL.name}\u3000 `, companyName: undefined };
    const saved = await saveIfMatch([URDU, spaced], '"0"');
    expect(saved.json()).toEqual({ translations: [TAMIL, URDU] });
    const found = await call();
    expect([found.json(), found.headers.etag]).toEqual([saved.json(), saved.headers.etag]);
    expect((await saveIfMatch([], '"0"')).json()).toMatchObject({ error: 'precondition_failed' });
    const urdu = await saveIfMatch([URDU], saved.headers.etag);
    expect(urdu.json()).toEqual({ translations: [URDU] });
    for (const on of ['', 'en'].map(withLanguages))
      for (const response of [call({ on }), save([], { on })])
        expect((await response).statusCode).toBe(404);
    expect((await save([])).json()).toEqual({ translations: [] });
  });

  test('translations: what is wrong is 400 with why, and nothing is stored', async () => {
    for (const [translations, message] of [
      [undefined, 'translations must be a list'],
      [[{ ...TAMIL, language: 'en' }], OTHER_LANGUAGE],
      [[{ ...TAMIL, language: 'hi' }], OTHER_LANGUAGE],
      [[TAMIL, URDU, TAMIL], 'translations must have each language once'],
      [[{ ...TAMIL, name: 'a'.repeat(121) }], 'translations.0.name must be at most 120 characters'],
      [[URDU, { ...TAMIL, bio: '\u202e' }], `translations.1.bio ${FORBIDDEN}`],
      [[{ ...TAMIL, designation: 'a\nb' }], `translations.0.designation ${FORBIDDEN}`],
      [[{ ...TAMIL, companyName: null }], 'translations.0.companyName must be text'],
    ] as const) {
      const response = await save(translations);
      const error = { error: 'invalid_input', message };
      expect([response.statusCode, response.json()]).toEqual([400, error]);
    }
    expect((await call()).json()).toEqual({ translations: [] });
  });

  test('translations: the longest in every language are accepted', async () => {
    const texts = mapTranslatedFields((name) => '\u0b95'.repeat(PROFILE_FIELDS[name].lengthMax));
    const translations = TRANSLATION_LANGUAGES.map((language) => ({ language, ...texts }));
    const saved = await save(translations, { on: withLanguages(TRANSLATION_LANGUAGES.join()) });
    expect([saved.statusCode, saved.json()]).toEqual([200, { translations }]);
  });

  test('translations: those of a language that LANGUAGES no longer has are kept, and not shown', async () => {
    await saveFirst();
    await save([TAMIL, URDU]);
    const on = withLanguages('ta');
    const shown = await call({ on });
    expect(shown.json()).toEqual({ translations: [TAMIL] });
    expect((await save([URDU], { on })).json()).toMatchObject({ message: OTHER_LANGUAGE });
    for (const path of ['', '?lang=ur'])
      expect((await read(path, 'ur', on)).body).not.toContain(URDU.name);
    expect((await saveIfMatch([], shown.headers.etag, on)).json()).toEqual({ translations: [] });
    expect((await call()).json()).toEqual({ translations: [URDU] });
    expect((await read('?lang=ta', 'ta', withLanguages(''))).body).not.toContain(URDU.name);
  });

  test('card page: shows the translation of its language at once, and an empty field untranslated', async () => {
    await saveFirst();
    const profile = await owner.card();
    const files = async () =>
      Promise.all(['/contact.vcf', '/qr.svg'].map(async (path) => (await read(path, 'ta')).body));
    const [before, filesBefore] = [await read('?lang=ta'), await files()];
    await save([TAMIL, URDU]);
    expect((await read('?lang=ta')).headers.etag).not.toBe(before.headers.etag);
    expect((await read('', 'ta-IN')).body).toContain(`>${TAMIL.name}</h1>`);
    const english = { ...FIRST, language: 'en' };
    for (const { language, name, designation, bio } of [
      english,
      TAMIL,
      { ...english, language: 'ur', name: URDU.name },
    ]) {
      const { body } = await read(`?lang=${language}`);
      const part = (pattern: RegExp) => pattern.exec(body)?.[1];
      expect(part(/<title>(.*?)<\/title>/)).toBe(`${name} - ${designation}`);
      expect(part(/og:description" content="(.*?) · Rao"/)).toBe(designation);
      expect(part(/class="card-bio"[^>]*>(.*?)<\/p>/s)).toBe(bio);
      const query = language === 'en' ? '' : `?lang=${language}`;
      expect(part(/og:url" content="[^"]*?(\?.*?)?"/) ?? '').toBe(query);
      expect(part(/og:image" content="[^"]*?(\?.*?v=)/)).toBe(query ? `${query}&amp;v=` : '?v=');
      expect(part(/class="card-company">(.*?)<\/bdi>/)).toBe('Rao');
    }
    const now = await owner.card();
    expect([now.headers.etag, now.body]).toEqual([profile.headers.etag, profile.body]);
    expect(await files()).toEqual(filesBefore);
  });

  test('preview picture: is translated as its address says, and another version after a save', async () => {
    await saveFirst();
    const first = await picture('/preview.jpg');
    await save([TAMIL]);
    const tamil = await picture('/preview.jpg?lang=ta');
    expect(tamil).not.toEqual(first);
    for (const path of ['/preview.jpg', '/preview.jpg?lang=ur'])
      expect(await picture(path)).toEqual(first);
    const path = await picturePath();
    const immutable = 'public, max-age=31536000, immutable, s-maxage=3600';
    expect(await picture(path)).toEqual([immutable, tamil[1]]);
    await save([{ ...TAMIL, name: 'ஆஷா' }]);
    expect(await picturePath()).not.toBe(path);
    expect(await picture('/preview.jpg?lang=ta')).not.toEqual(tamil);
  });

  test('translations: markup in one is escaped, and a blocked card shows none', async () => {
    const hostile = `</title><script>alert(1)</script>" onload="x" '&amp;`;
    await saveFirst();
    await save([{ language: 'ta', ...mapTranslatedFields(() => hostile) }]);
    for (const path of ['?lang=ta', '?lang=en', '?lang=ur']) {
      const { body } = await read(path);
      const isShown = body.includes('&lt;/title&gt;&lt;script&gt;alert(1)');
      expect([path, isShown]).toEqual([path, path === '?lang=ta']);
      expect(body).not.toMatch(/<script>alert|" onload/);
    }
    await database.run('UPDATE users SET blocked_at = 1');
    testApp.app.responses.dropAll();
    for (const path of ['?lang=ta', '/preview.jpg?lang=ta'])
      expect([path, (await read(path)).statusCode]).toEqual([path, 410]);
  });
});
