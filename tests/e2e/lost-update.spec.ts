import type { Page } from '@playwright/test';

import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import { FULL_CARD, storeSession } from '#tests/support/owner.ts';
import * as ui from '#tests/support/ui.ts';

test.use({ card: { ...FULL_CARD, socialMediaHandles: {} } });

async function edit(
  page: Page,
  texts: Record<string, string>,
  [network, handle]: readonly [string, string],
) {
  await ui.fill(page, texts);
  await ui.button(page, network).click();
  await ui.addLink(page, handle);
}

test('lost updates: two browsers edit one card', async ({ page, server, owner, call, browser }) => {
  ui.expectErrors(page, /answered 412/);
  const context = await browser.newContext({ baseURL: server.origin });
  const first = await context.newPage();
  const saves: unknown[] = [];
  page.on('response', (response) => {
    const request = response.request();
    if (!request.url().includes('/updateUser/')) return;
    const keys = Object.keys(request.postDataJSON() as object).toSorted();
    saves.push([response.status(), 'if-match' in request.headers(), keys]);
  });
  const alerts = [ui.collectAlerts(first), ui.collectAlerts(page)] as const;
  for (const each of [first, page]) {
    await storeSession(each, server, owner);
    await each.goto('/dashboard/edit');
    await ui.textbox(each, 'Designation').waitFor();
  }
  const partner = { Designation: 'Partner', Company: 'Rao and Menon' };
  await edit(first, partner, ['LinkedIn', 'linkedin.com/in/rao']);
  await edit(page, { Company: 'Rao', About: 'Hello' }, ['X', 'x.com/rao']);
  await ui.updateChanges(first);
  await expect.poll(() => alerts[0]).toEqual(['Data updated successfully']);
  await ui.updateChanges(page);
  await expect.poll(() => alerts[1]).toEqual(['Data updated successfully']);
  await expect(page.getByText('Unsaved changes')).toHaveCount(0);
  const keys = [...Object.keys(FULL_CARD), '_id', 'profilePhoto'].toSorted();
  expect(saves).toEqual([
    [412, true, keys],
    [200, true, keys],
  ]);
  const merged = {
    designation: 'Partner',
    companyName: 'Rao',
    bio: 'Hello',
    socialMediaHandles: { LinkedIn: 'https://linkedin.com/in/rao', X: 'https://x.com/rao' },
  };
  expect(await call('/user/:id')).toMatchObject(merged);

  // The page shows the other browser's change, and its next save does not undo it.
  await expect(ui.textbox(page, 'Designation')).toHaveValue('Partner');
  await ui.textbox(page, 'Email').fill('asha@rao.example');
  await ui.updateChanges(page);
  await expect.poll(() => alerts[1]).toHaveLength(2);
  expect(saves.at(-1)).toEqual([200, true, keys]);
  expect(await call('/user/:id')).toMatchObject({ ...merged, email: 'asha@rao.example' });
  await context.close();
});

test('lost updates: onboarding keeps what was saved elsewhere', async ({ page, call }) => {
  ui.expectErrors(page, /answered 412/);
  await call('/user/updateUser/:id', { name: '' });
  await page.goto('/ftue');
  await ui.textbox(page, 'Name').waitFor();
  const elsewhere = { bio: 'Hello', phone: '080 2345 6789' };
  await call('/user/updateUser/:id', { ...elsewhere, name: 'Elsewhere' });
  await ui.onboard(page);
  expect(await call('/user/:id')).toMatchObject({ ...elsewhere, name: 'Asha Rao' });
});
