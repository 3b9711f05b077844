import { expect, onboard, signIn, readSession, test } from '#tests/support/browser-test.ts';
import { startServer } from '#tests/support/server.ts';

test('restart: profile, session and contacts are unchanged', async ({ page, phone }) => {
  const before = await startServer();
  await signIn(page, before, phone);
  await onboard(page);
  const { _id, sessionToken } = await readSession(page);
  const profile: unknown = await (
    await page.request.get(`${before.origin}/api/user/${_id}`)
  ).json();
  await page.goto('about:blank');
  expect(await before.stop()).toBe(0);

  const after = await startServer({ DATA_DIR: before.dataDir });
  const response = await page.request.get(`${after.origin}/api/user/${_id}`);
  expect(await response.json()).toEqual(profile);
  const contacts = await page.request.get(`${after.origin}/api/profile/getContacts/${_id}`, {
    headers: { authorization: sessionToken },
  });
  expect([contacts.status(), await contacts.json()]).toEqual([200, []]);
  const card = await page.goto(`${after.origin}/user/${_id}`);
  expect(card?.status()).toBe(200);
  await after.dispose();
});
