import type { Page } from '@playwright/test';

import {
  clickButton,
  goToCode,
  goToSocials,
  openAsOwner,
  openCard,
  openContactsView,
  openPage,
} from '#tests/support/open-screen.ts';
import type { Screen } from '#tests/support/open-screen.ts';

const SEND_CALLS = '**/api/otp/sendOwnerCode/*';

async function emulatePrint(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print' });
}

/** States of the screens that have pictures, but differ too little for the checks of SCREENS. */
export const MORE_STATES: readonly Screen[] = [
  {
    name: 'card-scrolled',
    open: async (page, seed) => {
      await openCard('long')(page, seed);
      await page.mouse.wheel(0, 900);
    },
  },
  {
    name: 'card-in-app',
    open: async (page, seed) => {
      await page.addInitScript(() => {
        Object.defineProperty(navigator, 'userAgent', { value: 'Instagram' });
      });
      await openCard('full')(page, seed);
    },
  },
  {
    name: 'card-connect-hints',
    open: async (page, seed) => {
      await openCard('long')(page, seed);
      await clickButton(page, 'Connect');
      await page.getByRole('textbox', { name: 'Mobile' }).pressSequentially('12a');
      await page.getByRole('textbox', { name: 'Email' }).pressSequentially('ravi at home');
      await page.getByRole('textbox', { name: 'Company' }).focus();
    },
  },
  {
    name: 'card-not-sent',
    open: async (page, seed) => {
      await page.route('**/api/profile/addContact', (route) => route.abort());
      await openCard('full')(page, seed);
      await clickButton(page, 'Connect');
      await page.getByRole('textbox', { name: 'Name' }).fill('Ravi');
      await page.getByRole('textbox', { name: 'Mobile' }).fill('98450 12345');
      await page.getByRole('textbox', { name: 'Company' }).press('Enter');
      await page.getByText('Not sent.').waitFor();
    },
  },
  {
    name: 'card-print',
    open: async (page, seed) => {
      await openCard('full')(page, seed);
      await emulatePrint(page);
    },
  },
  { name: 'policy-print', open: openPage('/terms_conditions', emulatePrint) },
  {
    name: 'login-code-wrong',
    open: openPage('/login', async (page) => {
      await goToCode(page);
      await page.route('**/api/otp/verify', (route) => route.abort());
      await page.getByRole('textbox', { name: 'Code' }).fill('123456');
      await page.getByRole('button', { name: 'Verify' }).and(page.locator(':enabled')).waitFor();
    }),
  },
  {
    name: 'onboarding-failed',
    open: openAsOwner('unnamed', '/ftue', async (page) => {
      await goToSocials(page);
      await page.route('**/api/user/updateUser/*', (route) => route.abort());
      await clickButton(page, 'Next');
      await page.getByText('Unsaved changes').waitFor();
    }),
  },
  {
    name: 'edit-photo-failed',
    open: openAsOwner('full', '/dashboard/edit', async (page) => {
      await page.route('**/api/user/removeProfileImage/*', (route) => route.abort());
      await clickButton(page, 'Edit photo');
      await clickButton(page, 'Remove photo');
      await page.getByText('The photo was not removed').waitFor();
    }),
  },
  {
    name: 'account-code',
    open: openAsOwner('full', '/dashboard/account', async (page) => {
      const json = { challenge: 'c', phone: '•••• 3210', resendAfterSeconds: 30, lifeSeconds: 300 };
      await page.route(SEND_CALLS, (route) => route.fulfill({ json }));
      await clickButton(page, 'Delete my account');
      await clickButton(page, 'Send code');
      await page.getByText('Sent to').waitFor();
    }),
  },
  { name: 'dashboard-rtl', open: openAsOwner('rightToLeft', '/dashboard') },
  { name: 'edit-rtl', open: openAsOwner('rightToLeft', '/dashboard/edit') },
  {
    name: 'signature-copied',
    open: openAsOwner('full', '/dashboard/signature', (page) =>
      clickButton(page, 'Copy signature'),
    ),
  },
  {
    name: 'analytics-placeholder-menu',
    open: openAsOwner('full', '/dashboard/analytics', (page) => clickButton(page, 'Menu')),
  },
  { name: 'owner-error', open: openAsOwner('full', '/dashboard/nothing') },
  {
    name: 'contacts-view-list',
    open: openContactsView('full', (page) =>
      page.locator('[data-contact]', { hasText: 'Ravi' }).waitFor(),
    ),
  },
  {
    name: 'contacts-view-undo',
    open: openContactsView('full', async (page) => {
      await page.route('**/api/contacts/deleteContact/*', (route) => route.fulfill({ json: {} }));
      await page.locator('[data-contact]', { hasText: 'Wolfe' }).click();
      await clickButton(page, 'Delete contact');
      await page.getByRole('button', { name: 'Undo' }).waitFor();
    }),
  },
  {
    name: 'contacts-view-offline',
    open: openContactsView('full', async (page) => {
      await page.locator('[data-contact]', { hasText: 'Ravi' }).waitFor();
      await page.context().setOffline(true);
      await page.getByRole('textbox', { name: 'Search contacts' }).fill('meera');
      await page.getByText('You are offline.').waitFor();
    }),
  },
];
