import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { createOwner, sendRequest } from '#tests/support/owner.ts';
import { newSubscription } from '#tests/support/push-service.ts';
import { readRecipe } from '#tests/support/recipe-text.ts';
import { copyProject, followRecipe } from '#tests/support/recipe.ts';

/** What names each change that was forgotten. The recipe of a field itself is followed by npm test. */
const NAMED_BY: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  field: {
    'domain/profile-field.ts': /'pronouns' does not exist/,
    'server/adapter/database/migrations/': /Cannot find module '.\/migrations\/\d+-pronouns.ts'/,
    'server/adapter/database/migrate.ts': /the schema has the column of the field pronouns/,
    'domain/vcard.ts': /domain\/vcard.ts.*'pronouns' is missing/,
    'view/card.tsx': /shows every public field/,
    'web/feature/signin/layout.tsx': /web\/feature\/signin\/layout.tsx.*'pronouns' is missing/,
    'domain/profile.test.ts': /FAIL .*have the limits of docs\/product.md#limits/,
  },
  network: {
    'domain/network.ts': /'Mastodon' does not exist/,
    'view/network-paths.ts': /view\/network-paths.ts.*'Mastodon' is missing/,
    'domain/network.test.ts': /FAIL .*networks: have an order in the catalogue/,
  },
  count: {
    'domain/visit.ts': /FAIL .*analytics.test.ts/,
    'view/contact-links.tsx': /FAIL .*analytics.test.ts/,
  },
  page: {
    'domain/path.ts': /'help' does not exist/,
    'web/page-table.ts': /web\/prerender.tsx.*'help' does not exist/,
    'web/help/page.tsx': /Cannot find module '.\/help\/page.tsx'/,
    'docs/architecture.md': /FAIL .*has a line for every folder/,
    'web/prerender.tsx': /web\/prerender.tsx.*'help' is missing/,
    'docs/product.md': /FAIL .*owner’s page \/dashboard\/help/,
    'tests/support/screens.ts': /FAIL .*owner’s page \/dashboard\/help/,
  },
  limit: {
    'server/http/limit/rate-limit.ts': /"subscriptions to notifications"' is not assignable/,
    'server/feature/notification/routes.ts': /FAIL .*docs\/product.md#calls/,
    'docs/security.md': /FAIL .*the row "subscriptions to notifications"/,
    'docs/product.md': /FAIL .*docs\/product.md#calls/,
  },
  'admin-command': { 'server/command/admin/commands.ts': /"newest"' is not assignable/ },
};

/** No test reports that it was forgotten. */
const TESTS = new Set(['server/command/admin/commands.test.ts']);

const textOf = async (url: string) => (await fetch(url)).text();

test('recipe of a network: its steps add one to the product', () =>
  followRecipe('network', async (server) => {
    const socialMediaHandles = { Mastodon: 'https://mastodon.example/@asha' };
    const { _id } = await createOwner(server, '9876543210', { name: 'A', socialMediaHandles });
    const link = /href="https:\/\/mastodon\.example\/@asha"[^>]*>.*Mastodon/;
    expect(await textOf(`${server.origin}/user/${_id}`)).toMatch(link);
  }));

test('recipe of a count: its steps add one to the product', () =>
  followRecipe(
    'count',
    async (server) => {
      const { origin } = server;
      const { _id, sessionToken: token } = await createOwner(server, '9876543210', { name: 'A' });
      expect(await textOf(`${origin}/user/${_id}`)).toMatch(/<a [^>]*href="sms:[^>]*>Message</);
      // Robots are not counted, and Node's own name is one.
      const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Firefox/145.0' };
      const url = `${origin}/api/profile/countVisit/${_id}/Message`;
      await fetch(url, { method: 'POST', headers: browser });
      const read = () => sendRequest(server, `/profile/getAnalytics/${_id}`, { token });
      const counted = { days: [{ counts: { Message: 1 } }] };
      await expect.poll(read, { timeout: 30_000 }).toMatchObject(counted);
    },
    { VIEWS: 'analytics' },
  ));

test('recipe of a language: its steps add one to the product', () =>
  followRecipe(
    'language',
    async ({ origin }) => {
      const page = await textOf(`${origin}/user/unknown?lang=ne`);
      expect(page).toContain('<html lang="ne" dir="ltr">');
      expect(page).toContain('<a href="?lang=ne" lang="ne" aria-current="true">नेपाली</a>');
    },
    { LANGUAGES: 'ne' },
  ));

test('recipe of a page: its steps add one to the product', () =>
  followRecipe('page', async ({ origin }) => {
    const page = await textOf(`${origin}/dashboard/help`);
    for (const part of ['<title>Help - ', '<h1>Help</h1>']) expect(page).toContain(part);
  }));

test('recipe of a limit: its steps add one to the product', () =>
  followRecipe('limit', async (server) => {
    const owner = await createOwner(server, '9876543210', { name: 'Asha' });
    const { json: body } = newSubscription('https://push.example.com/1');
    const call = { body, token: owner.sessionToken };
    const subscribe = () => sendRequest(server, `/push/subscribe/${owner._id}`, call);
    for (let count = 1; count <= 20; count += 1) await subscribe();
    await expect(subscribe()).rejects.toThrow('429');
  }));

test('recipe of an admin command: its steps add one to the product', () =>
  followRecipe('admin-command', async (server, folder) => {
    const { _id } = await createOwner(server, '9876543210', { name: 'Asha' });
    const program = join(folder, 'dist/server/admin.js');
    const env = { ...process.env, DATA_DIR: server.dataDir };
    const output = execFileSync(process.execPath, [program, '--json', 'newest'], { env });
    expect(JSON.parse(output.toString())).toEqual([{ id: _id, name: 'Asha' }]);
  }));

test.each(Object.entries(NAMED_BY))('recipe %s: each forgotten step is named', (name, named) => {
  const { changes, commands } = readRecipe(name);
  const checks = commands.filter((command) => !command.includes('npm run'));
  const copy = copyProject();
  for (const forgotten of changes) {
    if (TESTS.has(forgotten.path)) continue;
    copy.reset(changes);
    for (const change of changes) if (change !== forgotten) copy.apply(change);
    const report = checks.map((command) => copy.failure(command) ?? '').join('');
    const message = Object.entries(named).find(([path]) => forgotten.path.startsWith(path))?.[1];
    expect(report, forgotten.path).toMatch(message ?? /^no step of the table$/);
  }
});
