import { useState } from 'react';

import { deleteAccount } from '#contract/account.ts';
import { call } from '#web/http/call.ts';
import { loadWithReason } from '#web/http/redirect-reason.ts';
import { clearStorage, storedId } from '#web/http/session.ts';
import { PATHS } from '#domain/path.ts';
import { useLoginRedirect } from '#web/profile/use-login-redirect.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

import { CodeForm } from './code-form.tsx';
import { failureSentence, hasSessionEnded } from './failure.ts';
import { DELETE_ACCOUNT, verifyPath } from './purpose.ts';
import type { Account } from './use-account.ts';

/** Deletes the account after a fresh code. */
export function DeleteAccount({ account }: { readonly account: Account }) {
  const [isOpen, setOpen] = useState(false);
  const redirectToLogin = useLoginRedirect();
  const open = () => {
    if (account.verification === 'code') setOpen(true);
    else location.assign(verifyPath('delete'));
  };
  const remove = async (token: string) => {
    const result = await call(deleteAccount, { params: { id: storedId() ?? '' }, body: { token } });
    if (hasSessionEnded(result)) redirectToLogin();
    if (!result.body) return failureSentence(result);
    clearStorage();
    // A full page load, so that no data of this owner remains in the page.
    loadWithReason(PATHS.start, 'accountDeleted');
    return '';
  };
  return (
    <section className="account-section" aria-labelledby="account-delete">
      <h2 id="account-delete">Delete</h2>
      <p>Your card, your photo and your contacts are removed at once and for good.</p>
      <Button className="account-danger" onClick={open}>
        {DELETE_ACCOUNT.title}
      </Button>
      {isOpen && (
        <Dialog title={DELETE_ACCOUNT.title} onClose={() => setOpen(false)}>
          <p>{DELETE_ACCOUNT.text}</p>
          <CodeForm hasPhone={false} submitLabel="Delete" onToken={remove} />
        </Dialog>
      )}
    </section>
  );
}
