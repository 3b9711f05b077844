import type { Page } from '@playwright/test';
import sharp from 'sharp';

import { ANALYTICS_SCREENS } from './analytics-screens.ts';
import { waitForOfflineCopy } from './offline-copy.ts';
import {
  FAILED_CALL,
  clickButton,
  failedScreen,
  goToCode,
  goToSocials,
  loadingScreen,
  openAsOwner,
  openCard,
  openContactsView,
  openInView,
  openPage,
} from './open-screen.ts';
import type { Screen } from './open-screen.ts';
import { sendRequest, storeSession } from './owner.ts';

/** The switch is in a chunk that loads last. */
const waitForSwitch = (page: Page) => page.getByRole('switch', { name: 'Notify me' }).waitFor();

const LOGIN_SCRIPT = '**/otp/embedded.js';
const PROFILE_CALLS = '**/api/user/*';
const ACCOUNT_CALLS = '**/api/account/getAccount/*';
const CONTACT_CALLS = '**/api/profile/getContacts/*';

const DEVICES = ['Chrome on Android', 'Safari on iOS', '', 'Microsoft Edge on Windows'];

/** Cuts the network of an open page, once the profile and its photo are stored for use without one. */
async function goOffline(page: Page): Promise<void> {
  await waitForOfflineCopy(page);
  await page.context().setOffline(true);
  await page.getByText('Offline', { exact: true }).waitFor();
}

async function account(page: Page, count: number): Promise<void> {
  const sessions = Array.from({ length: count }, (_, at) => ({
    device: DEVICES[at % DEVICES.length],
    signedInAt: new Date(Date.UTC(2026, 0, 10 + at)).toISOString(),
    usedAt: new Date(Date.UTC(2026, 1, 10 + at)).toISOString(),
    isCurrent: at === 0,
  }));
  const json = { phoneEnd: '3210', verification: 'code', sessions };
  await page.route(ACCOUNT_CALLS, (route) => route.fulfill({ json }));
  await page.reload();
  await page.getByText('this device').waitFor();
}

async function badLink(page: Page): Promise<void> {
  await goToSocials(page);
  await clickButton(page, 'LinkedIn');
  await page.getByRole('dialog').getByRole('textbox').fill('not a link at all');
  await clickButton(page, 'Save');
}

async function saving(page: Page): Promise<void> {
  await goToSocials(page);
  await page.route('**/api/user/updateUser/*', () => undefined);
  await clickButton(page, 'Next');
  await page.getByText('Setting up your Digital Business Card').waitFor();
}

async function crop(page: Page): Promise<void> {
  await clickButton(page, 'Edit photo');
  const picture = sharp({
    create: { width: 900, height: 1200, channels: 3, background: '#8a9a7b' },
  });
  const buffer = await picture.jpeg().toBuffer();
  const file = { name: 'me.jpg', mimeType: 'image/jpeg', buffer };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('img', { name: 'The file that you chose' }).waitFor();
}

const VISITOR_SCREENS: readonly Screen[] = [
  { name: 'card-full', open: openCard('full') },
  { name: 'card-sparse', open: openCard('sparse') },
  { name: 'card-long', open: openCard('long') },
  { name: 'card-devanagari', open: openCard('devanagari') },
  { name: 'card-right-to-left', open: openCard('rightToLeft') },
  { name: 'card-not-ready', open: openCard('unready') },
  { name: 'card-blocked', open: openCard('blocked') },
  { name: 'card-unknown', open: openPage('/user/nobody') },
  {
    name: 'card-connect',
    open: async (page, seed) => {
      await openCard('full')(page, seed);
      await clickButton(page, 'Connect');
      await page.getByRole('dialog', { name: 'Connect' }).waitFor();
    },
  },
  { name: 'error', open: openPage('/no/such/page') },
  { name: 'policy-privacy', open: openPage('/privacy_policy') },
  { name: 'policy-refund', open: openPage('/Cancellation_Refund') },
  { name: 'policy-shipping', open: openPage('/Shipping_delivery') },
  { name: 'policy-terms', open: openPage('/terms_conditions') },
];

