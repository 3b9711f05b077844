import { expect, test } from 'vitest';

import { DAY_MS, MINUTE_MS } from '#domain/duration.ts';

import { signInByApi, signInByToken, useTestApp } from './support/app.ts';
import { onEachDatabase } from './support/database.ts';

/** How far the clock was ahead. */
const AHEAD_MS = 30 * DAY_MS;
const PHONE = '+919876543210';
const CARD_READS_MAX = 600;
const CONTACTS_MAX = 30;

// Times that a wrong clock stored are invalid after its correction (docs/security.md#limits).
onEachDatabase((open) => {
  const { testApp } = useTestApp(open, {
    environment: { LIMIT_CONTACTS_PER_HOUR: String(CONTACTS_MAX) },
  });

  const post = async (url: string, payload: object) =>
    (await testApp.app.inject({ method: 'POST', url, payload })).statusCode;
  const sendCode = () => post('/api/otp/send', { appId: 'tessera', phone: PHONE });

  test('clock set back: limits on reads and contacts are reset', async () => {
    const { _id } = await signInByApi(testApp);
    testApp.clock.advance(AHEAD_MS);
    const readCard = async () => (await testApp.app.inject(`/api/user/${_id}`)).statusCode;
    for (let n = 0; n < CARD_READS_MAX; n += 1) await readCard();
    const addContact = (n: number) =>
      post('/api/profile/addContact', { userID: _id, contact: { name: `Ravi ${n}`, mobile: '1' } });
    for (let n = 0; n < CONTACTS_MAX; n += 1) await addContact(n);
    expect([await readCard(), await addContact(CONTACTS_MAX)]).toEqual([429, 429]);
    testApp.clock.advance(-AHEAD_MS);
    expect([await readCard(), await addContact(CONTACTS_MAX)]).toEqual([200, 200]);
  });

  test('clock set back: the limits on one-time codes are reset', async () => {
    testApp.clock.advance(AHEAD_MS);
    const statuses = [];
    for (let n = 0; n < 6; n += 1) {
      statuses.push(await sendCode());
      testApp.clock.advance(MINUTE_MS);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429, 429]);
    testApp.clock.advance(-AHEAD_MS);
    expect(await sendCode()).toBe(200);
  });

  test('clock set back: twenty sessions from the future do not end a valid one', async () => {
    testApp.clock.advance(AHEAD_MS);
    const signIn = () => signInByToken(testApp, PHONE);
    for (let n = 0; n < 20; n += 1) await signIn();
    testApp.clock.advance(-AHEAD_MS);
    for (const { _id, sessionToken } of [await signIn(), await signIn()]) {
      const url = `/api/profile/getContacts/${_id}`;
      const response = await testApp.app.inject({ url, headers: { authorization: sessionToken } });
      expect(response.statusCode).toBe(200);
    }
  });
});
