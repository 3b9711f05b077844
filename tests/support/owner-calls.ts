import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { makeZip } from 'client-zip';

import type { Endpoint } from '#contract/endpoint.ts';

import * as ui from './ui.ts';
import { addAuthenticator, newCredential } from './virtual-authenticator.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const IMPORT = /import \{([^}]*)\} from '#contract\/([a-z-]+)\.ts'/g;
const VISITOR_FILES = /^feature\/(?:signin|card|landing)\//;
/** These endpoints are left out, for these reasons. */
const EXCLUDED: Readonly<Record<string, string>> = {
  addContact: 'The public card sends it.',
  getTableLive: 'Without it the page asks again every ten seconds.',
  logout: 'Its way out is the login page, whatever it answers.',
  checkHandle: 'Without an answer the entry is taken, and the save checks it again.',
};

/** Returns the endpoints that the files of the owner's pages import, by their names in the code. */
export async function ownerEndpoints(): Promise<ReadonlyMap<string, Endpoint>> {
  const found = new Map<string, Endpoint>();
  const files = readdirSync(join(ROOT, 'web'), { recursive: true, encoding: 'utf8' });
  for (const file of files) {
    if (!/\.tsx?$/.test(file) || /\.test\./.test(file) || VISITOR_FILES.test(file)) continue;
    for (const [, names = '', module] of readFileSync(join(ROOT, 'web', file), 'utf8').matchAll(
      IMPORT,
    )) {
      const path = join(ROOT, 'contract', `${module}.ts`);
      const values = (await import(path)) as Readonly<Record<string, Endpoint | undefined>>;
      for (const name of names.split(',').map((one) => one.trim())) {
        const value = values[name];
        const isEndpoint = typeof value === 'object' && 'path' in value && 'reply' in value;
        if (isEndpoint && !(name in EXCLUDED)) found.set(name, value);
      }
    }
  }
  return found;
}

export interface OwnerCall {
  /** The path of the page that makes the call. */
  readonly at: string;
  /** Runs once, before the call is made. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** Makes the call. By default, opening the page makes it, and then the way out. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** Returns the control with which the user goes on after a failure. By default it is 'Try again'. */
  readonly wayOut?: (page: Page) => Locator;
  readonly needs?: 'photo' | 'push';
}

const tryAgain = (page: Page) => ui.button(page, 'Try again');

const press = (name: string): Pick<OwnerCall, 'act' | 'wayOut'> => ({
  act: (page) => ui.button(page, name).last().click(),
  wayOut: (page) => ui.button(page, name).last(),
});
const follow = (name: string): Pick<OwnerCall, 'act' | 'wayOut'> => ({
  act: (page) => ui.link(page, name).click(),
  wayOut: (page) => ui.link(page, name),
});
/** Presses an entry of the menu 'More'. */
const chooseMore = (name: string): Pick<OwnerCall, 'act' | 'wayOut'> => ({
  act: (page) => ui.chooseMore(page, name),
  wayOut: (page) => ui.button(page, 'More'),
});
/** Makes the call with `first`, and repeats it with 'Try again'. */
const onceThenTryAgain = (first: (page: Page) => Promise<unknown>): Pick<OwnerCall, 'act'> => ({
  act: async (page) => ((await tryAgain(page).count()) > 0 ? tryAgain(page).click() : first(page)),
});

const APPEARANCE = '/dashboard/appearance';
const LOGO = {
  name: 'logo.svg',
  mimeType: 'image/svg+xml',
  buffer: Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="80"><circle cx="40" cy="40" r="30"/></svg>',
  ),
};
const addLogo = (page: Page) => page.locator('input[type="file"]').setInputFiles(LOGO);

