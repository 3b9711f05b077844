import { expect, ownerTest, test as base } from '#tests/support/browser-test.ts';
import { freePort } from '#tests/support/port.ts';
import * as ui from '#tests/support/ui.ts';

/** The pages are on localhost, the calls on 127.0.0.1. */
async function twoOrigins() {
  const port = String(await freePort());
  const api = `http://127.0.0.1:${port}/api`;
  const pages = `http://localhost:${port}`;
  return { PORT: port, API_BASE_URL: api, SERVER_BASE_URL: api, CORS_ORIGINS: pages };
}
const test = base.extend({
  server: async ({ serve }, use) => use(await serve(await twoOrigins())),
});
const signedInTest = ownerTest.extend({
  server: async ({ serve }, use) => use(await serve(await twoOrigins())),
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

signedInTest(
  'two origins: what needs a cookie is not offered, and an owner sees the chosen look',
  async ({ page, call }) => {
    await page.goto('/dashboard');
    await expect(ui.button(page, 'Download for print')).toBeVisible();
    await expect(ui.button(page, 'Start a table')).toHaveCount(0);
    await page.goto('/dashboard/table');
    await ui.expectTexts(page, "Tables aren't available on this service.");
    await call('/user/:id/appearance', { palette: 'own', hue: 200, swatch: null });
    const read = page.waitForResponse((response) => response.url().endsWith('/appearance'));
    await page.goto('/dashboard');
    const header = await (await read).headerValue('access-control-expose-headers');
    expect(header).toContain('X-Look-Chosen');
  },
);
