import type { Page } from '@playwright/test';

import {
  ASHA,
  addLink,
  collectAlerts,
  deferred,
  expect,
  onboard,
  test,
} from '#tests/support/browser-test.ts';
import { goToSocials } from '#tests/support/open-screen.ts';
import { FULL_CARD, sendRequest } from '#tests/support/owner.ts';
import { jpegFile } from '#tests/support/picture.ts';

test.use({ card: {} });

test.beforeEach(async ({ ownerPage: page, phone }) => {
  await page.goto(`/ftue?phone=%2B91${phone}`);
});

test('onboarding: the arrow and the browser’s Back change the step and keep the input', async ({
  page,
}) => {
  for (const step of ['Personal Info', 'Company Info', 'Add Socials']) {
    await expect(page.getByText(step, { exact: true }).first()).toBeVisible();
  }
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
  await goToSocials(page);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('heading', { name: 'Where you work' })).toBeVisible();
  await page.goBack();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue(ASHA.name);
});

test('onboarding: a reload keeps the step; opening the address again starts at the first one', async ({
  page,
}) => {
  await goToSocials(page);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Add Socials' })).toBeVisible();
  await page.goto(page.url());
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue(ASHA.name);
});

for (const opener of ['Add more', 'Facebook']) {
  test(`onboarding: a reload with the pop-up of ${opener} open leaves the back arrow and Back working`, async ({
    page,
  }) => {
    await goToSocials(page);
    await page.getByRole('button', { name: opener, exact: true }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Add Socials' })).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Where you work' })).toBeVisible();
    await page.getByRole('button', { name: 'Next' }).click();
    await expect(page.getByRole('heading', { name: 'Add Socials' })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Where you work' })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible();
  });
}

async function tileNames(page: Page) {
  const tiles = page.locator('.tiles').getByRole('button');
  await expect(tiles.last()).toHaveText('Add more');
  const names = await tiles.locator('.tile-name').allTextContents();
  return names.slice(0, -1);
}

const DEFAULT_TILES = ['Whatsapp', 'LinkedIn', 'X', 'Facebook'];

test('onboarding tiles: typed handles are added to the four defaults, also after Back and Next', async ({
  page,
}) => {
  await goToSocials(page);
  await page.getByRole('button', { name: 'LinkedIn', exact: true }).click();
  await addLink(page, 'linkedin.com/in/asha');
  await page.getByRole('button', { name: 'Add more' }).click();
  await page.getByRole('button', { name: 'Add YouTube' }).click();
  await addLink(page, 'youtube.com/@asha');
  await expect.poll(() => tileNames(page)).toEqual([...DEFAULT_TILES, 'YouTube']);
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await page.getByRole('heading', { name: 'Where you work' }).waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect.poll(() => tileNames(page)).toEqual([...DEFAULT_TILES, 'YouTube']);
  await page.reload();
  await expect.poll(() => tileNames(page)).toEqual([...DEFAULT_TILES, 'YouTube']);
});

for (const saved of [['Web'], ['Instagram', 'Behance', 'X', 'Web', 'YouTube']]) {
  test.describe(() => {
    const links = saved.map((network) => [network, `https://${network.toLowerCase()}.example/a`]);
    test.use({ card: { socialMediaHandles: Object.fromEntries(links) } });

    test(`onboarding tiles: ${saved.length} saved handles are shown, then the typed one`, async ({
      page,
    }) => {
      await goToSocials(page);
      await expect.poll(() => tileNames(page)).toEqual(saved);
      await page.getByRole('button', { name: 'Add more' }).click();
      await page.getByRole('button', { name: 'Add Maps' }).click();
      await addLink(page, 'maps.example/a');
      await expect.poll(() => tileNames(page)).toEqual([...saved, 'Maps']);
    });
  });
}