const ACCOUNT = '/dashboard/account';
const typeCode = async (within: Locator) => {
  await ui.button(within, 'Send code').click();
  await ui.textbox(within, 'Code').fill('123456');
};
/** Opens a dialog and enters a code of `answerCodes`. */
async function verify(page: Page, open: string): Promise<void> {
  await answerCodes(page);
  await ui.button(page, open).click();
  await typeCode(page.getByRole('dialog'));
  await expect(page.getByRole('dialog').locator('[type="submit"]').last()).toBeEnabled();
}
/** Enters a code and chooses an archive with one contact. */
async function chooseArchive(page: Page): Promise<void> {
  await verify(page, 'Bring in an archive');
  const contact = {
    id: '0'.repeat(21),
    receivedAt: '2026-01-01T00:00:00Z',
    name: 'A',
    mobile: '1',
  };
  const zip = makeZip([
    { name: 'version', input: '1' },
    { name: 'card.json', input: JSON.stringify({ name: 'Asha' }) },
    { name: 'contacts.json', input: JSON.stringify([contact]) },
  ]);
  const buffer = Buffer.from(await new Response(zip).arrayBuffer());
  const file = { name: 'account-data.zip', mimeType: 'application/zip', buffer };
  await page.getByRole('dialog').getByLabel('Archive', { exact: true }).setInputFiles(file);
  await page.getByText('The card of Asha').waitFor();
}
async function verifyBoth(page: Page): Promise<void> {
  await answerCodes(page);
  await ui.button(page, 'Change login phone').click();
  await typeCode(page.getByRole('group', { name: 'Present number' }));
  const other = page.getByRole('group', { name: 'New number' });
  await ui.textbox(other, 'New phone number').fill('9876500000');
  await typeCode(other);
}
const answerCodes = (page: Page) => {
  const json = { challenge: 'c', token: 't', phone: '', resendAfterSeconds: 30, lifeSeconds: 300 };
  return page.route('**/api/otp/**', (route) => route.fulfill({ json }));
};
/** Makes the page show a passkey, and lets it add another one without a code. */
async function answerPasskeys(page: Page): Promise<void> {
  const passkey = { id: 'x', name: 'Safari on iOS', addedDay: '2026-01-15', usedDay: null };
  await page.route('**/api/user/*/passkeys', (route) =>
    route.fulfill({ json: { passkeys: [passkey] } }),
  );
  await page.route('**/api/user/*/passkeyOptions', async (route) => {
    const response = await route.fetch();
    const options = (await response.json()) as object;
    await route.fulfill({ response, json: { ...options, needsVerification: false } });
  });
}
/** Makes the page show a connected webhook. */
async function connectWebhook(page: Page): Promise<void> {
  const json = { url: 'https://example.com/hook', deliveries: [] };
  await page.route('**/api/user/*/webhook', (route) => route.fulfill({ json }));
  await page.reload();
  await page.getByText('Connected', { exact: true }).click();
}

const EDIT = '/dashboard/edit';
const CONTACTS = '/dashboard/contacts';
const inContact = (own: Omit<OwnerCall, 'at'>): OwnerCall => ({
  at: CONTACTS,
  ...own,
  prepare: async (page) => {
    await ui.button(page, 'Ravi').click();
    await own.prepare?.(page);
  },
});
const showHeld = (page: Page) => ui.button(page, 'Show 1 more').click();

const toggle = (page: Page) => page.getByRole('switch', { name: 'Notify me' });
const switchNotify = {
  act: (page: Page) => toggle(page).click(),
  wayOut: toggle,
  needs: 'push',
} as const;

const TABLE = '/dashboard/table';
/** Starts a table, which one visitor joins. */
async function startTable(page: Page): Promise<void> {
  await page.goto(TABLE);
  await ui.button(page, 'Start a table').click();
  await ui.dialog(page, 'QR code').waitFor();
  await page.keyboard.press('Escape');
  await page.evaluate(async () => {
    const { _id, sessionToken: authorization } = localStorage;
    const own = await fetch(`/api/user/${_id}/table`, { headers: { authorization } });
    const { table } = (await own.json()) as { table: string };
    const contact = { name: 'Ravi', mobile: '1' };
    await fetch('/api/table/joinTable', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      credentials: 'omit',
      body: JSON.stringify({ table, contact }),
    });
  });
  await ui.button(page, 'Remove Ravi').waitFor();
}
const canJoin = (page: Page) => page.getByRole('switch', { name: 'New people can join' });

