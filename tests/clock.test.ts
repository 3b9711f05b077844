import { expect, test } from 'vitest';

import { DAY_MS } from '#domain/duration.ts';

import { saveByApi, signInByToken, useTestApp } from './support/app.ts';
import { onEachDatabase } from './support/database.ts';

const AHEAD_MS = 30 * DAY_MS;

// Times that a wrong clock stored are invalid after its correction (docs/develop/security.md#limits).
onEachDatabase((open) => {
  const { testApp } = useTestApp(open);

  test('clock set back: twenty sessions from the future do not end a valid one', async () => {
    testApp.clock.advance(AHEAD_MS);
    for (let n = 0; n < 20; n += 1) await signInByToken(testApp);
    testApp.clock.advance(-AHEAD_MS);
    for (const session of [await signInByToken(testApp), await signInByToken(testApp)])
      expect((await saveByApi(testApp, session, {})).statusCode).toBe(200);
  });
});