test('onboarding: the first step names the login number, and the preview follows the input', async ({
  page,
  phone,
}) => {
  const breadcrumb = page.getByRole('navigation', { name: 'Steps' });
  await expect(breadcrumb).toHaveText('Personal Info > Company Info > Add Socials');
  const spaced = `+91 ${phone.slice(0, 5)} ${phone.slice(5)}`;
  await expect(page.getByText(`${spaced}, becomes the phone number on your card.`)).toBeVisible();
  await expect(page.getByText('You can change it in Edit Profile.')).toBeVisible();
  await expect(page.getByText('Your name')).toBeVisible();
  await expect(page.getByText('Unknown')).toHaveCount(0);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('आशा राव');
  await expect(page.getByText('आशा राव')).toBeVisible();
});

test('onboarding: without a name the next steps say so, and lead back to it', async ({ page }) => {
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await page.getByRole('textbox', { name: 'Email' }).fill('asha@gmail');
  for (const steps of [['Where you work'], ['Where you work', 'Add Socials']]) {
    for (const title of steps) {
      await page.getByRole('button', { name: 'Next' }).click();
      await expect(page.getByRole('heading', { name: title })).toBeFocused();
      await expect(page.getByText('Visitors will see Unknown.', { exact: true })).toBeVisible();
      await expect(page.getByText('asha@gmail: This does not look like')).toBeVisible();
    }
    await page.getByRole('button', { name: 'Add your name' }).click();
    await expect(name).toBeFocused();
  }
  const email = page.getByRole('textbox', { name: 'Email' });
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Correct it' }).click();
  await expect(email).toBeFocused();
  await email.fill('asha@rao.example');
  await name.fill('Asha');
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByRole('heading', { name: 'Where you work' })).toBeFocused();
  await expect(page.locator('.step-notes')).toHaveCount(0);
});

test('Whatsapp: accepts ten digits in any notation, and nothing else', async ({ page, phone }) => {
  const alerts = collectAlerts(page);
  await goToSocials(page);
  const tile = page.getByRole('button', { name: 'Whatsapp', exact: true });
  const popup = page.getByRole('dialog', { name: 'Connect your socials' });
  await tile.click();
  await popup.getByRole('button', { name: `Use ${phone.slice(0, 5)} ${phone.slice(5)}` }).click();
  await expect(popup.getByRole('textbox')).toHaveValue(phone);
  await popup.getByPlaceholder('Paste your Whatsapp Number here').fill('12345');
  await popup.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(() => alerts)
    .toEqual(['Invalid Phone Number: Should be a 10-digit phone number']);
  await expect(popup).toBeVisible();
  await popup.getByRole('textbox').fill('+91 98765-43210');
  await popup.getByRole('button', { name: 'Save' }).click();
  await expect(popup).toBeHidden();
  await tile.click();
  await expect(popup.getByRole('textbox')).toHaveValue('9876543210');
  await popup.getByRole('button', { name: 'Cancel' }).click();
  await expect(popup).toBeHidden();
});

test('link: an entry that is not a link keeps the pop-up open with a note; the catalogue hides the networks of the card', async ({
  page,
}) => {
  await goToSocials(page);
  await page.getByRole('button', { name: 'Facebook', exact: true }).click();
  const popup = page.getByRole('dialog', { name: 'Connect your socials' });
  await expect(page.locator('html')).toHaveCSS('overflow-y', 'hidden');
  await popup.getByRole('textbox').fill('not a link at all');
  await popup.getByRole('button', { name: 'Save' }).click();
  await expect(popup).toBeVisible();
  await expect(popup.getByRole('textbox')).toHaveAccessibleDescription(/link/);
  await popup.getByRole('textbox').fill('facebook.com/asha');
  await popup.getByRole('button', { name: 'Save' }).click();
  await expect(popup).toBeHidden();
  await expect(page.locator('html')).not.toHaveCSS('overflow-y', 'hidden');

  await page.getByRole('button', { name: 'Add more' }).click();
  const catalogue = page.getByRole('dialog', { name: 'Add more' });
  await expect(catalogue.getByRole('button', { name: /^Add / })).toHaveCount(8);
  for (const present of DEFAULT_TILES) {
    await expect(
      catalogue.getByRole('button', { name: `Add ${present}`, exact: true }),
    ).toHaveCount(0);
  }
});

