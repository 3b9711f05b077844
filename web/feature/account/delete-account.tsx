import { deleteAccount } from '#contract/account.ts';
import type { Account } from '#contract/account.ts';
import { PATHS } from '#domain/path.ts';
import { send } from '#web/shared/http/call.ts';
import { loadWithReason } from '#web/shared/http/session-end.ts';
import { clearOwnerStorage } from '#web/shared/http/storage.ts';
import { DELETE_ACCOUNT, loginPhoneText } from '#web/shared/otp/purpose.ts';

import { Section } from './section.tsx';
import { VerifiedChange } from './verified-change.tsx';

/** A full page load, so that no data of this owner remains in the page. */
async function leave(): Promise<void> {
  await clearOwnerStorage();
  loadWithReason(PATHS.start, 'accountDeleted');
}

export function DeleteAccount({ account }: { readonly account: Account }) {
  return (
    <Section
      icon="remove"
      title="Delete"
      text="Your card, your photo and your contacts are removed at once and for good."
      className="account-destructive"
    >
      <VerifiedChange
        account={account}
        purpose={DELETE_ACCOUNT}
        step="delete"
        phones={[{ hint: loginPhoneText(account) }]}
        submitLabel="Delete"
        send={([token]) => send(deleteAccount, { body: { token } })}
        isDestructive
        onDone={() => void leave()}
      />
    </Section>
  );
}
