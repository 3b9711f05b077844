import type { Page } from '@playwright/test';

import { ANALYTICS_SCREENS } from './analytics-screens.ts';
import {
  clickButton,
  failed,
  failing,
  goToCode,
  goToSocials,
  listScreens,
  loading,
  openAsOwner,
  openCard,
  openContactsView,
  openInView,
  openPage,
  press,
} from './open-screen.ts';
import type { Screens } from './open-screen.ts';
import { sendRequest } from './owner.ts';
import { choosePhoto, failCalls, waitForOfflineCopy } from './ui.ts';

const LOGIN_SCRIPT = '**/otp/embedded.js';
const PROFILE_CALLS = '**/api/user/*';
const ACCOUNT_CALLS = '**/api/account/getAccount/*';
const CONTACT_CALLS = '**/api/profile/getContacts/*';

/** Cuts the network of an open page, once the profile and its photo are stored for use without one. */
async function goOffline(page: Page): Promise<void> {
  await waitForOfflineCopy(page);
  await page.context().setOffline(true);
  await page.getByText('Offline', { exact: true }).waitFor();
}

/** The page of the account with sessions on a number of devices. */
async function account(page: Page, count: number): Promise<void> {
  const devices = ['Chrome on Android', 'Safari on iOS', '', 'Microsoft Edge on Windows'];
  const sessions = Array.from({ length: count }, (_, at) => ({
    device: devices[at % devices.length],
    signedInAt: new Date(Date.UTC(2026, 0, 10 + at)).toISOString(),
    usedAt: new Date(Date.UTC(2026, 1, 10 + at)).toISOString(),
    isCurrent: at === 0,
  }));
  const json = { phoneEnd: '3210', verification: 'code', sessions };
  await page.route(ACCOUNT_CALLS, (route) => route.fulfill({ json }));
  await page.reload();
  await page.getByText('this device').waitFor();
}

async function crop(page: Page): Promise<void> {
  await clickButton(page, 'Edit photo');
  await choosePhoto(page, { width: 900, height: 1200 });
  await page.getByRole('img', { name: 'The file that you chose' }).waitFor();
}

async function openContact(page: Page, name: string): Promise<void> {
  await page.locator('[data-contact]', { hasText: name }).click();
  await page.getByRole('textbox', { name: 'Private note' }).waitFor();
}

async function typeUpi(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'UPI ID' }).fill('asha.rao@ybl');
}

const VISITOR_SCREENS: Screens = {
  'card-full': openCard('full'),
  'card-sparse': openCard('sparse'),
  'card-long': openCard('long'),
  'card-devanagari': openCard('devanagari'),
  'card-right-to-left': openCard('rightToLeft'),
  'card-not-ready': openCard('unready'),
  'card-blocked': openCard('blocked'),
  'card-unknown': openPage('/user/nobody'),
  'card-connect': openCard('full', async (page) => {
    await clickButton(page, 'Connect');
    await page.getByRole('dialog', { name: 'Connect' }).waitFor();
  }),
  error: openPage('/no/such/page'),
  'policy-privacy': openPage('/privacy_policy'),
  'policy-refund': openPage('/Cancellation_Refund'),
  'policy-shipping': openPage('/Shipping_delivery'),
  'policy-terms': openPage('/terms_conditions'),
};

