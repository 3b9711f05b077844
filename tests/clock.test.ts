import { beforeEach, expect, test } from 'vitest';

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
  beforeEach(async () => {
    await testApp.app.ready();
  });

  const post = async (url: string, payload: object) =>
    testApp.app.inject({ method: 'POST', url, payload });
  const sendCode = () => post('/api/otp/send', { appId: 'tessera', phone: PHONE });
  const useSession = async ({ _id, sessionToken }: { _id: string; sessionToken: string }) => {
    const url = `/api/profile/getContacts/${_id}`;
    return (await testApp.app.inject({ url, headers: { authorization: sessionToken } })).statusCode;
  };

  test('clock set back: limits on reads and contacts are reset', async () => {
    const { _id } = await signInByApi(testApp);
    testApp.clock.advance(AHEAD_MS);
    const readCard = async () => (await testApp.app.inject(`/api/user/${_id}`)).statusCode;
    for (let n = 0; n < CARD_READS_MAX; n += 1) await readCard();
    const addContact = async (n: number) => {
      const contact = { name: `Ravi ${n}`, mobile: '1', email: '', companyName: '' };
      return (await post('/api/profile/addContact', { userID: _id, contact })).statusCode;
    };
    for (let n = 0; n < CONTACTS_MAX; n += 1) await addContact(n);
    expect([await readCard(), await addContact(CONTACTS_MAX)]).toEqual([429, 429]);
    testApp.clock.advance(-AHEAD_MS);
    expect([await readCard(), await addContact(CONTACTS_MAX)]).toEqual([200, 200]);
  });

  test('clock set back: the limits on one-time codes are reset', async () => {
    testApp.clock.advance(AHEAD_MS);
    const statuses = [];
    for (let n = 0; n < 6; n += 1) {
      statuses.push((await sendCode()).statusCode);
      testApp.clock.advance(MINUTE_MS);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429, 429]);
    testApp.clock.advance(-AHEAD_MS);
    expect((await sendCode()).statusCode).toBe(200);
  });

  test('clock set back: twenty sessions from the future do not end a valid one', async () => {
    testApp.clock.advance(AHEAD_MS);
    const signIn = () => signInByToken(testApp, PHONE);
    for (let n = 0; n < 20; n += 1) await signIn();
    testApp.clock.advance(-AHEAD_MS);
    const [first, second] = [await signIn(), await signIn()];
    expect([await useSession(first), await useSession(second)]).toEqual([200, 200]);
  });
});
