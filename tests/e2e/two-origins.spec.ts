import {
  collectAlerts,
  expect,
  onboard,
  readSession,
  signIn,
  test as base,
} from '#tests/support/browser-test.ts';
import { FULL_CARD, createOwner, sendRequest } from '#tests/support/owner.ts';
import { freePort } from '#tests/support/port.ts';
import { startServer } from '#tests/support/server.ts';
import type { RunningServer } from '#tests/support/server.ts';

/** The pages are on localhost, the calls on 127.0.0.1. */
async function startTwoOrigins(isPermitted: boolean): Promise<RunningServer> {
  const port = await freePort();
  const api = `http://127.0.0.1:${port}/api`;
  return startServer({
    PORT: String(port),
    API_BASE_URL: api,
    SERVER_BASE_URL: api,
    ...(isPermitted ? { CORS_ORIGINS: `http://localhost:${port}` } : {}),
  });
}

const test = base.extend<object, { server: RunningServer }>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- the runner reads the names of this parameter
    async ({}, use) => {
      const server = await startTwoOrigins(true);
      await use(server);
      await server.dispose();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

test('two origins: an owner signs in, and a save keeps what was saved elsewhere meanwhile', async ({
  page,
  server,
  phone,
  expectErrors,
}) => {
  expectErrors(/answered 412/);
  const alerts = collectAlerts(page);
  await signIn(page, server, phone);
  await onboard(page);
  const { _id, sessionToken } = await readSession(page);
  await page.goto(`${server.origin}/dashboard/edit`);
  await page.getByRole('textbox', { name: 'About' }).fill('Hello');
  await sendRequest(server, `/user/updateUser/${_id}`, {
    body: { designation: 'Partner' },
    token: sessionToken,
  });
  await page.getByRole('button', { name: 'Update Changes' }).first().click();
  await expect.poll(() => alerts).toEqual(['Data updated successfully']);
  const saved = { designation: 'Partner', bio: 'Hello' };
  expect(await sendRequest(server, `/user/${_id}`)).toMatchObject(saved);
});

for (const isPermitted of [true, false]) {
  test(`two origins: a visitor's details ${isPermitted ? 'arrive' : 'do not arrive without CORS_ORIGINS'}`, async ({
    page,
    phone,
    server: permitted,
    expectErrors,
  }) => {
    if (!isPermitted) expectErrors(/blocked by CORS policy/);
    const server = isPermitted ? permitted : await startTwoOrigins(false);
    const owner = await createOwner(server, phone, FULL_CARD);
    const alerts = collectAlerts(page);
    await page.goto(`${server.origin}/user/${owner._id}`);
    await page.getByRole('button', { name: 'Connect' }).click();
    const popup = page.getByRole('dialog', { name: 'Connect' });
    await popup.getByRole('textbox', { name: 'Name' }).fill('Ravi');
    await popup.getByRole('textbox', { name: 'Email' }).fill('ravi@example.com');
    await popup.getByRole('button', { name: 'Connect' }).click();
    await expect.poll(() => alerts).toHaveLength(1);
    const { sessionToken: token } = owner;
    const contacts = await sendRequest(server, `/profile/getContacts/${owner._id}`, { token });
    expect(contacts).toHaveLength(isPermitted ? 1 : 0);
    if (!isPermitted) await server.dispose();
  });
}