/** Says how each call of the owner's pages is made, by the name of its endpoint in the contract. */
export const OWNER_CALLS: Readonly<Record<string, OwnerCall>> = {
  getUser: {
    at: '/dashboard',
    act: (page) => page.goto('/dashboard'),
    wayOut: (page) => ui.textbox(page, 'Phone number'),
  },
  getContacts: { at: '/dashboard' },
  getCardAddress: { at: '/dashboard' },
  getGoogleWalletLink: { at: '/dashboard' },
  getLive: {
    at: '/dashboard',
    act: async (page) => {
      await page.keyboard.press('Escape');
      await ui.button(page, 'Show QR code full screen').click();
    },
    wayOut: (page) => ui.button(ui.dialog(page, 'QR code'), 'Close'),
  },
  getOwnTable: { at: TABLE },
  createTable: { at: TABLE, ...press('Start a table') },
  getTable: { at: TABLE, prepare: startTable },
  removePerson: { at: TABLE, prepare: startTable, ...press('Remove Ravi') },
  closeTable: {
    at: TABLE,
    prepare: startTable,
    act: (page) => canJoin(page).click(),
    wayOut: canJoin,
  },
  endTable: { at: TABLE, prepare: startTable, ...press('End table') },
  getPushKey: { at: '/dashboard', ...switchNotify },
  subscribeToPush: { at: '/dashboard', needs: 'push' },
  unsubscribeFromPush: {
    at: '/dashboard',
    prepare: (page) => expect(toggle(page)).toBeChecked(),
    ...switchNotify,
  },
  deleteHeldContacts: {
    at: '/dashboard',
    prepare: async (page) => {
      await ui.link(page, 'See all').click();
      await showHeld(page);
    },
    ...press('Delete all held'),
  },
  getAppearance: { at: APPEARANCE },
  updateAppearance: {
    at: APPEARANCE,
    act: (page) => page.getByRole('radio', { name: 'Quiet' }).click(),
    wayOut: (page) => page.getByRole('radio', { name: 'Quiet' }),
  },
  uploadLogo: { at: APPEARANCE, act: addLogo, wayOut: (page) => ui.button(page, 'Add logo') },
  removeLogo: { at: APPEARANCE, prepare: addLogo, ...press('Remove logo') },
  getAccount: { at: ACCOUNT },
  getWebhook: { at: ACCOUNT },
  endOtherSessions: { at: ACCOUNT, ...press('Log out everywhere else') },
  downloadAccount: { at: ACCOUNT, ...follow('Download everything') },
  getPasskeys: { at: ACCOUNT },
  getPasskeyOptions: { at: ACCOUNT, ...press('Add a passkey') },
  getPasskeyRequest: {
    at: ACCOUNT,
    prepare: (page) => ui.button(page, 'Delete my account').click(),
    ...press('Use a passkey'),
  },
  verifyPasskey: {
    at: ACCOUNT,
    prepare: async (page) => {
      await (await addAuthenticator(page)).add(newCredential());
      await ui.button(page, 'Delete my account').click();
    },
    ...press('Use a passkey'),
  },
  addPasskey: {
    at: ACCOUNT,
    prepare: async (page) => {
      await addAuthenticator(page);
      await answerPasskeys(page);
    },
    ...press('Add a passkey'),
  },
  removePasskey: {
    at: ACCOUNT,
    prepare: async (page) => {
      await answerPasskeys(page);
      await page.reload();
      await answerCodes(page);
      await page.getByRole('button', { name: /^Remove Safari/ }).click();
      await typeCode(page.getByRole('dialog'));
    },
    ...press('Remove'),
  },
  updateCardAddress: {
    at: ACCOUNT,
    prepare: (page) => ui.textbox(page, 'Card link').fill('asha-of-bengaluru'),
    ...press('Save link'),
  },
  sendOwnerCode: {
    at: ACCOUNT,
    prepare: (page) => ui.button(page, 'Delete my account').click(),
    ...press('Send code'),
  },
  verifyCode: {
    at: ACCOUNT,
    prepare: async (page) => {
      await answerCodes(page);
      await ui.button(page, 'Delete my account').click();
      await ui.button(page, 'Send code').click();
    },
    act: (page) => ui.textbox(page, 'Code').fill('123456'),
    wayOut: (page) => ui.textbox(page, 'Code'),
  },
  changePhone: { at: ACCOUNT, prepare: verifyBoth, ...press('Change') },
  bringIn: { at: ACCOUNT, prepare: chooseArchive, ...press('Bring in') },
  bringInContacts: {
    at: ACCOUNT,
    prepare: async (page) => {
      await page.route('**/api/account/bringIn/*', (route) =>
        route.fulfill({ json: { ticket: 't' } }),
      );
      await chooseArchive(page);
    },
    ...press('Bring in'),
  },
  deleteAccount: {
    at: ACCOUNT,
    prepare: (page) => verify(page, 'Delete my account'),
    ...press('Delete'),
  },
  testWebhook: { at: ACCOUNT, prepare: connectWebhook, ...press('Send a test') },
  updateWebhook: { at: ACCOUNT, prepare: connectWebhook, ...press('Stop') },
  renewSecret: {
    at: ACCOUNT,
    prepare: async (page) => {
      await connectWebhook(page);
      await verify(page, 'New secret');
    },
    ...press('New secret'),
  },
  getAnalytics: { at: '/dashboard/analytics' },
  getTranslations: { at: '/dashboard/translations' },
  updateTranslations: {
    at: '/dashboard/translations',
    prepare: (page) => ui.textbox(page, 'Name').fill('Asha'),
    ...press('Save'),
  },
  updateUser: {
    at: EDIT,
    prepare: (page) => ui.textbox(page, 'Designation').fill('Partner'),
    ...press('Update Changes'),
  },
  getExtras: { at: EDIT },
  updateExtras: {
    at: EDIT,
    prepare: (page) => ui.textbox(page, 'Second phone').fill('080 1111 2222'),
    ...press('Update Changes'),
  },
  uploadProfileImage: {
    at: EDIT,
    act: async (page) => {
      const save = ui.button(page, 'Save');
      if ((await save.count()) === 0) {
        await ui.button(page, 'Edit photo').click();
        await ui.choosePhoto(page);
      }
      await save.click();
    },
    wayOut: (page) => page.getByRole('button', { name: /^(?:Try again|Save)$/ }).first(),
  },
  removeProfileImage: {
    at: EDIT,
    needs: 'photo',
    prepare: (page) => ui.button(page, 'Edit photo').click(),
    ...press('Remove photo'),
  },
  findContacts: { at: CONTACTS },
  addContacts: {
    at: CONTACTS,
    act: async (page) => {
      await ui.button(page, 'Add contact').click();
      await ui.addContact(page, { Name: 'Meera', Mobile: '98450 54321' });
    },
    wayOut: (page) => ui.button(page, 'Send now'),
  },
  checkContacts: {
    at: CONTACTS,
    ...onceThenTryAgain((page) => ui.chooseVcards(page, 'google-3.0')),
  },
  openHeld: {
    at: CONTACTS,
    prepare: showHeld,
    ...onceThenTryAgain((page) => ui.button(page, 'Held').click()),
  },
  exportCsv: { at: CONTACTS, ...chooseMore('Export CSV') },
  exportVcard: { at: CONTACTS, ...chooseMore('Export vCard') },
  saveTemplates: {
    at: CONTACTS,
    prepare: (page) => ui.chooseMore(page, 'Templates'),
    ...press('Save'),
  },
  changeContacts: {
    at: CONTACTS,
    prepare: async (page) => {
      await ui.chooseMore(page, 'Select');
      await page.getByRole('checkbox', { name: 'Choose Ravi' }).check();
      await ui.button(page, 'Tag').click();
      await ui.textbox(page, 'Tag for the chosen').fill('Fair');
    },
    ...press('Tag'),
  },
  markContacted: inContact(onceThenTryAgain((page) => ui.link(page, 'Write an email').click())),
  setReminder: inContact({
    prepare: (page) => ui.button(page, 'Remind me').click(),
    ...press('Tomorrow'),
  }),
  saveTags: inContact({
    prepare: (page) => ui.textbox(page, 'Add a tag').fill('Fair'),
    ...press('Add'),
  }),
  saveNote: inContact(
    onceThenTryAgain(async (page) => {
      await ui.textbox(page, 'Private note').fill('Call in May.');
      await ui.textbox(page, 'Add a tag').focus();
    }),
  ),
  editContact: inContact({
    prepare: (page) => ui.button(page, 'Edit contact').click(),
    ...press('Save'),
  }),
  contactFile: inContact(press('Save to phone')),
  deleteContact: inContact(press('Delete contact')),
  restoreContact: inContact({
    prepare: (page) => ui.button(page, 'Delete contact').click(),
    ...press('Undo'),
  }),
};
