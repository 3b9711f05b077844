import { expect, test } from 'vitest';

import { createOwner } from './support/owner.ts';
import { followRecipe } from './support/recipe.ts';

test('recipe of a field: its steps add one to the product', () =>
  followRecipe('field', async (server) => {
    const card = { name: 'Asha Rao', pronouns: 'she/her' };
    const { _id } = await createOwner(server, '9876543210', card);
    const shown: [path: string, text: string][] = [
      [`/api/user/${_id}`, '"pronouns":"she/her"'],
      [`/user/${_id}`, '>she/her<'],
      [`/user/${_id}/contact.vcf`, '\r\nX-PRONOUNS:she/her\r\n'],
      ['/dashboard/edit', 'edit-field-pronouns'],
      ['/privacy_policy', 'Pronouns'],
    ];
    for (const [path, text] of shown) {
      const body = await (await fetch(server.origin + path)).text();
      expect([path, body.includes(text)]).toEqual([path, true]);
    }
  }));
