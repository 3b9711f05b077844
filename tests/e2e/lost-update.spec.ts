import type { Page } from '@playwright/test';

import { addLink, collectAlerts, expect, onboard, test } from '#tests/support/browser-test.ts';
import { FULL_CARD, sendRequest, storeSession } from '#tests/support/owner.ts';

test.use({ card: { ...FULL_CARD, socialMediaHandles: {} } });

interface Save {
  readonly status: number;
  readonly hasVersion: boolean;
  readonly keys: readonly string[];
}

function collectSaves(page: Page): Save[] {
  const saves: Save[] = [];
  page.on('response', (response) => {
    const request = response.request();
    if (!request.url().includes('/updateUser/')) return;
    saves.push({
      status: response.status(),
      hasVersion: 'if-match' in request.headers(),
      keys: Object.keys(request.postDataJSON() as object).toSorted(),
    });
  });
  return saves;
}

const fill = (page: Page, name: string, value: string) =>
  page.getByRole('textbox', { name, exact: true }).fill(value);

async function editLink(page: Page, network: string, link: string): Promise<void> {
  await page.getByRole('button', { name: network, exact: true }).click();
  await addLink(page, link);
}

const update = (page: Page) => page.getByRole('button', { name: 'Update Changes' }).first().click();

test('lost updates: two browsers that edit one card keep each other’s changes', async ({
  page,
  server,
  owner,
  browser,
  expectErrors,
}) => {
  expectErrors(/answered 412/);
  const context = await browser.newContext();
  const first = await context.newPage();
  const saves = collectSaves(page);
  const alerts = [collectAlerts(first), collectAlerts(page)] as const;
  for (const each of [first, page]) {
    await storeSession(each, server, owner);
    await each.goto(`${server.origin}/dashboard/edit`);
    await each.getByRole('textbox', { name: 'Designation' }).waitFor();
  }
  await fill(first, 'Designation', 'Partner');
  await fill(first, 'Company', 'Rao and Menon');
  await editLink(first, 'LinkedIn', 'linkedin.com/in/rao');
  await fill(page, 'Company', 'Rao');
  await fill(page, 'About', 'Hello');
  await editLink(page, 'X', 'x.com/rao');

  await update(first);
  await expect.poll(() => alerts[0]).toEqual(['Data updated successfully']);
  await update(page);
  await expect.poll(() => alerts[1]).toEqual(['Data updated successfully']);
  await expect(page.getByText('Unsaved changes')).toHaveCount(0);
  const keys = [...Object.keys(FULL_CARD), '_id', 'profilePhoto'].toSorted();
  expect(saves).toEqual([
    { status: 412, hasVersion: true, keys },
    { status: 200, hasVersion: true, keys },
  ]);
  const merged = {
    designation: 'Partner',
    companyName: 'Rao',
    bio: 'Hello',
    socialMediaHandles: { LinkedIn: 'https://linkedin.com/in/rao', X: 'https://x.com/rao' },
  };
  expect(await sendRequest(server, `/user/${owner._id}`)).toMatchObject(merged);

  // The page shows the other browser's change, and its next save does not undo it.
  await expect(page.getByRole('textbox', { name: 'Designation' })).toHaveValue('Partner');
  await fill(page, 'Email', 'asha@rao.example');
  await update(page);
  await expect.poll(() => alerts[1]).toHaveLength(2);
  expect(saves.at(-1)).toEqual({ status: 200, hasVersion: true, keys });
  expect(await sendRequest(server, `/user/${owner._id}`)).toMatchObject({
    ...merged,
    email: 'asha@rao.example',
  });
  await context.close();
});

test('lost updates: onboarding keeps what was saved elsewhere meanwhile', async ({
  ownerPage: page,
  server,
  owner: { _id, sessionToken },
  expectErrors,
}) => {
  expectErrors(/answered 412/);
  await sendRequest(server, `/user/updateUser/${_id}`, { body: { name: '' }, token: sessionToken });
  await page.goto('/ftue');
  await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
  await sendRequest(server, `/user/updateUser/${_id}`, {
    body: { bio: 'Hello', phone: '080 2345 6789', name: 'Elsewhere' },
    token: sessionToken,
  });
  await onboard(page);
  expect(await sendRequest(server, `/user/${_id}`)).toMatchObject({
    name: 'Asha Rao',
    bio: 'Hello',
    phone: '080 2345 6789',
  });
});
