import { deleteAccount } from '#contract/account.ts';
import type { Account } from '#contract/account.ts';
import { PATHS } from '#domain/path.ts';
import { call } from '#web/http/call.ts';
import { loadWithReason } from '#web/http/redirect-reason.ts';
import { clearStorage, storedId } from '#web/http/session.ts';

import { DELETE_ACCOUNT } from './purpose.ts';
import { VerifiedChange } from './verified-change.tsx';

/** A full page load, so that no data of this owner remains in the page. */
async function leave(): Promise<void> {
  await clearStorage();
  loadWithReason(PATHS.start, 'accountDeleted');
}

export function DeleteAccount({ account }: { readonly account: Account }) {
  return (
    <section className="account-section" aria-labelledby="account-delete">
      <h2 id="account-delete">Delete</h2>
      <p>Your card, your photo and your contacts are removed at once and for good.</p>
      <VerifiedChange
        account={account}
        purpose={DELETE_ACCOUNT}
        step="delete"
        phones={[{ hint: `It ends with ${account.phoneEnd}.` }]}
        submitLabel="Delete"
        send={([token]) =>
          call(deleteAccount, { params: { id: storedId() ?? '' }, body: { token } })
        }
        className="account-destructive"
        isDestructive
        onDone={() => void leave()}
      />
    </section>
  );
}
