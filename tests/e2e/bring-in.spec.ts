import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Page } from '@playwright/test';
import { makeZip } from 'client-zip';
import sharp from 'sharp';

import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import {
  FULL_CARD,
  FULL_EXTRAS,
  createOwner,
  postPhoto,
  postPicture,
  saveUpi,
  sendRequest,
} from '#tests/support/owner.ts';
import type { Owner } from '#tests/support/owner.ts';
import { noise } from '#tests/support/picture.ts';
import { startServer } from '#tests/support/server.ts';
import type { RunningServer } from '#tests/support/server.ts';
import * as ui from '#tests/support/ui.ts';

const LANGUAGES = 'hi,ta,te,bn,mr,gu,kn,ml,pa,or,ur';
const ALL = { VIEWS: 'contacts', CARD_EXTRAS: 'all', LANGUAGES };
const FOLDER = mkdtempSync(join(tmpdir(), 'archive-'));

test.use({ environment: ALL, card: {} });

async function download({ origin }: RunningServer, { _id, sessionToken }: Owner): Promise<Buffer> {
  const headers = { authorization: sessionToken };
  const response = await fetch(`${origin}/api/account/downloadAccount/${_id}`, { headers });
  return Buffer.from(await response.arrayBuffer());
}

const unzip = (zip: Buffer, name: string) => {
  const path = join(FOLDER, 'archive.zip');
  writeFileSync(path, zip);
  return execFileSync('unzip', ['-p', path, name], { maxBuffer: 1e9 });
};

/** Returns what two servers should have in common: everything but ids and what names the server. */
async function commonOf(zip: Buffer) {
  const sizeOf = async (name: string) => {
    const { width, height } = await sharp(unzip(zip, name)).metadata();
    return [width, height];
  };
  const json = (name: string) => JSON.parse(String(unzip(zip, name))) as Record<string, unknown>;
  const contacts = JSON.parse(String(unzip(zip, 'contacts.json'))) as Record<string, unknown>[];
  return {
    card: { ...json('card.json'), _id: '', profilePhoto: '' },
    texts: [
      'extras.json',
      'translations.json',
      'look.json',
      'templates.json',
      'contacts.csv',
      'contacts.vcf',
    ].map((name) => String(unzip(zip, name))),
    contacts: contacts.map((contact) => ({ ...contact, id: '' })),
    pictures: [await sizeOf('photo.jpg'), await sizeOf('logo.webp')],
  };
}

async function chooseArchive(page: Page, archive: Buffer | string): Promise<void> {
  const named = { name: 'account-data.zip', mimeType: 'application/zip' };
  const file = typeof archive === 'string' ? archive : { ...named, buffer: archive };
  await ui
    .dialog(page, 'Bring in an archive')
    .getByLabel('Archive', { exact: true })
    .setInputFiles(file);
}

async function enterCode(page: Page, server: RunningServer, phone: string): Promise<void> {
  const popup = ui.dialog(page, 'Bring in an archive');
  await ui.button(popup, 'Send code').click();
  await expect(ui.textbox(popup, 'Code')).toBeEnabled();
  await ui.textbox(popup, 'Code').fill(await server.codeFor(`+91${phone}`));
  await ui.button(popup, 'Bring in').click();
}

