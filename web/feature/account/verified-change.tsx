import { useState } from 'react';

import type { Account } from '#contract/account.ts';
import { VerifyDialog } from '#web/shared/embedded/verify-dialog.tsx';
import type { VerifyDialogProps } from '#web/shared/embedded/verify-dialog.tsx';
import { verifyPath } from '#web/shared/otp/purpose.ts';
import type { VerifyStep } from '#web/shared/otp/purpose.ts';
import { Button } from '#web/shared/ui/button.tsx';

interface VerifiedChangeProps extends Omit<VerifyDialogProps, 'onClose'> {
  readonly account: Account;
  readonly step: VerifyStep;
}

/** In a dialog, or in the document with a third party's widget. */
export function VerifiedChange({ account, step, onDone, ...dialog }: VerifiedChangeProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const open = () => {
    if (account.verification === 'code') setOpen(true);
    else location.assign(verifyPath(step));
  };
  const finish = () => {
    close();
    onDone();
  };
  return (
    <>
      <Button onClick={open}>{dialog.purpose.title}</Button>
      {isOpen && <VerifyDialog {...dialog} onDone={finish} onClose={close} />}
    </>
  );
}