const ENTRY_SCREENS: readonly Screen[] = [
  {
    name: 'login',
    open: openPage('/login', (page) =>
      page.getByRole('textbox', { name: 'Phone number' }).waitFor(),
    ),
  },
  { name: 'login-code', open: openPage('/login', (page) => goToCode(page)) },
  {
    name: 'login-code-sms',
    open: openPage('/login', async (page) => {
      await goToCode(page, { nextAfterSeconds: 0 });
      await page.getByRole('button', { name: 'Send by SMS' }).waitFor();
    }),
  },
  {
    name: 'login-sending',
    open: openPage('/login', async (page) => {
      await page.route('**/api/otp/send', () => undefined);
      await page.getByRole('textbox', { name: 'Phone number' }).fill('98765 43210');
      await clickButton(page, 'Send code');
      await page.getByText('Sending the code').waitFor();
    }),
  },
  loadingScreen(['login-loading', null, '/login', LOGIN_SCRIPT, '.widget-skeleton']),
  failedScreen(['login-failed', null, '/login', LOGIN_SCRIPT, '.widget-failed', [/did not load/]]),
  failedScreen(['login-again', 'full', '/dashboard', PROFILE_CALLS, '.otp-input']),
  loadingScreen(['onboarding-loading', 'unnamed', '/ftue', PROFILE_CALLS, '.skeleton']),
  {
    name: 'onboarding-1',
    open: async (page, seed) => {
      await storeSession(page, seed.server, seed.unnamed);
      const { phone } = await sendRequest<{ phone: string }>(
        seed.server,
        `/user/${seed.unnamed._id}`,
      );
      await openPage(`/ftue?phone=${encodeURIComponent(phone)}`)(page, seed);
    },
  },
  {
    name: 'onboarding-2',
    open: openAsOwner('unnamed', '/ftue', (page) => clickButton(page, 'Next')),
  },
  { name: 'onboarding-3', open: openAsOwner('unnamed', '/ftue', goToSocials) },
  { name: 'onboarding-link', open: openAsOwner('unnamed', '/ftue', badLink) },
  {
    name: 'onboarding-catalogue',
    open: openAsOwner('unnamed', '/ftue', async (page) => {
      await goToSocials(page);
      await clickButton(page, 'Add more');
    }),
  },
  { name: 'onboarding-long', open: openAsOwner('long', '/ftue') },
  { name: 'onboarding-saving', open: openAsOwner('unnamed', '/ftue', saving) },
];

