import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from '#tests/support/browser-test.ts';
import { createOwner, sendRequest, storeSession } from '#tests/support/owner.ts';

const PHONE = '9876512345';
const NEW_PHONE = '9876512346';
const LIST_NAMES = 'import sys, zipfile; print(*zipfile.ZipFile(sys.argv[1]).namelist())';
const NEWEST = '9876512347';
const CANARY = 'Asha Canary Rao';

test('account: from Edit Profile an owner logs out elsewhere, downloads everything, changes the login phone and deletes the account', async ({
  page,
  server,
  expectErrors,
}) => {
  expectErrors(
    /answered 400/,
    /answered 403/,
    /answered 409/,
    /did not get through/,
    /The download failed/,
  );
  const other = await createOwner(server, NEW_PHONE, { name: 'Ravi' });
  const owner = await createOwner(server, PHONE, { name: CANARY });
  await storeSession(page, server, owner);
  await page.goto(`${server.origin}/dashboard/edit`);
  await page.getByRole('link', { name: 'Account and data' }).click();
  await expect(page.getByRole('heading', { name: 'Account and data' })).toBeVisible();
  await expect(page.getByText('this device')).toBeVisible();

  await test.step('downloads everything', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download everything' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('account-data.zip');
    const names = execFileSync('python3', ['-c', LIST_NAMES, await download.path()]).toString();
    expect(names.trim().split(' ')).toEqual([
      'README.txt',
      'card.json',
      'card.vcf',
      'contacts.csv',
      'contacts.vcf',
      'sessions.json',
    ]);
    await expect(page.getByText('Your file is saved.')).toBeVisible();
    await page.route('**/api/account/downloadAccount/*', (route) => route.abort());
    await page.getByRole('link', { name: 'Download everything' }).click();
    await expect(page.getByText('The service cannot be reached.')).toBeVisible();
  });

  await test.step('a number with an account is rejected with a sentence', async () => {
    await page.getByRole('button', { name: 'Change login phone' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change login phone' });
    await dialog.getByRole('textbox', { name: 'Phone number' }).fill('nonsense');
    await dialog.getByRole('button', { name: 'Send code' }).click();
    await expect(dialog.getByText('This is not a complete phone number.')).toBeVisible();
    await page.route('**/api/otp/sendOwnerCode/*', (route) =>
      route.fulfill({
        json: { challenge: 'c', phone: '+919876512346', resendAfterSeconds: 30, lifeSeconds: 300 },
      }),
    );
    await page.route('**/api/otp/verify', (route) => route.fulfill({ json: { token: 't' } }));
    const taken = 'This number has an account already.';
    await page.route('**/api/account/changePhone/*', (route) =>
      route.fulfill({ status: 409, json: { error: 'phone_taken', message: taken } }),
    );
    await dialog.getByRole('textbox', { name: 'Phone number' }).fill(NEW_PHONE);
    await dialog.getByRole('button', { name: 'Send code' }).click();
    await dialog.getByRole('textbox', { name: 'Code' }).fill('123456');
    await dialog.getByRole('button', { name: 'Change' }).click();
    await expect(dialog.getByText(taken)).toBeVisible();
    // The code belongs to the phone that it was sent to.
    await dialog.getByRole('textbox', { name: 'Phone number' }).fill(NEWEST);
    await expect(dialog.getByText('Sent to')).toBeHidden();
    await dialog.getByRole('textbox', { name: 'Code' }).fill('123456');
    await dialog.getByRole('button', { name: 'Change' }).click();
    await expect(dialog.getByText('Send the code first.')).toBeVisible();
    await page.unrouteAll();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });

  await test.step('changes the login phone', async () => {
    await page.getByRole('button', { name: 'Change login phone' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change login phone' });
    await dialog.getByRole('textbox', { name: 'Phone number' }).fill(NEWEST);
    await dialog.getByRole('button', { name: 'Send code' }).click();
    await expect(dialog.getByText('Sent to')).toBeVisible();
    const code = await server.codeFor(`+91${NEWEST}`);
    await dialog.getByRole('textbox', { name: 'Code' }).fill(code);
    await dialog.getByRole('button', { name: 'Change' }).click();
    await expect(page.getByText('Your login phone is changed.')).toBeVisible();
    await expect(page.getByText('2347')).toBeVisible();
    expect(await sendRequest(server, `/user/${owner._id}`)).toMatchObject({ name: CANARY });
  });

  await test.step('logs out everywhere else', async () => {
    await page.route('**/api/account/getAccount/*', async (route) => {
      const response = await route.fetch();
      const json = (await response.json()) as { sessions: object[] };
      const second = { device: 'Safari on iOS', signedInAt: 'x', usedAt: 'x', isCurrent: false };
      await route.fulfill({ json: { ...json, sessions: [...json.sessions, second] } });
    });
    await page.reload();
    await expect(page.getByText('Safari on iOS')).toBeVisible();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Log out everywhere else' }).click();
    await expect(page.getByText('You are logged out everywhere else.')).toBeVisible();
    await expect(page.getByText('Safari on iOS')).toBeHidden();
    // If the list cannot be loaded again, the old one stays.
    await page.route('**/api/account/getAccount/*', (route) => route.abort());
    const failed = page.waitForEvent('requestfailed');
    await page.getByRole('button', { name: 'Log out everywhere else' }).click();
    await failed;
    await expect(page.getByText('You are logged out everywhere else.')).toBeVisible();
    await expect(page.getByText('this device')).toBeVisible();
    await page.unrouteAll();
  });

  await test.step('deletes the account', async () => {
    await page.getByRole('button', { name: 'Delete my account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete my account' });
    await expect(dialog.getByText('a link preview that a chat has kept')).toBeVisible();
    await dialog.getByRole('button', { name: 'Send code' }).click();
    await expect(dialog.getByText('Sent to •••• 2347.')).toBeVisible();
    await dialog.getByRole('textbox', { name: 'Code' }).fill('000000');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect(dialog.getByText('This code is not right.')).toBeVisible();
    await dialog.getByRole('textbox', { name: 'Code' }).fill(await server.codeFor(`+91${NEWEST}`));
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect(
      page.getByText(
        'Your account is deleted. We cannot reach a link preview that a chat has kept.',
      ),
    ).toBeVisible();
    expect(page.url()).toBe(`${server.origin}/`);
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
  });

  const response = await page.goto(`${server.origin}/user/${owner._id}`);
  expect(response?.status()).toBe(404);
  await expect(page.getByText('User does not exist')).toBeVisible();
  expect(await sendRequest(server, `/user/${other._id}`)).toMatchObject({ name: 'Ravi' });
  const files = ['tessera.sqlite', 'tessera.sqlite-wal'].map((name) =>
    readFileSync(join(server.dataDir, name), 'latin1'),
  );
  expect([CANARY, NEWEST, owner._id].filter((text) => files.join('').includes(text))).toEqual([]);
});
