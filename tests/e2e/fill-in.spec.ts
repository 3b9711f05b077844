import type { Page } from '@playwright/test';

import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import { jpegFile } from '#tests/support/picture.ts';
import * as ui from '#tests/support/ui.ts';

test.use({ environment: { CARD_EXTRAS: 'links' }, card: {} });

const file = (...lines: string[]) =>
  ['BEGIN:VCARD', 'VERSION:3.0', ...lines, 'END:VCARD', ''].join('\r\n');
const ASHA = file(
  'FN:Asha Rao',
  'ORG:Rao Design;',
  'TITLE:Architect',
  'EMAIL:asha@rao.example',
  'TEL;TYPE=CELL:+91 98450 12345',
  'NOTE:Houses',
  'URL:https://rao.example',
  'URL:https://shop.rao.example',
  'X-SOCIALPROFILE;type=linkedin:http://www.linkedin.com/in/asharao',
);
const HANDLES = { Web: 'https://rao.example', LinkedIn: 'http://www.linkedin.com/in/asharao' };
const LINKS = [{ label: 'shop.rao.example', url: 'https://shop.rao.example' }];

const fillIn = (page: Page, text: string) =>
  ui.chooseFile(ui.button(page, 'Fill in from a contact file'), 'me.vcf', Buffer.from(text));

test('fill in from a contact file: onboarding fills its empty fields, the photo opens the editor, and Next saves all', async ({
  page,
  phone,
  call,
}) => {
  await page.goto(`/ftue?phone=%2B91${phone}`);
  await ui.textbox(page, 'Email').fill('mine@rao.example');
  const { buffer } = await jpegFile({ width: 600, height: 600 });
  const photo = `PHOTO;ENCODING=b;TYPE=JPEG:${buffer.toString('base64')}`;
  await fillIn(page, ASHA.replace('END:', `${photo}\r\nEND:`));
  await ui.button(ui.dialog(page, 'Edit photo'), 'Save').click();
  await ui.expectTexts(page, 'Filled in 7 fields.', 'Photo saved');
  await expect(ui.textbox(page, 'Name')).toHaveValue('Asha Rao');
  await expect(ui.textbox(page, 'Email')).toHaveValue('mine@rao.example');
  expect(await call('/user/:id')).toMatchObject({ name: '', companyName: '' });
  await page.reload();
  for (const title of ['Where you work', 'Add Socials']) {
    await ui.button(page, 'Next').click();
    await ui.heading(page, title).waitFor();
  }
  await ui.button(page, 'Next').click();
  await page.waitForURL('/dashboard');
  expect(await call('/user/:id')).toMatchObject({
    name: 'Asha Rao',
    designation: 'Architect',
    companyName: 'Rao Design',
    bio: 'Houses',
    email: 'mine@rao.example',
    phone: `+91${phone}`,
    profilePhoto: expect.stringContaining('/'),
    socialMediaHandles: HANDLES,
  });
  expect(await call('/user/:id/extras')).toMatchObject({ links: LINKS });
});

test('fill in from a contact file: Edit Profile asks who of several people one is, and Undo empties what it filled', async ({
  page,
  call,
}) => {
  const alerts = ui.collectAlerts(page);
  await page.goto('/dashboard/edit');
  const name = ui.textbox(page, 'Name');
  const before = await call<{ phone: string }>('/user/:id');
  await fillIn(page, file('FN:Ravi', 'TEL:1') + ASHA);
  await ui.button(ui.dialog(page, 'Which one is you?'), 'Asha Rao').click();
  await ui.expectTexts(page, 'Filled in 8 fields.');
  await expect(name).toHaveValue('Asha Rao');
  await expect(ui.textbox(page, 'Link 1 address')).toHaveValue('https://shop.rao.example');
  await name.fill('Asha K. Rao');
  await ui.button(page, 'Undo').click();
  await expect(page.getByText('Filled in')).toHaveCount(0);
  await expect(name).toHaveValue('Asha K. Rao');
  for (const label of ['Company', 'About', 'Link 1 address'])
    await expect(ui.textbox(page, label)).toHaveValue('');
  await expect(ui.textbox(page, 'Phone')).toHaveValue(before.phone);
  await name.fill('');
  await expect(page.getByText('Not saved yet')).toHaveCount(0);

  await fillIn(page, 'Name,Phone\r\nAsha,1\r\n');
  await ui.expectTexts(page, 'This is a CSV file.');
  await fillIn(page, file('FN:+91', 'TEL:+91'));
  await ui.expectTexts(page, 'Nothing in this file fits a field that is still empty.');
  await fillIn(page, ASHA);
  await ui.expectTexts(page, 'Filled in 8 fields.');
  await ui.updateChanges(page);
  await expect.poll(() => alerts).toEqual(['Data updated successfully']);
  expect(await call('/user/:id')).toMatchObject({ name: 'Asha Rao', socialMediaHandles: HANDLES });
  expect(await call('/user/:id/extras')).toMatchObject({ links: LINKS });
});
