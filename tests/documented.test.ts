import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { NETWORKS_ON_CARD, nameOnCard } from '#domain/network.ts';
import { OWNER_PAGES } from '#domain/page.ts';
import { POLICY_PATHS } from '#domain/path.ts';
import { VISIT_KINDS } from '#domain/visit.ts';
import { DEMO_CODE, DEMO_PHONES } from '#server/command/demo/command.ts';
import { createProgram } from '#server/command/admin/program.ts';

import { buildTestApp } from './support/app.ts';
import { openTestSqlite, tableNames } from './support/database.ts';
import { EXAMPLE_ENVIRONMENT } from './support/example-requests.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8');

test.each([
  ['docs/develop/product.md', '`'],
  ['tests/support/screens.ts', "'"],
])('owner’s pages: %s has each', (file, quote) => {
  const [, text = read(file)] = read(file).split('## Screens and routes\n');
  const [routes = ''] = text.split('\n## ');
  const paths = Object.values(OWNER_PAGES).map(({ path }) => path);
  expect(paths.filter((path) => !new RegExp(`${quote}${path}[${quote}?]`).test(routes))).toEqual(
    [],
  );
});

test('docs/operate/admin.md#admin: names each command', () => {
  const [, admin = ''] = read('docs/operate/admin.md').split('## Admin\n');
  const names = createProgram(async () => undefined).commands.map((command) => command.name());
  expect(names.filter((name) => !new RegExp(`(?:admin -- |\`)${name}\\b`).test(admin))).toEqual([]);
});

test('admin: the help of an option that must be given says so', () => {
  const { commands } = createProgram(async () => undefined);
  const needed = commands.flatMap(({ options }) => options.filter(({ mandatory }) => mandatory));
  expect(needed.length).toBeGreaterThan(1);
  expect(needed.filter(({ description }) => !description.startsWith('Required'))).toEqual([]);
});

test('owner’s pages: each entry has its page, and each page its entry', () => {
  const folder = join(import.meta.dirname, '../web/feature');
  const pages = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'page.tsx')));
  const features = Object.values(OWNER_PAGES).map(({ feature }) => feature);
  expect(pages.toSorted()).toEqual(features.toSorted());
});

test('README.md: has the number and the code that open the demo', () => {
  const [phone = ''] = DEMO_PHONES;
  expect(read('README.md').replace(/(?<=\d) (?=\d)/g, '')).toContain(`**${phone}**`);
  expect(read('README.md')).toContain(`**${DEMO_CODE}**`);
});

test('demo: has visits of every kind that is no network', () => {
  const networks = new Set<string>(NETWORKS_ON_CARD.map(nameOnCard));
  const demo = read('server/command/demo/command.ts');
  const absent = VISIT_KINDS.filter((kind) => !networks.has(kind) && !demo.includes(`'${kind}'`));
  expect(absent).toEqual([]);
});

/** What the privacy policy says of each table; null for one that names no person. */
const STORED: Readonly<Record<string, string | null>> = {
  users: "Anyone with your link or QR code sees what you've filled in on your card",
  appearances: 'logo and the look you chose',
  extras: 'UPI ID, GSTIN, Address',
  faces: 'Name, Designation, Company, About are also there in each language you add',
  card_addresses: 'Your card links stay yours',
  contacts: 'sends a name, mobile, email and company to the owner',
  shared_tables: 'deleted when the table ends',
  table_people: 'everyone who joins sees what the others enter',
  templates: 'The owner can also keep message templates and set reminders',
  added_contacts: 'The owner can also add details, typed or from a file',
  notices: 'The texts of earlier notices are kept',
  withdrawals: 'the owner sees that one contact was withdrawn',
  deleted_contacts: 'A deletion is final after',
  removed_users: 'the ids of what was deleted are kept for three months',
  removed_contacts: 'the ids of what was deleted are kept for three months',
  passkeys: 'If you add a passkey, the service stores its public key',
  sessions: 'For each sign-in, the service stores the browser and the system',
  challenges: 'You sign in with a phone number and a one-time code',
  exchange_tokens: 'You sign in with a phone number and a one-time code',
  used_tokens: 'You sign in with a phone number and a one-time code',
  invitations: 'If the operator invites a number, the service stores it with a name',
  push_subscriptions: "the service stores your browser's address at its maker's push service",
  cdn_purges: 'the ids of what was deleted are kept for three months',
  push_messages: 'the name and company go through that push service',
  webhooks: "the service sends your contacts' details to that URL",
  webhook_messages: "the service sends your contacts' details to that URL",
  webhook_deliveries: 'stores the answers to the last twenty deliveries',
  visit_counts: 'Visits are counted for the owner of a card',
  visitor_hashes: 'To count a visitor once a day, the service computes a value',
  visitor_salts: null,
  counters: 'the service counts requests by IP address and phone number',
  audit: "a record of when and why stays, with the account's id",
  seeds: null,
  migrations: null,
};

test('privacy policy: has a sentence for every table', async () => {
  const { database } = await openTestSqlite();
  const { app } = buildTestApp(database, { environment: EXAMPLE_ENVIRONMENT });
  const { body } = await app.inject(POLICY_PATHS.privacy);
  const text = body.replace(/<[^>]+>/g, '').replaceAll('&#x27;', "'");
  expect(Object.keys(STORED).toSorted()).toEqual(await tableNames(database));
  expect(Object.values(STORED).filter((said) => said !== null && !text.includes(said))).toEqual([]);
});
