import {
  ASHA,
  addLink,
  button,
  collectAlerts,
  expect,
  expectTexts,
  heading,
  link,
  logOut,
  readClipboard,
  readSession,
  signIn,
  submitPhone,
  test,
  textbox,
  waitForLoginPage,
} from '#tests/support/browser-test.ts';

test('card: an owner signs in, creates it and shares it, a visitor saves it, and the owner returns', async ({
  page,
  server,
  phone,
  browser,
}) => {
  const alerts = collectAlerts(page);
  await signIn(page, server, phone);
  await expect(page).toHaveURL(`/ftue?phone=%2B91${phone}`);
  await expect(heading(page, 'Welcome')).toBeVisible();
  await textbox(page, 'Name').fill(ASHA.name);
  await textbox(page, 'Email').fill(ASHA.email);
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Where you work')).toBeFocused();
  await textbox(page, 'Company Name').fill(ASHA.companyName);
  await textbox(page, 'Designation').fill(ASHA.designation);
  await button(page, 'Next').click();
  await button(page, 'LinkedIn').click();
  await addLink(page, 'linkedin.com/in/asharao');
  await button(page, 'Add more').click();
  await button(page, 'Add Web').click();
  await addLink(page, 'https://rao.example/studio');
  await button(page, 'Next').click();

  await page.waitForURL(/\/dashboard\/?$/);
  await expectTexts(page, 'Welcome Asha', 'Start building connections!');
  const cardUrl = `${server.origin}/user/${(await readSession(page))._id}`;
  await button(page, 'Copy Link').click();
  await expect.poll(() => alerts).toEqual([`Copied: ${cardUrl}`]);
  expect(await readClipboard(page)).toBe(cardUrl);

  const visitor = await browser.newContext();
  const card = await visitor.newPage();
  await card.goto(cardUrl);
  await expect(card).toHaveTitle('Asha Rao - Principal Architect');
  for (const [name, href] of Object.entries({
    LinkedIn: 'https://linkedin.com/in/asharao',
    Website: 'https://rao.example/studio',
    Call: `tel:+91${phone}`,
    Email: `mailto:${ASHA.email}`,
  })) {
    await expect(link(card, name)).toHaveAttribute('href', href);
  }
  const download = card.waitForEvent('download');
  await link(card, 'Save').click();
  expect((await download).suggestedFilename()).toBe('Asha Rao.vcf');
  await visitor.close();

  await logOut(page);
  await waitForLoginPage(page);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await submitPhone(page, server, phone);
  await expect(page).toHaveURL(/\/dashboard\/$/);
});