const OWNER_SCREENS: readonly Screen[] = [
  loadingScreen(['dashboard-loading', 'full', '/dashboard', PROFILE_CALLS, '.skeleton']),
  { name: 'dashboard', open: openAsOwner('full', '/dashboard', waitForSwitch) },
  loadingScreen([
    'dashboard-chunk-loading',
    'full',
    '/dashboard',
    '**/assets/shell-*',
    '.home .skeleton',
  ]),
  { name: 'dashboard-unready', open: openAsOwner('unready', '/dashboard') },
  { name: 'dashboard-empty', open: openAsOwner('sparse', '/dashboard') },
  { name: 'dashboard-long', open: openAsOwner('long', '/dashboard') },
  failedScreen([
    'dashboard-contacts-failed',
    'full',
    '/dashboard',
    CONTACT_CALLS,
    '.connections .note-box',
  ]),
  loadingScreen([
    'dashboard-contacts-loading',
    'full',
    '/dashboard',
    CONTACT_CALLS,
    '.connections-skeleton',
  ]),
  {
    name: 'dashboard-offline',
    open: async (page, seed) => {
      await page.route(CONTACT_CALLS, (route) => route.abort());
      await openAsOwner('full', '/dashboard')(page, seed);
      await page.locator('.connections .note-box').waitFor();
      await goOffline(page);
    },
    errors: FAILED_CALL,
  },
  {
    name: 'dashboard-all',
    open: openAsOwner('full', '/dashboard', async (page) => {
      await page.getByText('Ravi Kumar').waitFor();
      await page.getByRole('link', { name: 'See all' }).click();
    }),
  },
  {
    name: 'dashboard-qr',
    open: openAsOwner('long', '/dashboard', async (page) => {
      await clickButton(page, 'Show QR code full screen');
      await page.getByRole('dialog', { name: 'QR code' }).waitFor();
    }),
  },
  {
    name: 'dashboard-menu',
    open: openAsOwner('full', '/dashboard', async (page) => {
      await clickButton(page, 'Menu');
      await clickButton(page, 'Legal');
    }),
  },
  {
    name: 'dashboard-contact',
    open: openAsOwner('full', '/dashboard', (page) => clickButton(page, 'Ravi Kumar')),
  },
  { name: 'contacts', open: openAsOwner('full', '/dashboard/contacts') },
  loadingScreen(['edit-loading', 'full', '/dashboard/edit', PROFILE_CALLS, '.skeleton']),
  { name: 'edit', open: openAsOwner('full', '/dashboard/edit') },
  {
    name: 'edit-unsaved',
    open: openAsOwner('full', '/dashboard/edit', async (page) => {
      await page.route('**/api/user/updateUser/*', (route) => route.abort());
      await page.getByRole('textbox', { name: 'Phone', exact: true }).fill('');
      await clickButton(page, 'Update Changes');
      await page.getByText('Unsaved changes').first().waitFor();
    }),
    errors: FAILED_CALL,
  },
  {
    name: 'edit-offline',
    open: openAsOwner('full', '/dashboard/edit', async (page) => {
      await page.getByRole('textbox', { name: 'Designation' }).waitFor();
      await goOffline(page);
      await page.getByRole('textbox', { name: 'Designation' }).fill('Partner');
      await clickButton(page, 'Update Changes');
      await page.getByText('Sent when you are online').waitFor();
    }),
  },
  { name: 'edit-sparse', open: openAsOwner('sparse', '/dashboard/edit') },
  { name: 'edit-long', open: openAsOwner('long', '/dashboard/edit') },
  {
    name: 'edit-catalogue',
    open: openAsOwner('sparse', '/dashboard/edit', (page) => clickButton(page, 'Add more')),
  },
  {
    name: 'edit-link',
    open: openAsOwner('full', '/dashboard/edit', (page) => clickButton(page, 'Instagram')),
  },
  {
    name: 'edit-photo',
    open: openAsOwner('full', '/dashboard/edit', (page) => clickButton(page, 'Edit photo')),
  },
  { name: 'edit-crop', open: openAsOwner('full', '/dashboard/edit', crop) },
  { name: 'account', open: openAsOwner('full', '/dashboard/account', (page) => account(page, 2)) },
  {
    name: 'account-long',
    open: openAsOwner('full', '/dashboard/account', (page) => account(page, 20)),
  },
  loadingScreen([
    'account-loading',
    'full',
    '/dashboard/account',
    ACCOUNT_CALLS,
    '.account-skeleton-row',
  ]),
  failedScreen(['account-failed', 'full', '/dashboard/account', ACCOUNT_CALLS, '.account-failed']),
  {
    name: 'account-phone',
    open: openAsOwner('full', '/dashboard/account', async (page) => {
      await clickButton(page, 'Change login phone');
    }),
  },
  {
    name: 'account-delete',
    open: openAsOwner('full', '/dashboard/account', async (page) => {
      await clickButton(page, 'Delete my account');
    }),
  },
  { name: 'appearance', open: openAsOwner('full', '/dashboard/appearance') },
  { name: 'signature', open: openAsOwner('full', '/dashboard/signature') },
  { name: 'signature-long', open: openAsOwner('long', '/dashboard/signature') },
  loadingScreen([
    'signature-loading',
    'full',
    '/dashboard/signature',
    PROFILE_CALLS,
    '.signature-skeleton-preview',
  ]),
  {
    name: 'account-verify',
    open: openAsOwner('full', '/dashboard/account/verify?for=present', (page) =>
      page.getByRole('button', { name: 'Send code' }).waitFor(),
    ),
  },
];

