import { expect, test } from '#tests/support/browser-test.ts';
import { FULL_CARD } from '#tests/support/owner.ts';

const LONG_BIO = 'I design maps, signs and the small words between two platforms.\n'.repeat(20);

test.use({ viewport: { width: 390, height: 844 }, card: { ...FULL_CARD, bio: LONG_BIO } });

test('long card: Save and Connect stay at the bottom edge of a phone, and work there', async ({
  page,
  owner,
}) => {
  await page.goto(`/user/${owner._id}`);
  const save = page.getByRole('link', { name: 'Save', exact: true });
  const connect = page.getByRole('button', { name: 'Connect', exact: true });
  await expect(connect).toBeInViewport({ ratio: 1 });
  const before = await page.evaluate(() => document.documentElement.scrollHeight);
  expect((await connect.boundingBox())?.y).toBeLessThan(600);
  const last = page.getByRole('link', { name: 'Create Your Tessera Card' });
  await last.scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 5_000);
  await expect
    .poll(async () => Math.round(((await connect.boundingBox())?.y ?? 0) / 10))
    .toBeGreaterThan(77);
  await expect(save).toBeInViewport({ ratio: 1 });
  // The rest of the page did not move, and the sticky buttons cover no link.
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(before);
  await last.click({ trial: true });
  await connect.click();
  await expect(page.getByRole('dialog', { name: 'Connect' })).toBeVisible();
});

test('long card: a long About is folded, opens without script and is printed in full', async ({
  browser,
  server,
  owner,
}) => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  });
  const page = await context.newPage();
  await page.goto(`${server.origin}/user/${owner._id}`);
  const bio = page.locator('article section p');
  const height = async () => (await bio.boundingBox())?.height ?? 0;
  expect(await height()).toBeLessThan(150);
  await expect(bio).toContainText('two platforms');
  await page.getByText('Read more').click();
  await expect.poll(height).toBeGreaterThan(400);
  await page.getByText('Read less').click();
  await expect.poll(height).toBeLessThan(150);
  await page.emulateMedia({ media: 'print' });
  expect(await height()).toBeGreaterThan(400);
  await context.close();
});

test.describe('short card', () => {
  test.use({ card: FULL_CARD });

  test('card: a short About has no control, and a card is printed on one page with the whole email, its address and its QR code', async ({
    page,
    owner,
  }) => {
    await page.goto(`/user/${owner._id}`);
    await expect(page.getByText('Read more')).toHaveCount(0);
    const save = page.getByRole('link', { name: 'Save', exact: true });
    await expect(save).toBeVisible();
    const qr = page.locator('main > img');
    expect(await qr.evaluate((image: HTMLImageElement) => image.currentSrc)).toBe('');
    await page.emulateMedia({ media: 'print' });
    await expect(save).toBeHidden();
    await expect
      .poll(() => qr.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(20);
    expect(
      await page.evaluate(() =>
        document.getAnimations().map((one) => (one as CSSAnimation).animationName),
      ),
    ).toEqual([]);
    await expect(page.getByRole('link', { name: 'LinkedIn' })).toHaveCSS(
      'background-color',
      'rgba(0, 0, 0, 0)',
    );
    const email = page.locator('[data-print]');
    expect(await email.evaluate((node) => getComputedStyle(node, '::after').content)).toBe(
      '"asha.rao@rao-partners.example"',
    );
    const link = page.getByRole('link', { name: 'LinkedIn' });
    expect(await link.evaluate((node) => getComputedStyle(node, '::after').content)).toBe(
      '"https://linkedin.com/in/rao"',
    );
    const main = page.getByRole('main');
    expect(await main.evaluate((node) => getComputedStyle(node, '::after').content)).toBe(
      `"${page.url()}"`,
    );
    const pdf = await page.pdf({ preferCSSPageSize: true, format: 'A4' });
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  });
});

test.describe('in Hebrew', () => {
  test.use({ card: { ...FULL_CARD, name: 'ליאור כהן', phone: '+442071838750' } });

  test('card: a name in a right-to-left script sets the person from right to left, and the phone is spaced', async ({
    page,
    owner,
  }) => {
    await page.goto(`/user/${owner._id}`);
    const person = page.locator('div:has(> h1)');
    await expect(person).toHaveAttribute('dir', 'rtl');
    const [block, portrait] = await Promise.all([
      person.boundingBox(),
      page.locator('article > div:first-child > :nth-child(2)').boundingBox(),
    ]);
    const right = (box: typeof block) => Math.round((box?.x ?? 0) + (box?.width ?? 0));
    expect(right(portrait)).toBe(right(block));
    await expect(page.getByText('+44 20 7183 8750')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Call' })).toHaveAttribute(
      'href',
      'tel:+442071838750',
    );
  });
});
