import { expect, test } from '#tests/support/browser-test.ts';
import { signInOwner } from '#tests/support/owner.ts';

for (const path of ['/dashboard', '/dashboard/edit', '/ftue']) {
  test(`loading: a full load of ${path} shows an indicator until its script arrives`, async ({
    page,
    server,
    phone,
  }) => {
    await signInOwner({ page, server, phone });
    await page.route('**/assets/main-*.js', () => undefined);
    await page.goto(path, { waitUntil: 'commit' });
    await expect(page.getByRole('status').filter({ hasText: /loading/i })).toHaveCount(1);
  });
}
