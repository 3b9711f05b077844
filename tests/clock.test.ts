import { expect, test } from 'vitest';

import { DAY_MS, MINUTE_MS } from '#domain/duration.ts';

import { saveByApi, signInByToken, useOwner, useTestApp } from './support/app.ts';
import { onEachDatabase } from './support/database.ts';

/** How far the clock was ahead. */
const AHEAD_MS = 30 * DAY_MS;

// Times that a wrong clock stored are invalid after its correction (docs/security.md#limits).
onEachDatabase((open) => {
  const { testApp } = useTestApp(open, { environment: { LIMIT_CONTACTS_PER_HOUR: '30' } });
  const owner = useOwner(testApp);

  test('clock set back: the limits on codes, reads and contacts are reset', async () => {
    const payload = { appId: 'tessera', phone: '+919876543211' };
    let contacts = 0;
    const calls = [
      () => testApp.app.inject({ method: 'POST', url: '/api/otp/send', payload }),
      owner.card,
      () => owner.addContact({ name: `Ravi ${(contacts += 1)}`, mobile: '1' }),
    ] as const;
    const statuses = async () => {
      const found = [];
      for (const call of calls) found.push((await call()).statusCode);
      return found;
    };
    testApp.clock.advance(AHEAD_MS);
    for (const [index, most] of [3, 600, 30].entries())
      for (let n = 0; n < most; n += 1) {
        expect((await calls[index]?.())?.statusCode).toBe(200);
        if (index === 0) testApp.clock.advance(MINUTE_MS);
      }
    expect(await statuses()).toEqual([429, 429, 429]);
    testApp.clock.advance(-AHEAD_MS);
    expect(await statuses()).toEqual([200, 200, 200]);
  });

  test('clock set back: twenty sessions from the future do not end a valid one', async () => {
    testApp.clock.advance(AHEAD_MS);
    for (let n = 0; n < 20; n += 1) await signInByToken(testApp);
    testApp.clock.advance(-AHEAD_MS);
    for (const session of [await signInByToken(testApp), await signInByToken(testApp)])
      expect((await saveByApi(testApp, session, {})).statusCode).toBe(200);
  });
});
