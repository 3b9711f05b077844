import { expect, test } from 'vitest';

import { createOwner } from '#tests/support/owner.ts';
import { copyProject, followRecipe, readRecipe } from '#tests/support/recipe.ts';

/** What names each change that was forgotten. The recipe of a field itself is followed by npm test. */
const NAMED_BY: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  field: {
    'domain/profile-field.ts': /'pronouns' does not exist/,
    'server/db/migrations/': /Cannot find module '.\/migrations\/\d+-pronouns.ts'/,
    'server/db/migrate.ts': /the schema has the column of the field pronouns/,
    'domain/vcard.ts': /domain\/vcard.ts.*'pronouns' is missing/,
    'view/card.tsx': /shows every public field/,
    'web/signin/layout.tsx': /web\/signin\/layout.tsx.*'pronouns' is missing/,
    'domain/profile.test.ts': /FAIL .*have the limits of docs\/product.md#limits/,
    'contract/endpoint.test.ts': /FAIL .*public reply: is an allow-list/,
  },
  network: {
    'domain/network.ts': /'Mastodon' does not exist/,
    'view/network-paths.ts': /view\/network-paths.ts.*'Mastodon' is missing/,
    'domain/network.test.ts': /FAIL .*networks: are in the order of the catalogue/,
  },
};

test('recipe of a network: its steps add one to the product', () =>
  followRecipe('network', async (server) => {
    const socialMediaHandles = { Mastodon: 'https://mastodon.example/@asha' };
    const { _id } = await createOwner(server, '9876543210', { name: 'A', socialMediaHandles });
    const card = await (await fetch(`${server.origin}/user/${_id}`)).text();
    expect(card).toMatch(/href="https:\/\/mastodon\.example\/@asha"[^>]*>.*Mastodon/);
  }));

test.each(Object.entries(NAMED_BY))(
  'recipe of a %s: each forgotten step is named',
  (name, named) => {
    const { changes, commands } = readRecipe(name);
    const checks = commands.filter((command) => !command.includes('npm run'));
    const copy = copyProject();
    for (const forgotten of changes) {
      copy.reset(changes);
      for (const change of changes) if (change !== forgotten) copy.apply(change);
      const report = checks.map((command) => copy.failure(command) ?? '').join('');
      const [, message] =
        Object.entries(named).find(([path]) => forgotten.path.startsWith(path)) ?? [];
      expect([forgotten.path, report]).toEqual([
        forgotten.path,
        expect.stringMatching(message ?? /^no step of the table$/),
      ]);
    }
    copy.remove();
  },
);
