import { expect, test, vi } from 'vitest';

import { TRANSLATION_LANGUAGES } from '#domain/language/language.ts';
import { joinSql, rawSql, sql } from '#server/adapter/database/sql.ts';
import { buildTestApp } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import { latinLines } from '#tests/support/latin-words.ts';
import { FULL_CARD } from '#tests/support/owner.ts';

const FULL = 'A'.repeat(16);
const UNNAMED = 'E'.repeat(16);
const UNREADY = 'B'.repeat(16);
const BLOCKED = 'C'.repeat(16);
const UNKNOWN = 'D'.repeat(16);
const PUBLIC_URL = 'https://cards.example';
const ALL = TRANSLATION_LANGUAGES.join();
const EXTRAS = {
  second_phone: '080 2222 3333',
  second_email: 'office@a.example',
  upi: 'asha@okaxis',
  gstin: '27AAPFU0939F1ZV',
  address: '1 MG Road',
};

/** Opens an app with cards whose ids are fixed, so that their pages are always the same. */
async function openApp(environment: Record<string, string> = {}) {
  const { database } = await openTestSqlite();
  const { name, designation, companyName, bio, phone, email } = FULL_CARD;
  const handles = JSON.stringify(FULL_CARD.socialMediaHandles);
  for (const id of [FULL, UNNAMED, UNREADY, BLOCKED]) {
    await database.run(sql`INSERT INTO users (id, login_phone, phone, name, designation,
      company_name, bio, email, social_media_handles, created_at, updated_at, blocked_at) VALUES
      (${id}, ${id}, ${id === UNREADY ? '' : phone}, ${id === UNNAMED ? '' : name}, ${designation},
       ${companyName}, ${bio}, ${email}, ${handles}, 1, 1, ${id === BLOCKED ? 1 : null})`);
    await database.run(sql`INSERT INTO extras
      (user_id, ${rawSql(Object.keys(EXTRAS).join(', '))}, version)
      VALUES (${id}, ${joinSql(Object.values(EXTRAS), ', ')}, 1)`);
  }
  const { app } = buildTestApp(database, { environment: { PUBLIC_URL, ...environment } });
  const read = (url: string, headers: Record<string, string> = {}) =>
    app.inject({ url: url.startsWith('/') ? url : `/user/${url}`, headers });
  return { app, read, reads: vi.spyOn(database, 'one') };
}

test('languages: without the setting there is one language, and nothing depends on the header', async () => {
  const urls = [FULL, UNREADY, BLOCKED, UNKNOWN, `${FULL}/contact.vcf`, 'a/b/c', '/login?lang=ta'];
  for (const languages of [null, '', 'en']) {
    const { read } = await openApp(languages === null ? {} : { LANGUAGES: languages });
    for (const url of urls) {
      const { headers, body } = await read(url, { 'accept-language': 'ta' });
      expect(String(headers.vary)).not.toMatch(/language/i);
      expect(headers).not.toHaveProperty('content-language');
      expect(body).not.toMatch(/hreflang|lang="(?!en")|[?&]lang=|[\u0B80-\u0BFF]/);
    }
  }
});

const LONG_HEADER = `ta${',ta;q=0.9'.repeat(30)}`;
const NEGOTIATIONS = [
  // Each line has the URL, Accept-Language, the language, and whether it is negotiated.
  [FULL, '', 'en', true],
  [FULL, 'ta-IN,en;q=0.8', 'ta', true],
  [FULL, 'ta-IN,en', 'ta', true],
  [FULL, 'fr, UR-Arab-PK;q=0.3, en;q=0.2', 'ur', true],
  [FULL, 'hi;q=0, *;q=0.1', 'en', true],
  [FULL, 'hi;q=0.2, ta;q=0.7', 'ta', true],
  [FULL, 'x;;=,,,ta', 'ta', true],
  [FULL, LONG_HEADER, 'en', true],
  [FULL, 'tam', 'en', true],
  [`${FULL}?lang=ur`, 'ta', 'ur', false],
  [`${FULL}?lang=en`, 'ta', 'en', false],
  [`${FULL}?lang=xx`, 'ta', 'ta', true],
  [`${FULL}?lang=ur&lang=ta`, 'hi', 'hi', true],
  [UNREADY, 'hi', 'hi', true],
  [UNKNOWN, 'hi', 'hi', true],
  [BLOCKED, 'hi', 'hi', true],
  [`${BLOCKED}?lang=ta`, 'hi', 'ta', false],
  ['no-id', 'ur', 'ur', true],
  ['a/b/c', 'ur', 'ur', true],
  ['a/b/c?lang=ur', 'ta', 'ur', false],
  ['/login', 'ta', 'ta', true],
  ['/?lang=hi', 'ta', 'hi', false],
] as const;

test('language: is that of the address, else the one that the browser prefers', async () => {
  const { read } = await openApp({ LANGUAGES: 'hi,ta,ur' });
  for (const [url, accepted, language, isNegotiated] of NEGOTIATIONS) {
    const { headers, body } = await read(url, { 'accept-language': accepted });
    expect([url, accepted, headers['content-language']]).toEqual([url, accepted, language]);
    expect(/accept-language/.test(String(headers.vary))).toBe(isNegotiated);
    const direction = language === 'ur' ? 'rtl' : 'ltr';
    expect(body).toContain(`<html lang="${language}" dir="${direction}">`);
  }
});

