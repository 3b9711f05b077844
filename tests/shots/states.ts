import {
  clickButton,
  goToCode,
  goToSocials,
  listScreens,
  openAsOwner,
  openCard,
  openContactsView,
  openPage,
  press,
} from '#tests/support/open-screen.ts';
import { failCalls } from '#tests/support/ui.ts';

/** States of the screens that have pictures, but differ too little for the checks of SCREENS. */
export const MORE_STATES = listScreens({
  'card-scrolled': openCard('long', (page) => page.mouse.wheel(0, 900)),
  'card-in-app': async (page, seed) => {
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'userAgent', { value: 'Instagram' });
    });
    await openCard('full')(page, seed);
  },
  'card-connect-hints': openCard('long', async (page) => {
    await clickButton(page, 'Connect');
    await page.getByRole('textbox', { name: 'Mobile' }).pressSequentially('12a');
    await page.getByRole('textbox', { name: 'Email' }).pressSequentially('ravi at home');
    await page.getByRole('textbox', { name: 'Company' }).focus();
  }),
  'card-not-sent': openCard('full', async (page) => {
    await failCalls(page, '**/api/profile/addContact');
    await clickButton(page, 'Connect');
    await page.getByRole('textbox', { name: 'Name' }).fill('Ravi');
    await page.getByRole('textbox', { name: 'Mobile' }).fill('98450 12345');
    await page.getByRole('textbox', { name: 'Company' }).press('Enter');
    await page.getByText('Not sent.').waitFor();
  }),
  'card-print': openCard('full', (page) => page.emulateMedia({ media: 'print' })),
  'policy-print': openPage('/terms_conditions', (page) => page.emulateMedia({ media: 'print' })),
  'login-code-wrong': openPage('/login', async (page) => {
    await goToCode(page);
    await failCalls(page, '**/api/otp/verify');
    await page.getByRole('textbox', { name: 'Code' }).fill('123456');
    await page.getByRole('button', { name: 'Verify' }).and(page.locator(':enabled')).waitFor();
  }),
  'onboarding-failed': openAsOwner('unnamed', '/ftue', async (page) => {
    await goToSocials(page);
    await failCalls(page, '**/api/user/updateUser/*');
    await clickButton(page, 'Next');
    await page.getByText('Unsaved changes').waitFor();
  }),
  'edit-photo-failed': openAsOwner('full', '/dashboard/edit', async (page) => {
    await failCalls(page, '**/api/user/removeProfileImage/*');
    await clickButton(page, 'Edit photo');
    await clickButton(page, 'Remove photo');
    await page.getByText('The photo was not removed').waitFor();
  }),
  'account-code': openAsOwner('full', '/dashboard/account', async (page) => {
    const json = { challenge: 'c', phone: '•••• 3210', resendAfterSeconds: 30, lifeSeconds: 300 };
    await page.route('**/api/otp/sendOwnerCode/*', (route) => route.fulfill({ json }));
    await clickButton(page, 'Delete my account');
    await clickButton(page, 'Send code');
    await page.getByText('Sent to').waitFor();
  }),
  'dashboard-rtl': openAsOwner('rightToLeft', '/dashboard'),
  'edit-rtl': openAsOwner('rightToLeft', '/dashboard/edit'),
  'signature-copied': openAsOwner('full', '/dashboard/signature', press('Copy signature')),
  'analytics-placeholder-menu': openAsOwner('full', '/dashboard/analytics', press('Menu')),
  'owner-error': openAsOwner('full', '/dashboard/nothing'),
  'contacts-view-list': openContactsView('full', (page) =>
    page.locator('[data-contact]', { hasText: 'Ravi' }).waitFor(),
  ),
  'contacts-view-undo': openContactsView('full', async (page) => {
    await page.route('**/api/contacts/deleteContact/*', (route) => route.fulfill({ json: {} }));
    await page.locator('[data-contact]', { hasText: 'Wolfe' }).click();
    await clickButton(page, 'Delete contact');
    await page.getByRole('button', { name: 'Undo' }).waitFor();
  }),
  'contacts-view-offline': openContactsView('full', async (page) => {
    await page.locator('[data-contact]', { hasText: 'Ravi' }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('textbox', { name: 'Search contacts' }).fill('meera');
    await page.getByText('You are offline.').waitFor();
  }),
});
