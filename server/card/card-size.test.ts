import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { buildTestApp, signInByApi } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { FULL_CARD } from '#tests/support/owner.ts';

/** What a server may send before it must wait for a word from the client: the first TCP flight. */
const FIRST_FLIGHT_BYTES = 14 * 1024;
const SCRIPT_SIZE_BYTES_MAX = 1536;

let store: TestDatabase;
let script: string;

beforeAll(async () => {
  store = await openTestSqlite();
  script = await buildCardScript();
});

afterAll(() => store.dispose());

/** The visitor's script as it is served. */
async function buildCardScript(): Promise<string> {
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2020',
      modulePreload: false,
      rolldownOptions: { input: 'web/card/main.ts', output: { format: 'iife' } },
    },
  });
  const [output] = [built].flat();
  if (!output || !('output' in output)) throw new Error('Nothing was built.');
  return output.output[0].code;
}

test('the visitor’s script takes less than 1.5 KB before it is compressed', () => {
  expect(Buffer.byteLength(script)).toBeLessThan(SCRIPT_SIZE_BYTES_MAX);
});

test('a full card but for the photo fits the first flight, headers included', async () => {
  const context = buildTestApp(store.database, {
    dependencies: {
      web: { applicationPage: '', cardScript: script, loginScript: '', assets: new Map() },
    },
  });
  const owner = await signInByApi(context);
  await context.app.inject({
    method: 'POST',
    url: `/api/user/updateUser/${owner._id}`,
    headers: { authorization: owner.sessionToken },
    payload: { ...FULL_CARD, bio: BIO },
  });
  const sizes: Record<string, number> = {};
  for (const encoding of ['br', 'gzip']) {
    const answer = await context.app.inject({
      url: `/user/${owner._id}`,
      headers: { 'accept-encoding': encoding },
    });
    const head = Object.entries(answer.headers).map(
      ([name, value]) => `${name}: ${String(value)}\r\n`,
    );
    sizes[encoding] = answer.rawPayload.length + Buffer.byteLength(head.join(''));
  }
  await context.app.close();
  expect(Object.entries(sizes).filter(([, size]) => size > FIRST_FLIGHT_BYTES)).toEqual([]);
});

const BIO = `I design public transport: maps, signs and the small words between two platforms. Fourteen
years with three city metros, now helping Indian cities make their buses as easy to read as a book.

HttpClient me about type in five scripts, about colour for tired eyes, and about tea.`;