test('language: each has an ETag and its 304, and no visitor makes the cache keep another’s, or the card of before a save', async () => {
  const { app, read, reads } = await openApp({ LANGUAGES: ALL });
  const readIn = (language: string, tag = '') =>
    read(FULL, { 'accept-language': language, 'if-none-match': tag });
  const tags = new Map<string, string>();
  for (const language of ['en', ...TRANSLATION_LANGUAGES]) {
    const { headers } = await readIn(language);
    tags.set(language, String(headers.etag));
  }
  expect(new Set(tags.values()).size).toBe(tags.size);
  const vary = 'accept-encoding, accept-language';
  for (const [language, tag] of tags) {
    const headers = { 'content-language': language, vary };
    expect(await readIn(language, tag)).toMatchObject({ statusCode: 304, headers });
  }
  expect((await readIn('ta', tags.get('hi'))).statusCode).toBe(200);

  const hostile = ['ta', 'ta,hi', LONG_HEADER, 'ta /user/x', '', 'ur;q=9', '*', 'HI', 'en;q=0,ta'];
  for (const accepted of hostile) {
    for (const query of ['', '?lang=ur', '?lang=zz', '?lang=hi%20', '?lang[]=ta', '?lang'])
      await read(`${FULL}${query}`, { 'accept-language': accepted });
  }
  for (const language of ['en', ...TRANSLATION_LANGUAGES]) {
    const named = await read(`${FULL}?lang=${language}`, { 'accept-language': 'ta' });
    for (const { headers } of [await readIn(language), named])
      expect(headers['content-language']).toBe(language);
  }
  expect(reads.mock.calls.length).toBeLessThanOrEqual(2 * (TRANSLATION_LANGUAGES.length + 1));
  // A save changes the card in every language at once.
  app.responses.drop(FULL);
  reads.mockClear();
  await readIn('ta');
  await read(`${FULL}?lang=hi`);
  expect(reads).toHaveBeenCalledTimes(2);
});

/** Returns what a visitor reads or hears: the text, and the attributes with text. */
function readableText(html: string): string {
  const parts = html
    .replace(/<(style|script)[^>]*>.*?<\/\1>/gs, '')
    .matchAll(
      /(?<=>)[^<>]+(?=<)|(?:aria-label|alt|title|data-(?:incomplete|sent|failed|connecting|copied))="([^"]*)"|<meta (?:name|property)="(?:description|og:description|og:image:alt|og:title)" content="([^"]*)"/g,
    );
  return [...parts].map((part) => part[2] ?? part[1] ?? part[0]).join('\n');
}

test('language: no English is left', async () => {
  const views = { VIEWS: 'analytics', CARD_EXTRAS: 'all' };
  const { read } = await openApp({ LANGUAGES: ALL, ...views });
  const { name, designation, companyName, bio, phone, email } = FULL_CARD;
  const company = companyName.replace('&', '&amp;');
  const written = [designation, ...bio.split('\n'), company, company.slice(0, 24), phone, name];
  written.push(email, email.slice(0, 20), 'Asha', 'AR', ...Object.values(EXTRAS));
  written.push('Unexpected Application Error!');
  for (const language of TRANSLATION_LANGUAGES) {
    for (const url of [FULL, UNNAMED, UNREADY, BLOCKED, UNKNOWN, 'a/b/c']) {
      const { body } = await read(`${url}?lang=${language}`);
      const left = latinLines(readableText(body), written);
      expect([language, url, left]).toEqual([language, url, []]);
    }
  }
});

test('language: the menu links every language in its own name, and the address keeps it', async () => {
  const { read } = await openApp({ LANGUAGES: 'ta,ur', APP_URL: `${PUBLIC_URL}/login` });
  const { body } = await read(`${FULL}?lang=ta`);
  expect(body).toContain(
    'தமிழ்</summary><div>' +
      '<a href="?lang=en" lang="en">English</a>' +
      '<a href="?lang=ta" lang="ta" aria-current="true">தமிழ்</a>' +
      '<a href="?lang=ur" lang="ur">اردو</a></div></details></nav>',
  );
  expect(body).toContain('href="/login?lang=ta"');
  expect(body).toContain('data-send="/api/profile/addContact?lang=ta"');
  expect((await read('a/b/c?lang=ta')).body).toContain('<a href="/?lang=ta">');
});

test('language: the calls of a card answer in it, those of other pages in English, and the policies say that they are', async () => {
  const { app, read } = await openApp({ LANGUAGES: 'hi' });
  const payload = { userID: UNKNOWN, contact: { name: 'Ravi', mobile: '9845012345' } };
  const english = 'User does not exist';
  const messages = { '?lang=hi': 'ऐसा कोई यूज़र नहीं है', '?lang=ta': english, '': english };
  const headers = { 'accept-language': 'hi' };
  for (const [query, message] of Object.entries(messages)) {
    const url = `/api/profile/addContact${query}`;
    const answer = await app.inject({ method: 'POST', url, headers, payload });
    expect(answer.json()).toMatchObject({ message });
  }
  const note = 'The policies are in English only.';
  const terms = await read('/terms_conditions?lang=hi');
  expect(terms.body).toContain(note);
  expect(terms.headers).not.toHaveProperty('content-language');
  const plain = await openApp();
  expect((await plain.read('/terms_conditions?lang=hi')).body).not.toContain(note);
});
