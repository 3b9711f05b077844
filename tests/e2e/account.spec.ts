import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Locator } from '@playwright/test';

import { expect, test } from '#tests/support/browser-test.ts';
import { createOwner, sendRequest, storeSession } from '#tests/support/owner.ts';

const PHONE = '9876512345';
const NEW_PHONE = '9876512346';
const LIST_NAMES = 'import sys, zipfile; print(*zipfile.ZipFile(sys.argv[1]).namelist())';
const NEWEST = '9876512347';
const THIRD = '9876512348';
const CANARY = 'Asha Canary Rao';

const codeOf = (group: Locator) => group.getByRole('textbox', { name: 'Code' });

async function send(group: Locator, text = 'Sent to'): Promise<void> {
  await group.getByRole('button', { name: 'Send code' }).click();
  await expect(group.getByText(text)).toBeVisible();
}

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
      'look.json',
      'contacts.csv',
      'contacts.vcf',
      'sessions.json',
    ]);
    await expect(page.getByText('Your file is saved.')).toBeVisible();
    await page.route('**/api/account/downloadAccount/*', (route) => route.abort());
    await page.getByRole('link', { name: 'Download everything' }).click();
    await expect(page.getByText('The service cannot be reached.')).toBeVisible();
  });

  const dialog = page.getByRole('dialog', { name: 'Change login phone' });
  const present = dialog.getByRole('group', { name: 'Present number' });
  const next = dialog.getByRole('group', { name: 'New number' });
  const newPhone = next.getByRole('textbox', { name: 'New phone number' });
  const change = dialog.getByRole('button', { name: 'Change' });
  let attempts = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/otp/verify')) attempts += 1;
  });

  await test.step('each number needs its code, and the code of the present one is verified once', async () => {
    await page.getByRole('button', { name: 'Change login phone' }).click();
    await expect(present.getByText('It ends with 2345.')).toBeVisible();
    await expect(present.getByRole('button', { name: 'Send code' })).toBeFocused();
    await expect(dialog.getByRole('link', { name: '@' })).toHaveAttribute('href', /^mailto:/);
    await send(next, 'Type your phone number.');
    await newPhone.fill('nonsense');
    await send(next, 'Type the ten digits of your mobile number.');
    for (const group of [present, next]) await expect(codeOf(group)).toBeDisabled();
    await expect(change).toBeDisabled();

    await send(present, 'Sent to •••• 2345.');
    await expect(codeOf(present)).toBeFocused();
    const code = await server.codeFor(`+91${PHONE}`);
    const wrong = code === '000000' ? '000001' : '000000';
    await codeOf(present).fill(wrong);
    // It is verified when the field is left.
    await newPhone.fill(NEW_PHONE);
    await expect(present.getByText('This code is not right.')).toBeVisible();
    await expect(change).toBeDisabled();
    expect(attempts).toBe(1);
    await codeOf(present).fill(code);
    await newPhone.focus();
    await expect(present.getByText('This number is verified.')).toBeVisible();
    await expect(codeOf(present)).toHaveAttribute('readonly');
    expect(attempts).toBe(2);
  });

  await test.step('a number with an account is rejected with a sentence, and another one can be tried', async () => {
    const taken = 'This number has an account already.';
    await page.route('**/api/account/changePhone/*', (route) =>
      route.fulfill({ status: 409, json: { error: 'phone_taken', message: taken } }),
    );
    await page.route('**/api/otp/**', (route) =>
      route.fulfill({
        json: {
          challenge: 'c',
          token: 't',
          phone: NEW_PHONE,
          resendAfterSeconds: 30,
          lifeSeconds: 300,
          codeLength: 8,
        },
      }),
    );
    await send(next);
    const sent = attempts;
    await codeOf(next).fill('123456');
    await newPhone.focus();
    expect(attempts).toBe(sent);
    await codeOf(next).fill('12345678');
    await change.click();
    await expect(dialog.getByText(taken)).toBeVisible();
    await page.unrouteAll();
    // The code belongs to the phone that it was sent to.
    await newPhone.fill(NEWEST);
    await expect(next.getByText('This number is verified.')).toBeHidden();
    await expect(codeOf(next)).toBeDisabled();
    await expect(change).toBeDisabled();
  });

  await test.step('changes the login phone with both tokens', async () => {
    await send(next);
    await codeOf(next).fill(await server.codeFor(`+91${NEWEST}`));
    const sent = page.waitForRequest('**/api/account/changePhone/*');
    await codeOf(next).press('Enter');
    const body = (await sent).postDataJSON() as Record<string, string>;
    expect(body).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      newToken: expect.stringMatching(/^[\w-]{43}$/),
    });
    await expect(page.getByText('Your login phone is changed.')).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(page.getByText('2347')).toBeVisible();
    expect(await sendRequest(server, `/user/${owner._id}`)).toMatchObject({ name: CANARY });

    // The same tokens and exchanged ones end no session.
    for (const replayed of [body, { token: body['newToken'], newToken: body['token'] }]) {
      const headers = { authorization: owner.sessionToken };
      const url = `/api/account/changePhone/${owner._id}`;
      const response = await page.request.post(url, { headers, data: replayed });
      expect([response.status(), await response.json()]).toMatchObject([
        403,
        { error: 'verification_required' },
      ]);
    }
  });

  await test.step('tokens that have expired end no session: both numbers are verified again', async () => {
    await page.getByRole('button', { name: 'Change login phone' }).click();
    await page.route('**/api/otp/**', (route) =>
      route.fulfill({
        json: {
          challenge: 'c',
          token: 't',
          phone: THIRD,
          resendAfterSeconds: 30,
          lifeSeconds: 300,
        },
      }),
    );
    await send(present);
    await codeOf(present).fill('123456');
    await newPhone.fill(THIRD);
    await send(next);
    await codeOf(next).fill('123456');
    await change.click();
    await expect(dialog.getByText('Your phone is not verified, or not any more.')).toBeVisible();
    await page.unrouteAll();
    await expect(present.getByText('It ends with 2347.')).toBeVisible();
    await expect(codeOf(next)).toHaveValue('');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(page.getByText('this device')).toBeVisible();
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
    const failed = page.waitForEvent('requestfailed', (request) =>
      request.url().includes('/api/account/getAccount/'),
    );
    await page.getByRole('button', { name: 'Log out everywhere else' }).click();
    await failed;
    await expect(page.getByText('You are logged out everywhere else.')).toBeVisible();
    await expect(page.getByText('this device')).toBeVisible();
    await page.unrouteAll();
  });

  await test.step('deletes the account', async () => {
    await page.getByRole('button', { name: 'Delete my account' }).click();
    const deletion = page.getByRole('dialog', { name: 'Delete my account' });
    await expect(deletion.getByText('a link preview that a chat has kept')).toBeVisible();
    await expect(deletion.getByRole('button', { name: 'Send code' })).toBeFocused();
    await expect(deletion.getByRole('textbox', { name: 'Code' })).toBeDisabled();
    await expect(deletion.getByRole('button', { name: 'Delete' })).toBeDisabled();
    await deletion.getByRole('button', { name: 'Cancel' }).click();
    await expect(deletion).toBeHidden();
    await page.getByRole('button', { name: 'Delete my account' }).click();
    await deletion.getByRole('button', { name: 'Send code' }).click();
    await expect(deletion.getByText('Code sent to •••• 2347.')).toBeVisible();
    await deletion.getByRole('textbox', { name: 'Code' }).fill('000000');
    await deletion.getByRole('button', { name: 'Delete' }).click();
    await expect(deletion.getByText('This code is not right.')).toBeVisible();
    await deletion
      .getByRole('textbox', { name: 'Code' })
      .fill(await server.codeFor(`+91${NEWEST}`));
    await deletion.getByRole('button', { name: 'Delete' }).click();
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
