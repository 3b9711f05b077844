import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { expect, test } from 'vitest';

import { TRANSLATION_LANGUAGES } from '#domain/language/language.ts';
import { VIEWS } from '#domain/page.ts';

import { closeAtEnd } from './support/folder.ts';
import { FULL_CARD, FULL_EXTRAS, createOwner, saveUpi, sendRequest } from './support/owner.ts';
import { DIST, startServer } from './support/server.ts';

const PHONE = '9876543210';

/** The initial TCP congestion window: 10 segments of about 1,460 bytes (RFC 6928). */
const INITIAL_WINDOW_BYTES = 14 * 1024;
const CARD_BYTES_MAX = 10_240;
const FULL_CARD_BYTES_MAX = 11_300;
const SCRIPT_BYTES_MAX = 2900;
/** What LANGUAGES adds to it: the row and the attributes, and letters of three bytes. */
const LANGUAGE_BYTES_MAX = { english: 700, translated: 1600 };

const BIO = `I design public transport: maps, signs and the small words between two platforms. Fourteen
years with three city metros, now helping Indian cities make their buses as easy to read as a book.

Ask me about type in five scripts, about colour for tired eyes, and about tea.`;

async function openCard(environment: Record<string, string>) {
  const PUBLIC_URL = 'https://cards.example';
  const server = await startServer({ ...environment, PUBLIC_URL, VIEWS: VIEWS.join() });
  closeAtEnd(server.dispose);
  const owner = await createOwner(server, PHONE, { ...FULL_CARD, bio: BIO });
  const { _id } = owner;
  if (environment['CARD_EXTRAS']) {
    const call = { body: FULL_EXTRAS, token: owner.sessionToken };
    await sendRequest(server, `/user/${_id}/extras`, call);
    await saveUpi(server, owner, { phone: PHONE, upi: 'asha.rao@okaxis' });
  }
  return async (encoding: string, query = '') => {
    const headers = { 'accept-encoding': encoding };
    const sent = get(`${server.origin}/user/${_id}${query}`, { headers });
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const body = await buffer(response);
    return { body, bytes: body.length + response.rawHeaders.join(': \r\n').length };
  };
}

test('card page: has at most 10,240 bytes in brotli, 11,300 with all extras, and fits the initial TCP window with its headers', async () => {
  const read = await openCard({});
  const { body, bytes } = await read('br');
  expect(body.length).toBeLessThanOrEqual(CARD_BYTES_MAX);
  for (const response of [bytes, (await read('gzip')).bytes])
    expect(response).toBeLessThanOrEqual(INITIAL_WINDOW_BYTES);
  const readFull = await openCard({ CARD_EXTRAS: 'all' });
  const full = await readFull('br');
  expect(full.body.length).toBeLessThanOrEqual(FULL_CARD_BYTES_MAX);
  expect(full.bytes).toBeLessThanOrEqual(INITIAL_WINDOW_BYTES);
  const readTranslated = await openCard({ LANGUAGES: TRANSLATION_LANGUAGES.join() });
  for (const language of ['en', ...TRANSLATION_LANGUAGES]) {
    const translated = await readTranslated('br', `?lang=${language}`);
    const most = LANGUAGE_BYTES_MAX[language === 'en' ? 'english' : 'translated'];
    expect(translated.body.length - body.length, language).toBeLessThan(most);
  }
});

test('card script: is one file of at most 2,900 bytes, and has the receipt only where it is given', () => {
  const [plain, withReceipt] = ['card.js', 'card-receipt.js'].map((name) =>
    readFileSync(join(DIST, '../web', name), 'utf8'),
  );
  expect(withReceipt?.length).toBeLessThanOrEqual(SCRIPT_BYTES_MAX);
  expect([withReceipt?.includes('receipt'), plain?.includes('receipt')]).toEqual([true, false]);
});

test('card page: its source is what a person would write', async () => {
  const read = await openCard({});
  const html = String((await read('identity')).body);
  expect(html).toMatch(/^<!doctype html><html lang="en">.*<\/body><\/html>$/s);
  const markup = html.replaceAll(/<(style|script)[^>]*>.*?<\/\1>/gs, '');
  const unquoted = /<[^>]*?\s[\w-]+=[^"][^>]*>/.exec(markup.replaceAll(/"[^"]*"/g, '""'));
  expect(unquoted).toBe(null);
  const classes = [...markup.matchAll(/ class="([^"]*)"/g)].flatMap(([, list = '']) =>
    list.split(' '),
  );
  expect(classes.length).toBeGreaterThan(50);
  expect(classes.filter((name) => !/^[a-z]{4,}(-[a-z0-9]+)*$/.test(name))).toEqual([]);
});
