import {
  collectAlerts,
  expect,
  leaveDetails,
  onboard,
  readSession,
  signIn,
  test as base,
} from '#tests/support/browser-test.ts';
import { sendRequest } from '#tests/support/owner.ts';
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

const test = base.extend<{ isPermitted: boolean }>({
  isPermitted: [true, { option: true }],
  server: async ({ isPermitted }, use) => {
    const server = await startTwoOrigins(isPermitted);
    await use(server);
    await server.dispose();
  },
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
  test.describe(() => {
    test.use({ isPermitted });

    test(`two origins: a visitor's details ${isPermitted ? 'arrive' : 'do not arrive without CORS_ORIGINS'}`, async ({
      page,
      owner,
      server,
      expectErrors,
    }) => {
      if (!isPermitted) expectErrors(/blocked by CORS policy/);
      const alerts = collectAlerts(page);
      await page.goto(`/user/${owner._id}`);
      await leaveDetails(page);
      await expect.poll(() => alerts).toHaveLength(1);
      const { _id, sessionToken: token } = owner;
      const contacts = await sendRequest(server, `/profile/getContacts/${_id}`, { token });
      expect(contacts).toHaveLength(isPermitted ? 1 : 0);
    });
  });
}
