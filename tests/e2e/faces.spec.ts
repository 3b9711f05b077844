import { expect, test } from '#tests/support/browser-test.ts';
import { FULL_CARD, sendRequest } from '#tests/support/owner.ts';

const TAMIL = { name: 'ஆஷா ராவ்', designation: 'கட்டிடக் கலைஞர்' };
const HOSTILE = '<img src=x onerror=alert(1)> "ராவ்"';

test.use({ environment: { LANGUAGES: 'hi,ta,ur', VIEWS: 'analytics' } });

test('faces: one is written, seen while it is typed, shown to visitors in its language, and removed', async ({
  ownerPage: page,
  server,
  owner: { _id, sessionToken: token },
  expectErrors,
}) => {
  expectErrors(/faces answered 412/);
  const stored = () => sendRequest(server, `/user/${_id}/faces`, { token });
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  await page.goto(`${server.origin}/dashboard/edit`);
  await page.getByRole('link', { name: 'Add another language' }).click();
  await expect(page.getByRole('heading', { name: 'Other languages' })).toBeVisible();
  await page.getByRole('combobox', { name: 'Language of this face' }).selectOption('தமிழ்');
  await field('Name').fill(TAMIL.name);
  await field('Designation').fill(TAMIL.designation);
  const preview = page.locator('.faces-preview');
  await expect(preview.locator('.card-name')).toHaveText(TAMIL.name);
  await expect(preview.locator('.card-role')).toContainText('Rao & Partners');
  await expect(preview).toContainText('சேமி');
  await expect(field('Company Name')).toHaveAttribute('placeholder', FULL_CARD.companyName);

  // What was typed in each language stays until it is saved.
  await page.getByRole('combobox').selectOption('اردو');
  await expect(field('Name')).toHaveValue('');
  await field('About').fill(HOSTILE);
  await expect(preview.locator('.card-bio')).toHaveText(HOSTILE);
  await page.getByRole('combobox').selectOption('தமிழ்');
  await expect(field('Name')).toHaveValue(TAMIL.name);
  const hindi = { language: 'hi', name: 'आशा राव', designation: '', companyName: '', bio: '' };
  // Another device saves meanwhile.
  await sendRequest(server, `/user/${_id}/faces`, { token, body: { faces: [hindi] } });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  const tamil = { language: 'ta', ...TAMIL, companyName: '', bio: '' };
  const urdu = { language: 'ur', name: '', designation: '', companyName: '', bio: HOSTILE };
  expect(await stored()).toEqual({ faces: [hindi, tamil, urdu] });

  const visitor = await page.context().newPage();
  await visitor.goto(`${server.origin}/user/${_id}?lang=ta`);
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(TAMIL.name);
  await expect(visitor).toHaveTitle(`${TAMIL.name} - ${TAMIL.designation}`);
  await visitor.getByRole('link', { name: FULL_CARD.name, exact: true }).click();
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(FULL_CARD.name);
  await visitor.getByRole('link', { name: TAMIL.name, exact: true }).click();
  await expect(visitor.locator('html')).toHaveAttribute('lang', 'ta');
  await visitor.goto(`${server.origin}/user/${_id}?lang=ur`);
  await expect(visitor.getByText(HOSTILE)).toBeVisible();
  await expect(visitor.getByRole('link', { name: 'English' }).first()).toBeVisible();
  await visitor.close();

  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Removed', { exact: true })).toBeVisible();
  expect(await stored()).toEqual({ faces: [hindi, urdu] });
  await expect(field('Name')).toHaveValue('');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  expect(await stored()).toEqual({ faces: [hindi, tamil, urdu] });
});

test('faces: what is not saved is confirmed before it is left, and a failed save says so', async ({
  ownerPage: page,
  server,
  owner,
  expectErrors,
}) => {
  expectErrors(/faces answered 503/);
  await page.goto(`${server.origin}/dashboard/faces`);
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('आशा');
  const questions: string[] = [];
  page.on('dialog', (dialog) => {
    questions.push(dialog.message());
    void dialog.dismiss();
  });
  await page.getByRole('button', { name: 'Back' }).click();
  await expect
    .poll(() => questions)
    .toEqual(['Leave without saving? What you changed will be lost.']);
  const calls = `**/api/user/${owner._id}/faces`;
  await page.route(calls, (route) => route.fulfill({ status: 503, json: {} }));
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Not saved.')).toBeVisible();
  await expect(name).toHaveValue('आशा');
  await page.unroute(calls);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page).toHaveURL(/\/dashboard\/edit$/);
});
