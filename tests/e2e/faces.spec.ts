import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import { FULL_CARD } from '#tests/support/owner.ts';
import * as ui from '#tests/support/ui.ts';

const TAMIL = { name: 'ஆஷா ராவ்', designation: 'கட்டிடக் கலைஞர்' };
const HOSTILE = '<img src=x onerror=alert(1)> "ராவ்"';

test.use({ environment: { LANGUAGES: 'hi,ta,ur', VIEWS: 'analytics' } });

test('faces: one is written, shown in its language, and removed', async ({ page, owner, call }) => {
  ui.expectErrors(page, /faces answered 412/, /faces answered 503/);
  const stored = () => call('/user/:id/faces');
  const field = (name: string) => ui.textbox(page, name);
  await page.goto('/dashboard/edit');
  await ui.link(page, 'Add another language').click();
  await expect(ui.heading(page, 'Other languages')).toBeVisible();
  const language = page.getByRole('combobox', { name: 'Language of this face' });
  await language.selectOption('தமிழ்');
  await ui.fill(page, { Name: TAMIL.name, Designation: TAMIL.designation });
  const preview = page.locator('.faces-preview');
  await expect(preview.locator('.card-name')).toHaveText(TAMIL.name);
  await expect(preview.locator('.card-role')).toContainText('Rao & Partners');
  await expect(preview).toContainText('சேமி');
  await expect(field('Company Name')).toHaveAttribute('placeholder', FULL_CARD.companyName);

  // What was typed in each language stays until it is saved.
  await language.selectOption('اردو');
  await expect(field('Name')).toHaveValue('');
  await field('About').fill(HOSTILE);
  await expect(preview.locator('.card-bio')).toHaveText(HOSTILE);
  await language.selectOption('தமிழ்');
  await expect(field('Name')).toHaveValue(TAMIL.name);
  const empty = { name: '', designation: '', companyName: '', bio: '' };
  const hindi = { ...empty, language: 'hi', name: 'आशा राव' };
  page.once('dialog', (question) => void question.dismiss());
  await ui.button(page, 'Back').click();
  await ui.failCalls(page, '**/api/user/*/faces', { status: 503 });
  await ui.button(page, 'Save').click();
  await ui.expectTexts(page, 'Not saved.');
  await page.unrouteAll();
  // Another device saves meanwhile.
  await call('/user/:id/faces', { faces: [hindi] });
  await ui.button(page, 'Save').click();
  await ui.expectTexts(page, /^Saved$/);
  const all = [
    hindi,
    { ...empty, ...TAMIL, language: 'ta' },
    { ...empty, language: 'ur', bio: HOSTILE },
  ];
  expect(await stored()).toEqual({ faces: all });

  const visitor = await page.context().newPage();
  const name = visitor.getByRole('heading', { level: 1 });
  await visitor.goto(`/user/${owner._id}?lang=ta`);
  await expect(name).toHaveText(TAMIL.name);
  await expect(visitor).toHaveTitle(`${TAMIL.name} - ${TAMIL.designation}`);
  await ui.link(visitor, FULL_CARD.name).click();
  await expect(name).toHaveText(FULL_CARD.name);
  await ui.link(visitor, TAMIL.name).click();
  await expect(visitor.locator('html')).toHaveAttribute('lang', 'ta');
  await visitor.goto(`/user/${owner._id}?lang=ur`);
  await ui.expectTexts(visitor, HOSTILE);
  await visitor.close();

  await ui.button(page, 'Remove').click();
  await ui.expectTexts(page, /^Removed$/);
  expect(await stored()).toEqual({ faces: [all[0], all[2]] });
  await expect(field('Name')).toHaveValue('');
  await ui.button(page, 'Undo').click();
  await ui.expectTexts(page, /^Saved$/);
  expect(await stored()).toEqual({ faces: all });
  await ui.button(page, 'Back').click();
  await expect(page).toHaveURL(/\/dashboard\/edit$/);
});
