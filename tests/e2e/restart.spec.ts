import { expect, test } from '#tests/support/browser-test.ts';
import { FULL_CARD, createOwner, sendRequest } from '#tests/support/owner.ts';
import { startServer } from '#tests/support/server.ts';

test('restart: profile, session and contacts are unchanged', async ({ page, phone }) => {
  const before = await startServer();
  const { _id, sessionToken } = await createOwner(before, phone, FULL_CARD);
  const profile: unknown = await sendRequest(before, `/user/${_id}`);
  const contact = { name: 'Ravi', mobile: '98450 12345' };
  await sendRequest(before, '/profile/addContact', { body: { userID: _id, contact } });
  expect(await before.stop()).toBe(0);

  const after = await startServer({ DATA_DIR: before.dataDir });
  expect(await sendRequest(after, `/user/${_id}`)).toEqual(profile);
  const contacts = await sendRequest(after, `/profile/getContacts/${_id}`, { token: sessionToken });
  expect(contacts).toMatchObject([contact]);
  const card = await page.goto(`${after.origin}/user/${_id}`);
  expect(card?.status()).toBe(200);
  await after.dispose();
});