test('onboarding: a failed save keeps the input and can be repeated', async ({
  page,
  expectErrors,
}) => {
  expectErrors(/answered 503/);
  await goToSocials(page);
  await page.route('**/api/user/updateUser/*', (route) =>
    route.fulfill({ status: 503, json: { error: 'unavailable', message: 'Try again.' } }),
  );
  const failed = page.waitForResponse('**/api/user/updateUser/*');
  await page.getByRole('button', { name: 'Next' }).click();
  await failed;
  await expect(page.getByRole('heading', { name: 'Add Socials' })).toBeVisible();
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  await page.unroute('**/api/user/updateUser/*');
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page).toHaveURL(/\/dashboard/);
});

test('onboarding: the portrait of the preview opens the photo editor', async ({ page }) => {
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Asha');
  await page.getByRole('button', { name: 'Edit photo' }).click();
  const picture = await jpegFile({ width: 600, height: 600 });
  await page.locator('input[type=file]').setInputFiles(picture);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Photo saved')).toBeVisible();
  await expect(page.getByRole('img', { name: 'Asha' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Asha');
});

test('onboarding: after the save, Back opens the page before onboarding', async ({ page }) => {
  // A page before onboarding in the history.
  await page.goto('/privacy_policy');
  await page.goto('/ftue');
  await goToSocials(page);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome Asha' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL('/privacy_policy');
});

test('onboarding: a double press advances one step and saves once', async ({ page }) => {
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(ASHA.name);
  const pressTwice = (name: string) =>
    page.getByRole('button', { name, exact: true }).evaluate((element: HTMLButtonElement) => {
      element.click();
      element.click();
    });
  await pressTwice('Next');
  await expect(page.getByRole('heading', { name: 'Where you work' })).toBeVisible();
  await pressTwice('Next');
  await expect(page.getByRole('heading', { name: 'Add Socials' })).toBeVisible();
  await pressTwice('Back');
  await expect(page.getByRole('heading', { name: 'Where you work' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible();
  await goToSocials(page);

  let saves = 0;
  const release = deferred();
  await page.route('**/api/user/updateUser/*', async (route) => {
    saves += 1;
    await release.promise;
    await route.continue();
  });
  await pressTwice('Next');
  await expect(page.getByText('Setting up your Digital Business Card')).toBeVisible();
  release.resolve();
  await expect(page.getByRole('heading', { name: 'Welcome Asha' })).toBeVisible();
  expect(saves).toBe(1);
});

test.describe('with a complete card', () => {
  test.use({ card: FULL_CARD });

  test('onboarding: a save does not replace the saved phone, and removes the draft', async ({
    page,
    server,
    owner: { _id },
  }) => {
    await onboard(page, { ...ASHA, name: 'Asha Menon' });
    const saved = { name: 'Asha Menon', phone: FULL_CARD.phone };
    expect(await sendRequest(server, `/user/${_id}`)).toMatchObject(saved);
    const stored = await page.evaluate(() => Object.keys(sessionStorage));
    expect(stored).not.toContain(`onboarding-${_id}`);
  });

  test('onboarding: the strip on a phone shows designation, company and networks', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const strip = page.getByRole('complementary', { name: 'Your card so far' });
    await expect(strip.getByText('Principal Architect')).toBeInViewport({ ratio: 1 });
    await expect(strip.getByText('Rao & Partners Archi...')).toBeInViewport({ ratio: 1 });
    await expect(strip.locator('.social-tile .icon')).toHaveCount(12);
    await expect(strip.locator('.social-tile .icon').last()).toBeInViewport({ ratio: 1 });
  });
});
