import { readFileSync } from 'node:fs';

import ICAL from 'ical.js';
import jsQR from 'jsqr';
import { PNG } from 'pngjs';

import {
  ASHA,
  collectAlerts,
  expect,
  signIn,
  readSession,
  test,
} from '#tests/support/browser-test.ts';

test('card: an owner signs in, creates it and shares it, and a visitor saves it', async ({
  page,
  server,
  phone,
  browser,
}) => {
  const alerts = collectAlerts(page);
  await signIn(page, server, phone);
  await expect(page).toHaveURL(`${server.origin}/ftue?phone=%2B91${phone}`);
  await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible();

  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(ASHA.name);
  await page.getByRole('textbox', { name: 'Email' }).fill(ASHA.email);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Where you work' })).toBeFocused();
  await page.getByRole('textbox', { name: 'Company Name' }).fill(ASHA.companyName);
  await page.getByRole('textbox', { name: 'Designation' }).fill(ASHA.designation);
  await page.getByRole('button', { name: 'Next' }).click();

  await expect(page.getByRole('heading', { name: 'Add Socials' })).toBeVisible();
  for (const name of ['Whatsapp', 'LinkedIn', 'X', 'Facebook']) {
    await expect(page.getByRole('button', { name, exact: true })).toBeVisible();
  }
  await page.getByRole('button', { name: 'LinkedIn', exact: true }).click();
  const connect = page.getByRole('dialog', { name: 'Connect your socials' });
  await expect(connect.getByPlaceholder('Paste your LinkedIn profile link here')).toBeVisible();
  await connect.getByRole('textbox').fill('linkedin.com/in/asharao');
  await connect.getByRole('button', { name: 'Save' }).click();
  await expect(connect).toBeHidden();
  await page.getByRole('button', { name: 'Add more' }).click();
  await page.getByRole('button', { name: 'Add Web' }).click();
  await connect.getByRole('textbox').fill('https://rao.example/studio');
  await connect.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Next' }).click();

  await page.waitForURL(/\/dashboard\/?$/);
  await expect(page.getByText('Welcome Asha')).toBeVisible();
  await expect(page.getByText('Start building connections!')).toBeVisible();
  const { _id } = await readSession(page);
  const cardUrl = `${server.origin}/user/${_id}`;

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download QR Code' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('MY_QR.png');
  const png = PNG.sync.read(readFileSync(await file.path()));
  expect([png.width, png.height]).toEqual([256, 256]);
  expect(jsQR(new Uint8ClampedArray(png.data), png.width, png.height)?.data).toBe(cardUrl);

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy Link' }).click();
  await expect.poll(() => alerts).toEqual([`Copied: ${cardUrl}`]);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(cardUrl);

  const visitor = await browser.newContext();
  const card = await visitor.newPage();
  await card.goto(cardUrl);
  await expect(card).toHaveTitle(/Asha Rao.*Principal Architect/);
  await expect(card.getByRole('heading', { name: 'Asha Rao' })).toBeVisible();
  await expect(card.getByText('Principal Architect')).toBeVisible();
  const linkedIn = card.getByRole('link', { name: 'LinkedIn', exact: true });
  await expect(linkedIn).toHaveAttribute('href', 'https://linkedin.com/in/asharao');
  await expect(linkedIn).toHaveAttribute('target', '_blank');
  await expect(card.getByRole('link', { name: 'Call' })).toHaveAttribute('href', `tel:+91${phone}`);
  await expect(card.getByRole('link', { name: 'Email' })).toHaveAttribute(
    'href',
    `mailto:${ASHA.email}`,
  );

  const href = await card.getByRole('link', { name: 'Save', exact: true }).getAttribute('href');
  const response = await visitor.request.get(new URL(href ?? '', cardUrl).href);
  expect(response.headers()['content-type']).toBe('text/vcard; charset=utf-8');
  expect(response.headers()['content-disposition']).toContain("filename*=UTF-8''Asha%20Rao.vcf");
  const contact = new ICAL.Component(ICAL.parse(await response.text()) as unknown[]);
  const value = (name: string) => contact.getFirstPropertyValue(name);
  expect({
    name: value('fn'),
    title: value('title'),
    organisation: String(value('org')),
    email: value('email'),
    phone: value('tel'),
  }).toEqual({
    name: ASHA.name,
    title: ASHA.designation,
    organisation: ASHA.companyName,
    email: ASHA.email,
    phone: `+91${phone}`,
  });
  await visitor.close();
});