const ENTRY_SCREENS: Screens = {
  login: openPage('/login', (page) =>
    page.getByRole('textbox', { name: 'Phone number' }).waitFor(),
  ),
  'login-code': openPage('/login', (page) => goToCode(page)),
  'login-code-sms': openPage('/login', async (page) => {
    await goToCode(page, { nextAfterSeconds: 0 });
    await page.getByRole('button', { name: 'Send by SMS' }).waitFor();
  }),
  'login-sending': openPage('/login', async (page) => {
    await page.route('**/api/otp/send', () => undefined);
    await page.getByRole('textbox', { name: 'Phone number' }).fill('98765 43210');
    await clickButton(page, 'Send code');
    await page.getByText('Sending the code').waitFor();
  }),
  'login-loading': loading([null, '/login', LOGIN_SCRIPT, '.widget-skeleton']),
  'login-failed': failed([null, '/login', LOGIN_SCRIPT, '.widget-failed'], [/did not load/]),
  'login-again': failed(['full', '/dashboard', PROFILE_CALLS, '.otp-input']),
  'onboarding-loading': loading(['unnamed', '/ftue', PROFILE_CALLS, '.skeleton']),
  'onboarding-1': async (page, seed) => {
    const { phone } = await sendRequest<{ phone: string }>(
      seed.server,
      `/user/${seed.unnamed._id}`,
    );
    await openAsOwner('unnamed', `/ftue?phone=${encodeURIComponent(phone)}`)(page, seed);
  },
  'onboarding-2': openAsOwner('unnamed', '/ftue', press('Next')),
  'onboarding-3': openAsOwner('unnamed', '/ftue', goToSocials),
  'onboarding-link': openAsOwner('unnamed', '/ftue', async (page) => {
    await goToSocials(page);
    await clickButton(page, 'LinkedIn');
    await page.getByRole('dialog').getByRole('textbox').fill('not a link at all');
    await clickButton(page, 'Save');
  }),
  'onboarding-catalogue': openAsOwner('unnamed', '/ftue', async (page) => {
    await goToSocials(page);
    await clickButton(page, 'Add more');
  }),
  'onboarding-long': openAsOwner('long', '/ftue'),
  'onboarding-saving': openAsOwner('unnamed', '/ftue', async (page) => {
    await goToSocials(page);
    await page.route('**/api/user/updateUser/*', () => undefined);
    await clickButton(page, 'Next');
    await page.getByText('Setting up your Digital Business Card').waitFor();
  }),
};

const OWNER_SCREENS: Screens = {
  dashboard: openAsOwner('full', '/dashboard', (page) =>
    // It is in a chunk that loads last.
    page.getByRole('switch', { name: 'Notify me' }).waitFor(),
  ),
  'dashboard-loading': loading(['full', '/dashboard', PROFILE_CALLS, '.skeleton']),
  'dashboard-chunk-loading': loading([
    'full',
    '/dashboard',
    '**/assets/shell-*',
    '.home .skeleton',
  ]),
  'dashboard-unready': openAsOwner('unready', '/dashboard'),
  'dashboard-empty': openAsOwner('sparse', '/dashboard'),
  'dashboard-long': openAsOwner('long', '/dashboard'),
  'dashboard-contacts-failed': failed([
    'full',
    '/dashboard',
    CONTACT_CALLS,
    '.connections .note-box',
  ]),
  'dashboard-contacts-loading': loading([
    'full',
    '/dashboard',
    CONTACT_CALLS,
    '.connections-skeleton',
  ]),
  'dashboard-offline': failing(async (page, seed) => {
    await failCalls(page, CONTACT_CALLS);
    await openAsOwner('full', '/dashboard')(page, seed);
    await page.locator('.connections .note-box').waitFor();
    await goOffline(page);
  }),
  'dashboard-all': openAsOwner('full', '/dashboard', async (page) => {
    await page.getByText('Ravi Kumar').waitFor();
    await page.getByRole('link', { name: 'See all' }).click();
  }),
  'dashboard-qr': openAsOwner('long', '/dashboard', async (page) => {
    await clickButton(page, 'Show QR code full screen');
    await page.getByRole('dialog', { name: 'QR code' }).waitFor();
  }),
  'dashboard-menu': openAsOwner('full', '/dashboard', async (page) => {
    await clickButton(page, 'Menu');
    await clickButton(page, 'Legal');
  }),
  'dashboard-contact': openAsOwner('full', '/dashboard', press('Ravi Kumar')),
  contacts: openAsOwner('full', '/dashboard/contacts'),
  edit: openAsOwner('full', '/dashboard/edit'),
  'edit-loading': loading(['full', '/dashboard/edit', PROFILE_CALLS, '.skeleton']),
  'edit-unsaved': failing(
    openAsOwner('full', '/dashboard/edit', async (page) => {
      await failCalls(page, '**/api/user/updateUser/*');
      await page.getByRole('textbox', { name: 'Phone', exact: true }).fill('');
      await clickButton(page, 'Update Changes');
      await page.getByText('Unsaved changes').first().waitFor();
    }),
  ),
  'edit-offline': openAsOwner('full', '/dashboard/edit', async (page) => {
    await page.getByRole('textbox', { name: 'Designation' }).waitFor();
    await goOffline(page);
    await page.getByRole('textbox', { name: 'Designation' }).fill('Partner');
    await clickButton(page, 'Update Changes');
    await page.getByText('Sent when you are online').waitFor();
  }),
  'edit-sparse': openAsOwner('sparse', '/dashboard/edit'),
  'edit-long': openAsOwner('long', '/dashboard/edit'),
  'edit-catalogue': openAsOwner('sparse', '/dashboard/edit', press('Add more')),
  'edit-link': openAsOwner('full', '/dashboard/edit', press('Instagram')),
  'edit-photo': openAsOwner('full', '/dashboard/edit', press('Edit photo')),
  'edit-crop': openAsOwner('full', '/dashboard/edit', crop),
  account: openAsOwner('full', '/dashboard/account', (page) => account(page, 2)),
  'account-long': openAsOwner('full', '/dashboard/account', (page) => account(page, 20)),
  'account-loading': loading([
    'full',
    '/dashboard/account',
    ACCOUNT_CALLS,
    '.account-skeleton-row',
  ]),
  'account-failed': failed(['full', '/dashboard/account', ACCOUNT_CALLS, '.account-failed']),
  'account-phone': openAsOwner('full', '/dashboard/account', press('Change login phone')),
  'account-delete': openAsOwner('full', '/dashboard/account', press('Delete my account')),
  'account-verify': openAsOwner('full', '/dashboard/account/verify?for=present', (page) =>
    page.getByRole('button', { name: 'Send code' }).waitFor(),
  ),
  appearance: openAsOwner('full', '/dashboard/appearance'),
  signature: openAsOwner('full', '/dashboard/signature'),
  'signature-long': openAsOwner('long', '/dashboard/signature'),
  'signature-loading': loading([
    'full',
    '/dashboard/signature',
    PROFILE_CALLS,
    '.signature-skeleton-preview',
  ]),
};

