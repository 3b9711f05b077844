import { useState } from 'react';

import { changePhone } from '#contract/account.ts';
import { call } from '#web/http/call.ts';
import { storedId } from '#web/http/session.ts';
import { useLoginRedirect } from '#web/profile/use-login-redirect.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

import { CodeForm } from './code-form.tsx';
import { failureSentence, hasSessionEnded } from './failure.ts';
import { CHANGE_PHONE, verifyPath } from './purpose.ts';
import type { Account } from './use-account.ts';

interface ChangePhoneProps {
  readonly account: Account;
  readonly isChanged: boolean;
  readonly onChanged: () => void;
}

/** The phone that the owner signs in with. */
export function ChangePhone({ account, isChanged, onChanged }: ChangePhoneProps) {
  const [isOpen, setOpen] = useState(false);
  const redirectToLogin = useLoginRedirect();
  const open = () => {
    if (account.verification === 'code') setOpen(true);
    else location.assign(verifyPath('phone'));
  };
  const change = async (token: string) => {
    const result = await call(changePhone, { params: { id: storedId() ?? '' }, body: { token } });
    if (hasSessionEnded(result)) redirectToLogin();
    if (!result.body) return failureSentence(result);
    setOpen(false);
    onChanged();
    return '';
  };
  return (
    <section className="account-section" aria-labelledby="account-phone">
      <h2 id="account-phone">Login phone</h2>
      <p>
        You sign in with the number that ends with <b>{account.phoneEnd}</b>. The phone on your card
        is another field and stays as it is.
      </p>
      <Button onClick={open}>{CHANGE_PHONE.title}</Button>
      <output className="account-message">{isChanged && CHANGE_PHONE.done}</output>
      {isOpen && (
        <Dialog title={CHANGE_PHONE.title} onClose={() => setOpen(false)}>
          <p>{CHANGE_PHONE.text}</p>
          <CodeForm hasPhone submitLabel="Change" onToken={change} />
        </Dialog>
      )}
    </section>
  );
}
