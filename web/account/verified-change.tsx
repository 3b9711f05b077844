import { useState } from 'react';

import type { Account, changePhone, deleteAccount } from '#contract/account.ts';
import { call } from '#web/http/call.ts';
import { failureSentence, hasSessionEnded } from '#web/http/failure.ts';
import { storedId } from '#web/http/session.ts';
import { useLoginRedirect } from '#web/profile/use-login-redirect.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

import { CodeForm } from './code-form.tsx';
import { verifyPath } from './purpose.ts';
import type { Purpose, PurposeName } from './purpose.ts';

interface VerifiedChangeProps {
  readonly account: Account;
  readonly name: PurposeName;
  readonly purpose: Purpose;
  readonly endpoint: typeof changePhone | typeof deleteAccount;
  readonly submitLabel: string;
  readonly className?: string;
  /** Called after the change, with a function that closes the dialog. */
  readonly onDone: (close: () => void) => void;
}

/** A button for a change of the account after the phone is verified, in a dialog or by the provider's widget. */
export function VerifiedChange({
  account,
  name,
  purpose,
  endpoint,
  ...props
}: VerifiedChangeProps) {
  const [isOpen, setOpen] = useState(false);
  const redirectToLogin = useLoginRedirect();
  const open = () => {
    if (account.verification === 'code') setOpen(true);
    else location.assign(verifyPath(name));
  };
  const close = () => setOpen(false);
  const send = async (token: string) => {
    const result = await call(endpoint, { params: { id: storedId() ?? '' }, body: { token } });
    if (hasSessionEnded(result)) redirectToLogin();
    if (!result.body) return failureSentence(result);
    props.onDone(close);
    return '';
  };
  return (
    <>
      <Button className={props.className} onClick={open}>
        {purpose.title}
      </Button>
      {isOpen && (
        <Dialog title={purpose.title} onClose={close}>
          <p>{purpose.text}</p>
          <CodeForm hasPhone={name === 'phone'} submitLabel={props.submitLabel} onToken={send} />
        </Dialog>
      )}
    </>
  );
}