const VIEW_SCREENS: Screens = {
  'card-pay': openInView(
    openCard('full', async (page) => {
      await clickButton(page, 'Pay by UPI');
      await page.getByRole('button', { name: 'Copy UPI ID' }).waitFor();
    }),
  ),
  'card-face': openInView((page, seed) => openPage(`/user/${seed.full._id}?lang=ta`)(page, seed)),
  faces: openInView(openAsOwner('full', '/dashboard/faces')),
  'edit-upi': openInView(
    openAsOwner('full', '/dashboard/edit', async (page) => {
      await typeUpi(page);
      await page.getByRole('textbox', { name: 'GSTIN' }).fill('27AAPFU0939F1ZW');
      await clickButton(page, 'Update Changes');
      await page.getByText('has a wrong check digit').waitFor();
    }),
  ),
  'edit-extras-failed': failing(
    openInView(async (page, seed) => {
      await failCalls(page, '**/api/user/*/extras');
      await openAsOwner('full', '/dashboard/edit')(page, seed);
      await page.getByText('could not be loaded').waitFor();
    }),
  ),
  'edit-confirm-upi': openInView(
    openAsOwner('full', '/dashboard/edit', async (page) => {
      await typeUpi(page);
      await clickButton(page, 'Update Changes');
      await page.getByRole('dialog', { name: 'Confirm UPI ID' }).waitFor();
    }),
  ),
  'contacts-view': openContactsView('full', (page) => openContact(page, 'Ravi')),
  'contacts-view-long': openContactsView('full', (page) => openContact(page, 'Wolfe')),
  'contacts-view-empty': openContactsView('sparse', (page) =>
    page.getByText('Nobody has left').waitFor(),
  ),
  'contacts-view-nothing': openContactsView('full', async (page) => {
    await page.getByRole('textbox', { name: 'Search contacts' }).fill('nobody at all');
    await page.getByText('No contact with').waitFor();
  }),
  'contacts-view-failed': failing(
    openContactsView('full', async (page) => {
      await failCalls(page, '**/api/contacts/findContacts/*');
      await page.getByRole('textbox', { name: 'Search contacts' }).fill('Ravi');
      await page.getByText('could not be loaded').waitFor();
    }),
  ),
};

export const SCREENS = listScreens({
  ...VISITOR_SCREENS,
  ...ENTRY_SCREENS,
  ...OWNER_SCREENS,
  ...VIEW_SCREENS,
  ...ANALYTICS_SCREENS,
});