/** An owner with everything that an archive can contain. */
async function fillAccount(old: RunningServer, phone: string): Promise<Owner> {
  const owner = await createOwner(old, phone, FULL_CARD);
  const call = <T>(path: string, body: object) =>
    sendRequest<T>(old, path.replace(':id', owner._id), { token: owner.sessionToken, body });
  await saveUpi(old, owner, { phone, upi: 'asha@okaxis' });
  await call('/user/:id/extras', FULL_EXTRAS);
  const translations = LANGUAGES.split(',').map((language) => ({
    language,
    name: `आशा ${language}`,
  }));
  await call('/user/:id/translations', { translations });
  await call('/user/:id/appearance', { palette: 'own', hue: 200, swatch: null });
  const largest = await noise({ width: 1500, height: 1500 }).jpeg().toBuffer();
  const logo = await noise({ width: 300, height: 60 }).png().toBuffer();
  await postPhoto(old, owner, largest);
  await postPicture(old, owner, { path: `${owner._id}/logo`, bytes: logo });
  const contact = { name: 'Ravi "R" {Kumar}', mobile: '98450 12345', companyName: 'Steel \\ Co' };
  await call('/profile/addContact', { userID: owner._id, contact });
  const added = Array.from({ length: 600 }, (_, at) => ({
    clientId: crypto.randomUUID(),
    name: `Contact ${at}`,
    email: `c${at}@x.example`,
    tags: ['Fair'],
    source: 'imported',
  }));
  for (const contacts of [added.slice(0, 500), added.slice(500)])
    await call('/contacts/addContacts/:id', { contacts });
  type Found = { contacts: { _id: string }[] };
  const { contacts } = await call<Found>('/contacts/findContacts/:id', {});
  const [first = { _id: '' }, second = { _id: '' }] = contacts;
  const note = 'Wants a quote.\nÜber “dächer”.';
  await call('/contacts/saveNote/:id', { contact: first._id, note });
  const timeZone = 'Asia/Kolkata';
  await call('/contacts/setReminder/:id', { contact: first._id, day: '2020-01-01', timeZone });
  await call('/contacts/markContacted/:id', { contact: second._id });
  await call('/contacts/saveTemplates/:id', { templates: [{ name: 'Hi', text: 'Hi {name}' }] });
  const details = { name: 'Edited', email: 'e@x.example' };
  await call('/contacts/editContact/:id', { contact: second._id, details });
  return owner;
}

test('bring in an archive: everything moves to another server once, and its next archive has the same', async ({
  page,
  server,
  owner,
  phone,
  call,
}) => {
  ui.expectErrors(page, /answered 503/);
  const old = await startServer({ ...ALL, PUBLIC_URL: 'http://localhost:9' });
  const before = await fillAccount(old, '9812300000');
  const zip = await download(old, before);
  await old.dispose();

  await page.goto('/dashboard/account');
  await ui.button(page, 'Bring in an archive').click();
  await chooseArchive(page, zip);
  const popup = ui.dialog(page, 'Bring in an archive');
  await ui.expectTexts(
    popup,
    'The card of Asha Rao, a photo, a logo, 11 translations, 601 contacts.',
  );
  // The second part fails once, and the same button goes on with it.
  let parts = 0;
  await page.route('**/api/account/bringInContacts/*', (route) =>
    (parts += 1) === 2 ? route.fulfill({ status: 503, json: {} }) : route.continue(),
  );
  let ticket = '';
  // The browser may have dropped the body of a response that is read later.
  await page.route('**/api/account/bringIn/*', async (route) => {
    const response = await route.fetch();
    ({ ticket } = (await response.json()) as { ticket: string });
    await route.fulfill({ response });
  });
  await enterCode(page, server, phone);
  await expect.poll(() => parts).toBe(2);
  await ui.button(popup, 'Bring in').click();
  await ui.expectTexts(page, "You've moved in: your card, and 601 new contacts.");
  await ui.expectTexts(page, `http://localhost:9/user/${before._id}`);
  expect(parts).toBe(3);
  const after = await download(server, owner);
  const expected = await commonOf(zip);
  expect(expected.pictures[0]).toEqual([648, 648]);
  expect(await commonOf(after)).toEqual({
    ...expected,
    // The phone of a new card is its login phone, which stays without the tick.
    card: { ...expected.card, phone: `+91${phone}` },
  });
  const card = await call<{ profilePhoto: string }>('/user/:id');
  expect(card.profilePhoto).not.toBe('');
  const { toDo } = await call<{ toDo: object[] }>('/contacts/findContacts/:id', {});
  expect(toDo).toMatchObject([{ reminderDay: '2020-01-01' }]);

  // A second time changes nothing, and what was deleted here stays away.
  const { contacts } = await call<{ contacts: { _id: string }[] }>(
    '/contacts/findContacts/:id',
    {},
  );
  await call('/contacts/deleteContact/:id', { contact: contacts[3]?._id });
  for (const archive of [zip, after]) {
    const brought = (JSON.parse(String(unzip(archive, 'contacts.json'))) as object[]).slice(0, 500);
    const part = { ticket, timeZone: 'Asia/Kolkata', contacts: brought };
    const outcome = await call('/account/bringInContacts/:id', part);
    expect(outcome).toEqual({ added: 0, known: 499, removed: 1 });
  }
});

