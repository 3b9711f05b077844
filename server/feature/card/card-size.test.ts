import { build } from 'vite';
import { expect, test } from 'vitest';

import { TRANSLATIONS } from '#domain/language/language.ts';
import { LEAD_SENT } from '#domain/lead.ts';
import {
  CARD_SCRIPTS,
  TEST_PAGES,
  buildTestApp,
  saveByApi,
  signInByApi,
} from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import { FULL_CARD } from '#tests/support/owner.ts';

/** The initial TCP congestion window: 10 segments of about 1,460 bytes (RFC 6928). */
const INITIAL_WINDOW_BYTES = 14 * 1024;
/** docs/design.md#budget; counting has the beacon of the Analytics view. */
const SCRIPT_SIZES_BYTES_MAX = { card: 2300, counting: 2450 };
/** What LANGUAGES adds to a card in brotli: the row and the attributes, and letters of three bytes. */
const LANGUAGE_SIZES_BYTES_MAX = { english: 700, translated: 1600 };

/** Returns the script of the public card as it is served: as scripts/build.mjs builds it. */
async function buildCardScript(countsVisits: boolean, hasLanguages = false): Promise<string> {
  const built = await build({
    define: { COUNTS_VISITS: String(countsVisits), HAS_LANGUAGES: String(hasLanguages) },
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2020',
      modulePreload: false,
      rolldownOptions: { input: 'web/feature/card/main.ts', output: { format: 'iife' } },
    },
  });
  const [output] = [built].flat();
  if (!output || !('output' in output)) throw new Error('Nothing was built.');
  return output.output[0].code;
}

const script = await buildCardScript(false);
const translatedScript = await buildCardScript(false, true);

test('card script: is at most 2,300 bytes uncompressed, and 2,450 with the beacon, also without texts of its own', async () => {
  expect(Buffer.byteLength(script)).toBeLessThanOrEqual(SCRIPT_SIZES_BYTES_MAX.card);
  expect(script).not.toContain('sendBeacon');
  for (const hasLanguages of [false, true]) {
    const counting = await buildCardScript(true, hasLanguages);
    expect(Buffer.byteLength(counting)).toBeLessThanOrEqual(SCRIPT_SIZES_BYTES_MAX.counting);
    const includes = ['sendBeacon', LEAD_SENT].map((text) => counting.includes(text));
    expect(includes).toEqual([true, !hasLanguages]);
  }
});

/** Returns a function that measures a full card: its body, and the whole response, in bytes. */
async function openCard(environment: Record<string, string> = {}) {
  const cardScripts = { ...CARD_SCRIPTS, card: script, 'card-translated': translatedScript };
  const scripts = { cardScripts, loginScript: '', workerScript: '' };
  const web = { ...TEST_PAGES, ...scripts, assets: new Map() };
  const { database } = await openTestSqlite();
  const testApp = buildTestApp(database, { environment, dependencies: { web } });
  const owner = await signInByApi(testApp);
  await saveByApi(testApp, owner, { ...FULL_CARD, bio: BIO });
  return async (encoding: string, query = '') => {
    const url = `/user/${owner._id}${query}`;
    const answer = await testApp.app.inject({ url, headers: { 'accept-encoding': encoding } });
    const head = Object.entries(answer.headers).map(
      ([name, value]) => `${name}: ${String(value)}\r\n`,
    );
    const body = answer.rawPayload.length;
    return { body, response: body + Buffer.byteLength(head.join('')) };
  };
}

test('card page: a full card with its headers fits the initial TCP window, and LANGUAGES adds less than 700 bytes, and 900 for the letters of another script', async () => {
  const measure = await openCard();
  const plain = await measure('br');
  for (const { response } of [plain, await measure('gzip')])
    expect(response).toBeLessThanOrEqual(INITIAL_WINDOW_BYTES);
  const measureTranslated = await openCard({ LANGUAGES: TRANSLATIONS.join() });
  for (const language of ['en', ...TRANSLATIONS]) {
    const { body } = await measureTranslated('br', `?lang=${language}`);
    const most = LANGUAGE_SIZES_BYTES_MAX[language === 'en' ? 'english' : 'translated'];
    expect(body - plain.body, language).toBeLessThan(most);
  }
});

const BIO = `I design public transport: maps, signs and the small words between two platforms. Fourteen
years with three city metros, now helping Indian cities make their buses as easy to read as a book.

Ask me about type in five scripts, about colour for tired eyes, and about tea.`;
