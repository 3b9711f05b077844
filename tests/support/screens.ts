import type { Page } from '@playwright/test';

import { DAY_MS } from '#domain/duration.ts';
import { UNIQUE_KIND, VISIT_DAYS_MAX, VISIT_KINDS } from '#domain/visit.ts';

import { sendRequest, storeSession } from './owner.ts';
import type { OwnerName, Seed } from './seed.ts';
import * as ui from './ui.ts';

type OpenScreen = (page: Page, seed: Seed) => Promise<unknown>;
type Action = (page: Page) => Promise<unknown>;

/** Waits until no skeleton is left and all pictures are loaded, except for those below the screen. */
export async function waitForContent(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.readyState === 'complete' &&
      document.querySelector('.skeleton') === null &&
      [...document.images].every((image) => image.complete || image.loading === 'lazy'),
  );
}

export const press = (name: string) => (page: Page) => ui.button(page, name).first().click();
const type = (name: string, text: string) => (page: Page) => ui.textbox(page, name).fill(text);
const failNext = (calls: string) => (page: Page) => ui.failCalls(page, calls);
const leaveUnanswered = (calls: string) => (page: Page) => page.route(calls, () => undefined);
const waitForText = (text: string) => (page: Page) => page.getByText(text).first().waitFor();
const waitForButton = (name: string) => (page: Page) => ui.button(page, name).waitFor();
const waitForDialog = (name: string) => (page: Page) => ui.dialog(page, name).waitFor();

const openPage =
  (path: string, ...actions: Action[]): OpenScreen =>
  async (page, { server }) => {
    await page.goto(server.origin + path);
    for (const action of [waitForContent, ...actions]) await action(page);
  };

const openCard =
  (owner: OwnerName, ...actions: Action[]): OpenScreen =>
  (page, seed) =>
    openPage(`/user/${seed[owner]._id}`, ...actions)(page, seed);

const openAsOwner =
  (owner: OwnerName, path: string, ...actions: Action[]): OpenScreen =>
  async (page, seed) => {
    await storeSession(page, seed.server, seed[owner]);
    await openPage(path, ...actions)(page, seed);
  };

/** Opens a screen that logs an error, because one of its calls fails. */
const withExpectedError =
  (open: OpenScreen, error = /did not (get through|load)/): OpenScreen =>
  (page, seed) => {
    ui.expectErrors(page, error);
    return open(page, seed);
  };

/** The signed-in owner, the path, the calls, and a selector of what is visible when the screen is ready. */
type CallScreen = [owner: OwnerName | null, path: string, calls: string, visible: string];

const openCalls =
  ([owner, path, calls, visible]: CallScreen, isFailed: boolean): OpenScreen =>
  async (page, seed) => {
    if (owner) await storeSession(page, seed.server, seed[owner]);
    await page.route(calls, (route) => (isFailed ? route.abort() : undefined));
    await page.goto(seed.server.origin + path, { waitUntil: 'commit' });
    await page.locator(visible).first().waitFor();
  };

const loading = (...screen: CallScreen) => openCalls(screen, false);
const failed = (...screen: CallScreen) => withExpectedError(openCalls(screen, true));

/** Opens a screen of the service that has the views, CARD_EXTRAS and LANGUAGES. */
const openInView =
  (open: OpenScreen): OpenScreen =>
  async (page, seed) =>
    open(page, { ...seed, ...(await seed.openViews()) });

const openContactsView = (owner: 'full' | 'sparse', ...actions: Action[]) =>
  openInView(openAsOwner(owner, '/dashboard/contacts', ...actions));

export async function goToSocials(page: Page): Promise<void> {
  await type('Name', 'Asha Rao')(page);
  for (const title of ['Where you work', 'Add Socials']) {
    await press('Next')(page);
    await ui.heading(page, title).waitFor();
  }
}

/** Shows the code step of the login page without sending a code, so that no rate limit applies. */
const goToCode =
  (more: object = {}) =>
  async (page: Page) => {
    const sent = { challenge: 'none', phone: '+919876543210', phoneText: '+91 98765 43210' };
    const json = { ...sent, resendAfterSeconds: 30, lifeSeconds: 600, ...more };
    await page.route('**/api/otp/send', (route) => route.fulfill({ json }));
    await type('Phone number', '98765 43210')(page);
    await press('Send code')(page);
    await ui.textbox(page, 'Code').waitFor();
  };

