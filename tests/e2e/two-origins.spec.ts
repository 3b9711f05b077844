import { expect, test as base } from '#tests/support/browser-test.ts';
import { freePort } from '#tests/support/port.ts';
import { startServer } from '#tests/support/server.ts';
import * as ui from '#tests/support/ui.ts';

/** The pages are on localhost, the calls on 127.0.0.1. */
const test = base.extend<{ isPermitted: boolean }>({
  isPermitted: [true, { option: true }],
  server: async ({ isPermitted }, use) => {
    const port = String(await freePort());
    const api = `http://127.0.0.1:${port}/api`;
    const server = await startServer({
      PORT: port,
      API_BASE_URL: api,
      SERVER_BASE_URL: api,
      ...(isPermitted ? { CORS_ORIGINS: `http://localhost:${port}` } : {}),
    });
    await use(server);
    await server.dispose();
  },
});

for (const [calls, isPermitted] of [
  ['arrive', true],
  ['need CORS_ORIGINS', false],
] as const) {
  test.describe(() => {
    test.use({ isPermitted });

    test(`two origins: calls ${calls}`, async ({ page, owner, server, phone, call }) => {
      if (!isPermitted) ui.expectErrors(page, /blocked by CORS policy/);
      const alerts = ui.collectAlerts(page);
      await page.goto(`/user/${owner._id}`);
      await ui.leaveDetails(page);
      await expect.poll(() => alerts).toHaveLength(1);
      const contacts = await call('/profile/getContacts/:id');
      expect(contacts).toHaveLength(isPermitted ? 1 : 0);
      if (!isPermitted) return;
      await ui.signIn(page, server, `97${phone.slice(2)}`);
      await expect(ui.textbox(page, 'Name')).toBeVisible();
    });
  });
}
