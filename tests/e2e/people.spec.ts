import { ownPalette } from '#domain/own-palette.ts';
import { PROFILE_FIELDS } from '#domain/profile-field.ts';
import { runAdmin } from '#tests/support/admin.ts';
import { expect, ownerTest, test } from '#tests/support/browser-test.ts';
import * as ui from '#tests/support/ui.ts';

const LOGO = {
  name: 'logo.svg',
  mimeType: 'image/svg+xml',
  buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>'),
};
const FIELDS = ['name', 'companyName'] as const;

test.describe('set by the operator', () => {
  ownerTest.use({
    environment: {
      LOCKED_FIELDS: `${FIELDS.join(',')},email,photo,appearance`,
      BRAND_COLOUR: '#0B5FFF',
      LANGUAGES: 'hi',
    },
    card: { name: 'Asha Rao', companyName: 'Rao', phone: '1' },
  });

  ownerTest(
    'locked fields: are read-only with why, an empty one is filled once, and the look is the brand',
    async ({ page, owner }) => {
      await page.goto('/dashboard/edit');
      for (const field of FIELDS) {
        const input = page.getByRole('textbox', { name: PROFILE_FIELDS[field].label });
        await expect(input).toHaveAttribute('readonly');
        await expect(input).toHaveAccessibleDescription('Set by Tessera');
      }
      const email = page.getByRole('textbox', { name: 'Email' });
      await email.fill('asha@rao.example');
      const alerts = ui.collectAlerts(page);
      await ui.updateChanges(page);
      await expect.poll(() => alerts).toEqual(['Data updated successfully']);
      await expect(email).toHaveAttribute('readonly');
      await expect(ui.button(page, 'Edit photo')).toBeVisible();
      await ui.link(page, 'Appearance').click();
      const look = page.getByRole('group', { name: 'Look' });
      await expect(look).toHaveAccessibleDescription('Set by Tessera');
      await expect(look.getByRole('radio', { name: 'Own colour' })).toBeChecked();
      await expect(look.getByRole('radio', { name: 'Original' })).toBeDisabled();
      await page.goto('/dashboard/translations');
      await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveAttribute(
        'readonly',
      );
      await page.goto(`/user/${owner._id}`);
      const accent = () =>
        page.evaluate(() => getComputedStyle(document.body).getPropertyValue('--accent'));
      expect(await accent()).toBe(ownPalette(262).deep.light);
    },
  );
});

test.describe('brand', () => {
  ownerTest.use({
    environment: { BRAND_COLOUR: '#0B5FFF' },
    card: { name: 'Asha Rao', companyName: 'Rao', phone: '1' },
  });

  ownerTest('appearance: a logo keeps the brand, and Undo brings it back', async ({ page }) => {
    const look = (name: string) => page.getByRole('radio', { name });
    await page.goto('/dashboard/appearance');
    await expect(look('Own colour')).toBeChecked();
    const add = ui.button(page, 'Add logo');
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), add.click()]);
    await chooser.setFiles(LOGO);
    await expect(ui.button(page, 'Remove logo')).toBeVisible();
    await page.reload();
    await expect(look('Own colour')).toBeChecked();
    for (const name of ['Quiet', 'From photo']) {
      await look(name).click();
      await expect(look(name)).toBeChecked();
      await ui.expectTexts(page, 'Saved');
    }
    const undo = ui.button(page, 'Undo');
    await undo.click();
    await expect(look('Quiet')).toBeChecked();
    await undo.click();
    await expect(look('Own colour')).toBeChecked();
    await expect(undo).toBeDisabled();
    await page.reload();
    await expect(look('Own colour')).toBeChecked();
  });
});

test.describe('by invitation', () => {
  test.use({
    server: async ({ serve, services }, use) =>
      use(await serve({ ...services.environment.otpless, SIGNUP: 'invited' })),
  });

  test('login page: tells everybody whom to ask, and a rejected number why', async ({
    page,
    server,
    services,
  }) => {
    ui.expectErrors(page, /answered 403/);
    await page.goto('/login');
    await expect(page.getByText('This service is by invitation. No code? Ask')).toBeVisible();
    const verify = async () => {
      await ui.textbox(page, 'Mobile number').fill('919812300031');
      await ui.button(page, 'Continue with OTPless').click();
    };
    await verify();
    await ui.expectTexts(page, "This number hasn't been invited.");
    await expect(page).toHaveURL('/');
    const environment = { DATA_DIR: server.dataDir, ...services.environment.otpless };
    const invited = await runAdmin(environment, 'invite', '9812300031', '--name', 'Ravi Rao');
    expect(invited.code).toBe(0);
    await page.goto('/login');
    await verify();
    await ui.expectTexts(page, 'Welcome Ravi');
  });
});