const LOGIN_SCRIPT = '**/otp/embedded.js';
const PROFILE_CALLS = '**/api/user/*';
const SAVE_CALLS = '**/api/user/updateUser/*';
const ACCOUNT_CALLS = '**/api/account/getAccount/*';
const CONTACTS = '**/api/profile/getContacts/*';
const ANALYTICS_CALLS = '**/api/profile/getAnalytics/*';

/** Cuts off the network of an open page once its profile and photo are stored for use without a network. */
async function goOffline(page: Page): Promise<void> {
  await ui.waitForOfflineCopy(page);
  await page.context().setOffline(true);
  await page.getByText('Offline', { exact: true }).waitFor();
}

const account = (count: number) =>
  openAsOwner('full', '/dashboard/account', async (page) => {
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
    await waitForText('this device')(page);
  });

const dayOf = (time: number) => new Date(time).toISOString().slice(0, '2026-01-15'.length);

/** Opens the Analytics view with counts that differ from day to day. Those of the first kind are the largest. */
const analytics = (days: number, first: number): OpenScreen =>
  openInView(async (page, seed) => {
    const today = Date.UTC(2026, 0, 15);
    const json = {
      today: dayOf(today),
      days: Array.from({ length: days }, (_, at) => {
        const count = (rank: number) => Math.round((first * (2 + Math.sin(at))) / (rank + 2));
        const counts = Object.fromEntries(VISIT_KINDS.map((kind, rank) => [kind, count(rank)]));
        const unique = { [UNIQUE_KIND]: Math.round(count(0) * 0.7) };
        return { day: dayOf(today - at * DAY_MS), counts: { ...counts, ...unique } };
      }),
    };
    await page.route(ANALYTICS_CALLS, (route) => route.fulfill({ json }));
    await openAsOwner('full', '/dashboard/analytics', (opened) =>
      // The view shows the chart, or a note in its place.
      opened.locator('.analytics-chart svg, .analytics .note-box').waitFor(),
    )(page, seed);
  });

const openContact = (name: string) => async (page: Page) => {
  await page.locator('[data-contact]', { hasText: name }).click();
  await ui.textbox(page, 'Private note').waitFor();
};

const onboarding = (...actions: Action[]) => openAsOwner('unnamed', '/ftue', ...actions);
const dashboard = (...actions: Action[]) => openAsOwner('full', '/dashboard', ...actions);
const edit = (...actions: Action[]) => openAsOwner('full', '/dashboard/edit', ...actions);
const typeUpi = type('UPI ID', 'asha.rao@ybl');
const update = press('Update Changes');