const json = (value: unknown) => JSON.stringify(value);
/** A server writes each contact in a line of its own. */
const linesOf = (contacts: readonly object[]) =>
  `[\n${contacts.map((one) => json(one)).join(',\n')}\n]\n`;
const SENT_CODE = { challenge: 'c', phone: '', resendAfterSeconds: 0, lifeSeconds: 300 };
type Part = { ticket: string; contacts: object[] };
const CARD = { _id: 'x', name: 'Asha', socialMediaHandles: {} };
const SMALL = { version: '1', 'card.json': json(CARD), 'contacts.json': '[]' };

async function zipOf(files: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = makeZip(Object.entries(files).map(([name, input]) => ({ name, input })));
  return Buffer.from(await new Response(zip).arrayBuffer());
}

const CONTACT = { id: '0'.repeat(21), name: 'A', mobile: '1', receivedAt: '2026-01-01T00:00:00Z' };

test('bring in an archive: goes on with a fresh code after its ticket has expired', async ({
  page,
}) => {
  ui.expectErrors(page, /answered 403/);
  const sent: [ticket: string, contacts: number][] = [];
  let codes = 0;
  await page.route('**/api/otp/**', (route) => {
    const token = `t${(codes += 1)}`;
    return route.fulfill({ json: { ...SENT_CODE, token } });
  });
  await page.route('**/api/account/bringIn/*', (route) => {
    const { token } = route.request().postDataJSON() as { token: string };
    return route.fulfill({ json: { ticket: token } });
  });
  await page.route('**/api/account/bringInContacts/*', (route) => {
    const { ticket, contacts } = route.request().postDataJSON() as Part;
    sent.push([ticket, contacts.length]);
    return sent.length === 2
      ? route.fulfill({ status: 403, json: { error: 'verification_required', message: 'Again.' } })
      : route.fulfill({ json: { added: contacts.length, known: 0, removed: 0 } });
  });
  await page.goto('/dashboard/account');
  await ui.button(page, 'Bring in an archive').click();
  const popup = ui.dialog(page, 'Bring in an archive');
  const contacts = Array.from({ length: 600 }, () => CONTACT);
  await chooseArchive(page, await zipOf({ ...SMALL, 'contacts.json': linesOf(contacts) }));
  for (const _ of ['the first time', 'again']) {
    await ui.button(popup, 'Send code').click();
    await ui.textbox(popup, 'Code').fill('123456');
    await ui.button(popup, 'Bring in').click();
  }
  await ui.expectTexts(page, "You've moved in: your card, and 600 new contacts.");
  expect(sent).toEqual([
    ['t2', 500],
    ['t2', 100],
    ['t4', 100],
  ]);
});

const replaceBytes = (zip: Buffer, from: string, to: string) =>
  Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1');

const bytesOf = (value: number) => Buffer.from(new Uint32Array([value]).buffer).toString('latin1');

/** Returns a ZIP whose entry `version` unpacks to 50 MB, but declares another size. */
function zipBomb(declaredSize: number): Buffer {
  const size = 50_000_000;
  const path = join(FOLDER, 'version');
  writeFileSync(path, ' '.repeat(size));
  rmSync(`${path}.zip`, { force: true });
  execFileSync('zip', ['-qj', `${path}.zip`, path]);
  return replaceBytes(readFileSync(`${path}.zip`), bytesOf(size), bytesOf(declaredSize));
}