async function openContact(page: Page, name: string): Promise<void> {
  await page.locator('[data-contact]', { hasText: name }).click();
  await page.getByRole('textbox', { name: 'Private note' }).waitFor();
}

const EXTRAS_SCREENS: readonly Screen[] = [
  {
    name: 'card-pay',
    open: openInView(async (page, seed) => {
      await openCard('full')(page, seed);
      await clickButton(page, 'Pay by UPI');
      await page.getByRole('button', { name: 'Copy UPI ID' }).waitFor();
    }),
  },
  { name: 'faces', open: openInView(openAsOwner('full', '/dashboard/faces')) },
  {
    name: 'card-face',
    open: openInView((page, seed) => openPage(`/user/${seed.full._id}?lang=ta`)(page, seed)),
  },
  {
    name: 'edit-upi',
    open: openInView(
      openAsOwner('full', '/dashboard/edit', async (page) => {
        await page.getByRole('textbox', { name: 'UPI ID' }).fill('asha.rao@ybl');
        await page.getByRole('textbox', { name: 'GSTIN' }).fill('27AAPFU0939F1ZW');
        await clickButton(page, 'Update Changes');
        await page.getByText('has a wrong check digit').waitFor();
      }),
    ),
  },
  {
    name: 'edit-extras-failed',
    open: openInView(async (page, seed) => {
      await page.route('**/api/user/*/extras', (route) => route.abort());
      await openAsOwner('full', '/dashboard/edit', (opened) =>
        opened.getByText('could not be loaded').waitFor(),
      )(page, seed);
    }),
    errors: FAILED_CALL,
  },
  {
    name: 'edit-confirm-upi',
    open: openInView(
      openAsOwner('full', '/dashboard/edit', async (page) => {
        await page.getByRole('textbox', { name: 'UPI ID' }).fill('asha.rao@ybl');
        await clickButton(page, 'Update Changes');
        await page.getByRole('dialog', { name: 'Confirm UPI ID' }).waitFor();
      }),
    ),
  },
];

const VIEW_SCREENS: readonly Screen[] = [
  { name: 'contacts-view', open: openContactsView('full', (page) => openContact(page, 'Ravi')) },
  {
    name: 'contacts-view-long',
    open: openContactsView('full', (page) => openContact(page, 'Wolfe')),
  },
  {
    name: 'contacts-view-empty',
    open: openContactsView('sparse', (page) => page.getByText('Nobody has left').waitFor()),
  },
  {
    name: 'contacts-view-nothing',
    open: openContactsView('full', async (page) => {
      await page.getByRole('textbox', { name: 'Search contacts' }).fill('nobody at all');
      await page.getByText('No contact with').waitFor();
    }),
  },
  {
    name: 'contacts-view-failed',
    open: openContactsView('full', async (page) => {
      await page.route('**/api/contacts/findContacts/*', (route) => route.abort());
      await page.getByRole('textbox', { name: 'Search contacts' }).fill('Ravi');
      await page.getByText('could not be loaded').waitFor();
    }),
    errors: FAILED_CALL,
  },
];

export const SCREENS: readonly Screen[] = [
  ...VISITOR_SCREENS,
  ...ENTRY_SCREENS,
  ...OWNER_SCREENS,
  ...VIEW_SCREENS,
  ...EXTRAS_SCREENS,
  ...ANALYTICS_SCREENS,
];
