// Visitors leave details, first without a webhook, then with one whose receiver is down.
import { hkdfSync } from 'node:crypto';

import { CompactEncrypt } from 'jose';

import { timed, withService } from './client.mjs';
import { percentile } from './numbers.mjs';
import { execute } from './setup.mjs';

const LOAD_MS = 4000;
const SECRET = 'a secret of the bench, the same for each service';
const CONTACT = { mobile: '98765 43210', email: '', companyName: 'Kaveri' };
const LIMITS = { LIMIT_CONTACTS_PER_HOUR: '1000000', LIMIT_CONTACTS_PER_CARD: '1000000' };

export async function measureContacts(setup) {
  const env = { SECRET, VIEWS: 'contacts', ...LIMITS };
  const leave = (name) =>
    withService(setup, { connections: 1, env, cores: '0,1' }, async ({ send }) => {
      const [saves, cards] = [[], []];
      for (const end = performance.now() + LOAD_MS; performance.now() < end;) {
        const { id } = setup.owners[saves.length % setup.owners.length];
        // A repeated contact would not be stored again, so each has a name of its own.
        const contact = { ...CONTACT, name: `${name} ${saves.length}` };
        const body = JSON.stringify({ userID: id, contact });
        saves.push(await timed(() => send('/api/profile/addContact', { body })));
        cards.push(await timed(() => send(`/user/${id}`)));
      }
      return {
        [`${name}: a contact, p50 ms`]: percentile(saves, 0.5),
        [`${name}: a contact, p99 ms`]: percentile(saves, 0.99),
        [`${name}: a card meanwhile, p99 ms`]: percentile(cards, 0.99),
      };
    });
  const without = await leave('without a webhook');
  await insertWebhooks(setup);
  const down = await leave('a webhook that is down');
  execute(setup.cards, 'DELETE FROM webhooks');
  return { ...without, ...down };
}

/** Gives each owner a webhook whose receiver refuses every connection. */
async function insertWebhooks({ cards, owners }) {
  const key = new Uint8Array(hkdfSync('sha256', SECRET, '', 'tessera webhook', 32));
  const sealed = await new CompactEncrypt(Buffer.from('whsec_AAAA'))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(key);
  const rows = owners.map(({ id }) => `('${id}', '${id}', 'https://127.0.0.1:9/', '${sealed}')`);
  const columns = 'webhook_id, user_id, endpoint, secret';
  execute(cards, `INSERT INTO webhooks (${columns}) VALUES ${rows.join(', ')}`);
}
