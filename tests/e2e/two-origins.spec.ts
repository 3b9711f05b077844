import { expect, test as base } from '#tests/support/browser-test.ts';
import { freePort } from '#tests/support/port.ts';
import * as ui from '#tests/support/ui.ts';

/** The pages are on localhost, the calls on 127.0.0.1. */
const test = base.extend({
  server: async ({ serve }, use) => {
    const port = String(await freePort());
    const CORS_ORIGINS = `http://localhost:${port}`;
    const api = `http://127.0.0.1:${port}/api`;
    const addresses = { PORT: port, API_BASE_URL: api, SERVER_BASE_URL: api, CORS_ORIGINS };
    await use(await serve(addresses));
  },
});

test('two origins: calls arrive', async ({ page, owner, server, phone, call }) => {
  const alerts = ui.collectAlerts(page);
  await page.goto(`/user/${owner._id}`);
  await ui.leaveDetails(page);
  await expect.poll(() => alerts).toHaveLength(1);
  expect(await call('/profile/getContacts/:id')).toHaveLength(1);
  await ui.signIn(page, server, `97${phone.slice(2)}`);
  await expect(ui.textbox(page, 'Name')).toBeVisible();
});