const OPEN: Readonly<Record<string, OpenScreen>> = {
  'card-full': openCard('full'),
  'card-sparse': openCard('sparse'),
  'card-long': openCard('long'),
  'card-devanagari': openCard('devanagari'),
  'card-right-to-left': openCard('rightToLeft'),
  'card-not-ready': openCard('unready'),
  'card-blocked': openCard('blocked'),
  'card-unknown': openPage('/user/nobody'),
  'card-connect': openCard('full', press('Connect'), waitForDialog('Connect')),
  'card-extras': openInView(openCard('full')),
  'card-pay': openInView(openCard('full', press('Pay by UPI'), waitForButton('Copy UPI ID'))),
  'card-translation': openInView((page, seed) =>
    openPage(`/user/${seed.full._id}?lang=mr`)(page, seed),
  ),
  error: openPage('/no/such/page'),
  'policy-privacy': openPage('/privacy_policy'),
  'policy-refund': openPage('/Cancellation_Refund'),
  'policy-shipping': openPage('/Shipping_delivery'),
  'policy-terms': openPage('/terms_conditions'),

  login: openPage('/login', (page) => ui.textbox(page, 'Phone number').waitFor()),
  'login-code': openPage('/login', goToCode()),
  'login-code-sms': openPage(
    '/login',
    goToCode({ nextAfterSeconds: 0 }),
    waitForButton('Send by SMS'),
  ),
  'login-code-email': openPage('/login', goToCode({ sentBy: 'email' })),
  'login-loading': loading(null, '/login', LOGIN_SCRIPT, '.widget-skeleton'),
  'login-failed': failed(null, '/login', LOGIN_SCRIPT, '.widget-failed'),
  'login-again': failed('full', '/dashboard', PROFILE_CALLS, '.otp-input'),

  'onboarding-loading': loading('unnamed', '/ftue', PROFILE_CALLS, '.skeleton'),
  'onboarding-1': async (page, seed) => {
    const path = `/user/${seed.unnamed._id}`;
    const { phone } = await sendRequest<{ phone: string }>(seed.server, path);
    await openAsOwner('unnamed', `/ftue?phone=${encodeURIComponent(phone)}`)(page, seed);
  },
  'onboarding-filled': onboarding(async (page) => {
    const lines = ['FN:Asha Rao', 'ORG:Rao & Partners', 'TITLE:Architect', 'NOTE:Houses.'];
    const file = ['BEGIN:VCARD', ...lines, 'URL:https://rao.example', 'END:VCARD'].join('\n');
    const control = ui.button(page, 'Fill in from a contact file');
    await ui.chooseFile(control, 'me.vcf', Buffer.from(file));
    await page.getByText('Filled in').waitFor();
  }),
  'onboarding-2': onboarding(press('Next')),
  'onboarding-3': onboarding(goToSocials),
  'onboarding-link': onboarding(goToSocials, press('LinkedIn'), async (page) => {
    await page.getByRole('dialog').getByRole('textbox').fill('not a link at all');
    await press('Save')(page);
  }),
  'onboarding-catalogue': onboarding(goToSocials, press('Add more')),
  'onboarding-long': openAsOwner('long', '/ftue'),
  'onboarding-saving': onboarding(
    goToSocials,
    leaveUnanswered(SAVE_CALLS),
    press('Next'),
    waitForText('Setting up your Digital Business Card'),
  ),

  // The chunk with this switch is the last to load.
  dashboard: dashboard((page) => page.getByRole('switch', { name: 'Notify me' }).waitFor()),
  'dashboard-loading': loading('full', '/dashboard', PROFILE_CALLS, '.skeleton'),
  'dashboard-chunk-loading': loading('full', '/dashboard', '**/assets/shell-*', '.home .skeleton'),
  'dashboard-unready': openAsOwner('unready', '/dashboard'),
  'dashboard-empty': openAsOwner('sparse', '/dashboard'),
  'dashboard-long': openAsOwner('long', '/dashboard'),
  'dashboard-contacts-failed': failed('full', '/dashboard', CONTACTS, '.connections .note-box'),
  'dashboard-contacts-loading': loading('full', '/dashboard', CONTACTS, '.connections-skeleton'),
  'dashboard-offline': async (page, seed) => {
    await failed('full', '/dashboard', CONTACTS, '.connections .note-box')(page, seed);
    await goOffline(page);
  },
  'dashboard-all': dashboard(waitForText('Ravi Kumar'), (page) => ui.link(page, 'See all').click()),
  'dashboard-qr': openAsOwner('long', '/dashboard?qr', waitForDialog('QR code')),
  'dashboard-menu': dashboard(press('Menu'), press('Legal')),
  // This device has not shown these contacts before.
  'dashboard-new': openInView(
    openAsOwner('full', '/dashboard', async (page) => {
      await page.evaluate(() => localStorage.setItem('contactsSeen', '0'));
      await page.reload();
      await ui.link(page, '4 new').waitFor();
    }),
  ),
  'dashboard-contact': dashboard(press('Ravi Kumar')),
  contacts: openAsOwner('full', '/dashboard/contacts'),

  edit: openAsOwner('full', '/dashboard/edit'),
  'edit-loading': loading('full', '/dashboard/edit', PROFILE_CALLS, '.skeleton'),
  'edit-unsaved': withExpectedError(
    edit(failNext(SAVE_CALLS), type('Phone', ''), update, waitForText('Not saved')),
  ),
  'edit-offline': edit(
    (page) => ui.textbox(page, 'Designation').waitFor(),
    goOffline,
    type('Designation', 'Partner'),
    waitForText('Saving needs a network'),
  ),
  'edit-sparse': openAsOwner('sparse', '/dashboard/edit'),
  'edit-long': openAsOwner('long', '/dashboard/edit'),
  'edit-catalogue': openAsOwner('sparse', '/dashboard/edit', press('Add more')),
  'edit-link': edit(press('Instagram')),
  'edit-photo': edit(press('Edit photo')),
  'edit-crop': edit(press('Edit photo'), async (page) => {
    await ui.choosePhoto(page, { width: 900, height: 1200 });
    await page.getByRole('img', { name: 'The file you chose' }).waitFor();
  }),
  'edit-upi': openInView(
    edit(typeUpi, type('GSTIN', '27AAPFU0939F1ZW'), update, waitForText('has a wrong check digit')),
  ),
  'edit-extras-failed': openInView(
    failed('full', '/dashboard/edit', '**/api/user/*/extras', "text=couldn't load"),
  ),
  'edit-confirm-upi': openInView(edit(typeUpi, update, waitForDialog('Confirm UPI ID'))),

  account: account(2),
  'account-long': account(20),
  'account-address': withExpectedError(
    openAsOwner(
      'full',
      '/dashboard/account',
      type('Card link', 'support-team'),
      press('Save link'),
      waitForText('This name is reserved.'),
    ),
    /answered 400/,
  ),
  'account-loading': loading('full', '/dashboard/account', ACCOUNT_CALLS, '.account-skeleton-row'),
  'account-failed': failed('full', '/dashboard/account', ACCOUNT_CALLS, 'main .note-box'),
  'account-archive': openAsOwner('full', '/dashboard/account', press('Bring in an archive')),
  'account-phone': openAsOwner('full', '/dashboard/account', press('Change login phone')),
  'account-delete': openAsOwner('full', '/dashboard/account', press('Delete my account')),
  'account-verify': openAsOwner(
    'full',
    '/dashboard/account/verify?for=present',
    waitForButton('Send code'),
  ),
  appearance: openAsOwner('full', '/dashboard/appearance'),
  table: openAsOwner('full', '/dashboard/table'),
  'table-running': openAsOwner(
    'full',
    '/dashboard/table',
    press('Start a table'),
    waitForDialog('QR code'),
  ),
  signature: openAsOwner('full', '/dashboard/signature'),
  'signature-long': openAsOwner('long', '/dashboard/signature'),
  translations: openInView(openAsOwner('full', '/dashboard/translations')),

  'contacts-view': openContactsView('full', openContact('Ravi')),
  'contacts-view-long': openContactsView('full', openContact('Wolfe')),
  'contacts-view-empty': openContactsView('sparse', waitForText('Nobody has left')),
  'contacts-view-nothing': openContactsView(
    'full',
    type('Search contacts', 'nobody at all'),
    waitForText('No contact with'),
  ),
  'contacts-view-failed': withExpectedError(
    openContactsView(
      'full',
      failNext('**/api/contacts/findContacts/*'),
      type('Search contacts', 'Ravi'),
      waitForText("couldn't load"),
    ),
  ),
  'contacts-view-add': openContactsView('full', press('Add contact'), waitForDialog('Add contact')),
  'contacts-view-waiting': withExpectedError(
    openContactsView(
      'full',
      (page) => page.route('**/api/contacts/addContacts/*', (route) => route.abort()),
      press('Add contact'),
      (page) => ui.addContact(page, { Name: 'Kavya Nair', Mobile: '98470 11223' }),
      waitForText('1 waiting'),
    ),
  ),
  'contacts-view-import': openContactsView(
    'full',
    (page) => ui.chooseVcards(page, 'google-3.0', 'iphone-3.0', 'android-2.1'),
    waitForText('Already there'),
  ),
  'contacts-view-remind': openContactsView(
    'full',
    openContact('Ravi'),
    press('Remind me'),
    waitForText('Next week'),
  ),
  'contacts-view-to-do': openContactsView(
    'full',
    openContact('Ravi'),
    press('Remind me'),
    press('Tomorrow'),
    waitForText('Reminder: tomorrow'),
    press('Close'),
    press('Later'),
    waitForText('is due'),
  ),
  'contacts-view-templates': openContactsView(
    'full',
    (page) => ui.chooseMore(page, 'Templates'),
    waitForDialog('Templates'),
  ),
  'contacts-view-chosen': openContactsView(
    'full',
    (page) => ui.chooseMore(page, 'Select'),
    (page) => page.locator('[data-contact]', { hasText: 'Ravi' }).click(),
    waitForText('1 chosen'),
  ),
  analytics: analytics(VISIT_DAYS_MAX, 31_000),
  'analytics-empty': analytics(0, 0),
  'analytics-loading': openInView(
    loading('full', '/dashboard/analytics', ANALYTICS_CALLS, '.analytics .skeleton'),
  ),
  'analytics-failed': openInView(
    failed('full', '/dashboard/analytics', ANALYTICS_CALLS, '.analytics .note-box'),
  ),
};

export const SCREENS = Object.entries(OPEN).map(([name, open]) => ({ name, open }));
