import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { buildTestApp, signInByApi } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { FULL_CARD } from '#tests/support/owner.ts';

/** The initial TCP congestion window: 10 segments of about 1,460 bytes (RFC 6928). */
const INITIAL_WINDOW_BYTES = 14 * 1024;
/** docs/design.md#budget. */
const SCRIPT_SIZE_BYTES_MAX = 2300;
/** With the beacon of the Analytics view. */
const COUNTING_SCRIPT_SIZE_BYTES_MAX = 2450;

let testDatabase: TestDatabase;
let script: string;

beforeAll(async () => {
  testDatabase = await openTestSqlite();
  script = await buildCardScript(false);
});

afterAll(() => testDatabase.dispose());

/** Returns the script of the public card as it is served: as scripts/build.mjs builds it. */
async function buildCardScript(countsVisits: boolean): Promise<string> {
  const built = await build({
    define: { COUNTS_VISITS: String(countsVisits) },
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

test('card script: is at most 2,300 bytes uncompressed, and 2,450 with the beacon', async () => {
  expect(Buffer.byteLength(script)).toBeLessThanOrEqual(SCRIPT_SIZE_BYTES_MAX);
  expect(script).not.toContain('sendBeacon');
  const counting = await buildCardScript(true);
  expect(Buffer.byteLength(counting)).toBeLessThanOrEqual(COUNTING_SCRIPT_SIZE_BYTES_MAX);
  expect(counting).toContain('sendBeacon');
});

test('card page: a full card with its headers fits the initial TCP window', async () => {
  const testApp = buildTestApp(testDatabase.database, {
    dependencies: {
      web: {
        documents: [],
        style: '',
        cardScript: script,
        countingCardScript: '',
        loginScript: '',
        workerScript: '',
        assets: new Map(),
      },
    },
  });
  const owner = await signInByApi(testApp);
  await testApp.app.inject({
    method: 'POST',
    url: `/api/user/updateUser/${owner._id}`,
    headers: { authorization: owner.sessionToken },
    payload: { ...FULL_CARD, bio: BIO },
  });
  const sizes: Record<string, number> = {};
  for (const encoding of ['br', 'gzip']) {
    const response = await testApp.app.inject({
      url: `/user/${owner._id}`,
      headers: { 'accept-encoding': encoding },
    });
    const head = Object.entries(response.headers).map(
      ([name, value]) => `${name}: ${String(value)}\r\n`,
    );
    sizes[encoding] = response.rawPayload.length + Buffer.byteLength(head.join(''));
  }
  await testApp.app.close();
  expect(Object.entries(sizes).filter(([, size]) => size > INITIAL_WINDOW_BYTES)).toEqual([]);
});

const BIO = `I design public transport: maps, signs and the small words between two platforms. Fourteen
years with three city metros, now helping Indian cities make their buses as easy to read as a book.

Ask me about type in five scripts, about colour for tired eyes, and about tea.`;
