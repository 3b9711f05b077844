import { expect, test } from '#tests/support/browser-test.ts';
import { FULL_CARD, createOwner, storeSession } from '#tests/support/owner.ts';

for (const path of ['/dashboard', '/dashboard/edit', '/ftue']) {
  test(`loading: a full load of ${path} shows an indicator until its chunk arrives`, async ({
    page,
    server,
    phone,
  }) => {
    await storeSession(page, server, await createOwner(server, phone, FULL_CARD));
    const html = await (await page.request.get(path)).text();
    // The page's own script and styles arrive; the chunks that it imports do not.
    await page.route(
      (url) => url.pathname.startsWith('/assets/') && !html.includes(url.pathname),
      () => undefined,
    );
    await page.goto(path, { waitUntil: 'commit' });
    await expect(page.getByRole('status').filter({ hasText: /loading/i })).toHaveCount(1);
  });
}
