import type { Page } from '@playwright/test';
import sharp from 'sharp';

import { at, card, cutOff, owned, press, toSocials, waiting } from './open-screen.ts';
import type { Open } from './open-screen.ts';
import type { Stage } from './seed.ts';

export interface Screen {
  readonly name: string;
  readonly open: Open;
  /** What it writes to the console as errors, because a call of its does not get through. */
  readonly errors?: readonly RegExp[];
}

const full = ({ full: owner }: Stage) => owner;
const long = ({ long: owner }: Stage) => owner;
const sparse = ({ sparse: owner }: Stage) => owner;
const unnamed = ({ unnamed: owner }: Stage) => owner;

const NO_ANSWER = [/did not get through/] as const;
const PROFILE_CALLS = '**/api/user/*';
const CONTACT_CALLS = '**/api/profile/getContacts/*';

/** The code step without a code: how often one may be sent is another matter. */
async function toCode(page: Page): Promise<void> {
  const answer = {
    challenge: 'none',
    phone: '+91 98765 43210',
    resendAfterSeconds: 30,
    lifeSeconds: 600,
  };
  await page.route('**/api/otp/send', (route) => route.fulfill({ json: answer }));
  await page.getByRole('textbox', { name: 'Phone number' }).fill('98765 43210');
  await press(page, 'Send code');
  await page.getByRole('textbox', { name: 'Code' }).waitFor();
}

async function badLink(page: Page): Promise<void> {
  await toSocials(page);
  await press(page, 'LinkedIn');
  await page.getByRole('dialog').getByRole('textbox').fill('not a link at all');
  await press(page, 'Save');
}

async function saving(page: Page): Promise<void> {
  await toSocials(page);
  await page.route('**/api/user/updateUser/*', () => undefined);
  await press(page, 'Next');
  await page.getByText('Setting up your Digital Business Card').waitFor();
}

async function crop(page: Page): Promise<void> {
  await press(page, 'Edit photo');
  const picture = sharp({
    create: { width: 900, height: 1200, channels: 3, background: '#8a9a7b' },
  });
  const buffer = await picture.jpeg().toBuffer();
  const file = { name: 'me.jpg', mimeType: 'image/jpeg', buffer };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('img', { name: 'The file that you chose' }).waitFor();
}

const VISITOR_SCREENS: readonly Screen[] = [
  { name: 'card-full', open: card(full) },
  { name: 'card-sparse', open: card(sparse) },
  { name: 'card-long', open: card(long) },
  { name: 'card-devanagari', open: card((stage) => stage.devanagari) },
  { name: 'card-not-ready', open: card((stage) => stage.unready) },
  { name: 'card-unknown', open: at('/user/nobody') },
  {
    name: 'card-connect',
    open: async (page, stage) => {
      await card(full)(page, stage);
      await press(page, 'Connect');
      await page.getByRole('dialog', { name: 'Connect' }).waitFor();
    },
  },
  { name: 'error', open: at('/no/such/page') },
  { name: 'policy-privacy', open: at('/privacy_policy') },
  { name: 'policy-refund', open: at('/Cancellation_Refund') },
  { name: 'policy-shipping', open: at('/Shipping_delivery') },
  { name: 'policy-terms', open: at('/terms_conditions') },
];

const ENTRY_SCREENS: readonly Screen[] = [
  {
    name: 'login',
    open: at('/login', (page) => page.getByRole('textbox', { name: 'Phone number' }).waitFor()),
  },
  { name: 'login-code', open: at('/login', toCode) },
  {
    name: 'login-loading',
    open: waiting('/login', { calls: '**/otp/embedded.js', sign: '.widget-coming' }),
  },
  {
    name: 'login-failed',
    open: cutOff('/login', { calls: '**/otp/embedded.js', sign: '.widget-failed' }),
    errors: [/did not load/],
  },
  {
    name: 'login-again',
    open: cutOff('/dashboard', { calls: PROFILE_CALLS, sign: '.otp-input' }, full),
    errors: NO_ANSWER,
  },
  {
    name: 'onboarding-loading',
    open: waiting('/ftue', { calls: PROFILE_CALLS, sign: '.skeleton' }, unnamed),
  },
  { name: 'onboarding-1', open: owned(unnamed, '/ftue') },
  { name: 'onboarding-2', open: owned(unnamed, '/ftue', (page) => press(page, 'Next')) },
  { name: 'onboarding-3', open: owned(unnamed, '/ftue', toSocials) },
  { name: 'onboarding-link', open: owned(unnamed, '/ftue', badLink) },
  {
    name: 'onboarding-catalogue',
    open: owned(unnamed, '/ftue', async (page) => {
      await toSocials(page);
      await press(page, 'Add more');
    }),
  },
  { name: 'onboarding-long', open: owned(long, '/ftue') },
  { name: 'onboarding-saving', open: owned(unnamed, '/ftue', saving) },
];

const OWNER_SCREENS: readonly Screen[] = [
  {
    name: 'dashboard-loading',
    open: waiting('/dashboard', { calls: PROFILE_CALLS, sign: '.skeleton' }, full),
  },
  { name: 'dashboard', open: owned(full, '/dashboard') },
  { name: 'dashboard-empty', open: owned(sparse, '/dashboard') },
  { name: 'dashboard-long', open: owned(long, '/dashboard') },
  {
    name: 'dashboard-contacts-failed',
    open: cutOff('/dashboard', { calls: CONTACT_CALLS, sign: '.connections-note' }, full),
    errors: NO_ANSWER,
  },
  {
    name: 'dashboard-contacts-loading',
    open: waiting('/dashboard', { calls: CONTACT_CALLS, sign: '.connections-coming' }, full),
  },
  { name: 'dashboard-menu', open: owned(full, '/dashboard', (page) => press(page, 'Menu')) },
  { name: 'contacts', open: owned(full, '/dashboard/contacts') },
  {
    name: 'edit-loading',
    open: waiting('/dashboard/edit', { calls: PROFILE_CALLS, sign: '.skeleton' }, full),
  },
  { name: 'edit', open: owned(full, '/dashboard/edit') },
  { name: 'edit-sparse', open: owned(sparse, '/dashboard/edit') },
  { name: 'edit-long', open: owned(long, '/dashboard/edit') },
  {
    name: 'edit-catalogue',
    open: owned(sparse, '/dashboard/edit', (page) => press(page, 'Add more')),
  },
  {
    name: 'edit-link',
    open: owned(full, '/dashboard/edit', (page) => press(page, 'Instagram')),
  },
  { name: 'edit-photo', open: owned(full, '/dashboard/edit', (page) => press(page, 'Edit photo')) },
  { name: 'edit-crop', open: owned(full, '/dashboard/edit', crop) },
];

/** Every screen and pop-up of the product, in every state that it has. */
export const SCREENS: readonly Screen[] = [...VISITOR_SCREENS, ...ENTRY_SCREENS, ...OWNER_SCREENS];