test('bring in an archive: a file that is damaged, foreign, old, newer, too large or a bomb is rejected with a sentence', async ({
  page,
}) => {
  const small = await zipOf(SMALL);
  const withFiles = (files: Record<string, string>) => zipOf({ ...SMALL, ...files });
  const large = join(FOLDER, 'large.zip');
  writeFileSync(large, 'PK');
  truncateSync(large, 200_000_001);
  const damaged = 'This archive is damaged or was cut off. Download it again';
  const foreign = "This isn't an archive from 'Download everything'.";
  const climbing = replaceBytes(await withFiles({ 'aa/bb/cc': '' }), 'aa/bb/cc', '../../cc');
  const packedAgain = await zipOf({
    '__MACOSX/account-data/._card.json': '',
    'account-data/.DS_Store': '',
    ...Object.fromEntries(
      Object.entries({ ...SMALL, 'contacts.json': json([CONTACT]) }).map(([name, text]) => [
        `account-data/${name}`,
        text,
      ]),
    ),
  });
  const rejected: [Buffer | string, string][] = [
    [Buffer.from('nothing'), "This isn't a ZIP file."],
    [large, 'This file is too large. An archive has at most 200 MB.'],
    [small.subarray(0, small.length - 40), damaged],
    [replaceBytes(small, 'Asha', 'Bsha'), damaged],
    [await withFiles({ 'card.json': '{' }), damaged],
    [await withFiles({ 'contacts.json': json([{ ...CONTACT, id: 7 }]) }), damaged],
    [await withFiles({ 'contacts.json': json([CONTACT]).slice(0, -9) }), damaged],
    [await withFiles({ 'contacts.json': `[${' '.repeat(200_000)}` }), damaged],
    [zipBomb(9), damaged],
    [zipBomb(50_000_000), 'far larger than it should be'],
    [await withFiles({ 'holiday.jpg': '' }), foreign],
    [await zipOf({ version: '1' }), foreign],
    [climbing, "Some file names in this archive aren't safe"],
    [await zipOf({ 'card.json': json(CARD) }), 'Ask the operator of the old service to update it'],
    [await withFiles({ version: '3', 'new.json': '' }), 'This archive is from a newer version.'],
  ];
  await page.goto('/dashboard/account');
  await ui.button(page, 'Bring in an archive').click();
  const popup = ui.dialog(page, 'Bring in an archive');
  for (const [file, sentence] of rejected) {
    await chooseArchive(page, file);
    await ui.expectTexts(popup, sentence);
    // The next file may get the same sentence, so a valid one comes between. Its owner has packed it again.
    await chooseArchive(page, packedAgain);
    await ui.expectTexts(popup, 'The card of Asha, 1 contact.');
  }
});

test.describe('without CARD_EXTRAS and LANGUAGES', () => {
  test.use({ environment: {}, card: { name: 'Mine', bio: 'Here' } });

  for (const isReplaced of [false, true]) {
    test(`bring in an archive: what this server lacks is named, and filled fields are ${isReplaced ? 'replaced with' : 'kept without'} the tick`, async ({
      page,
      server,
      phone,
      call,
    }) => {
      const archive = await zipOf({
        ...SMALL,
        'card.json': json({ ...CARD, bio: 'There', email: 'a@x.example' }),
        'extras.json': json({ upi: 'asha@okaxis' }),
        'translations.json': json({ hi: { name: 'आशा' } }),
      });
      await page.goto('/dashboard/account');
      await ui.button(page, 'Bring in an archive').click();
      await chooseArchive(page, archive);
      const popup = ui.dialog(page, 'Bring in an archive');
      await ui.expectTexts(
        popup,
        "This service doesn't offer UPI ID, हिन्दी, so we'll leave that out.",
      );
      await popup.getByRole('checkbox', { name: 'Replace what is here' }).setChecked(isReplaced);
      await enterCode(page, server, phone);
      await ui.expectTexts(page, "You've moved in");
      expect(await call('/user/:id')).toMatchObject({
        ...(isReplaced ? { name: 'Asha', bio: 'There' } : { name: 'Mine', bio: 'Here' }),
        email: 'a@x.example',
      });
    });
  }
});
