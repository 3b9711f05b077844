import { useState } from 'react';
import type { ComponentProps, ReactNode } from 'react';

import type { Account } from '#contract/account.ts';
import { VerifiedForm } from '#web/shared/otp/verified-form.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { Dialog } from '#web/shared/ui/dialog.tsx';

import { verifyPath } from '#web/shared/otp/purpose.ts';
import type { Purpose, VerifyStep } from '#web/shared/otp/purpose.ts';

interface VerifiedChangeProps extends Omit<
  ComponentProps<typeof VerifiedForm>,
  'onDone' | 'onCancel'
> {
  readonly account: Account;
  readonly purpose: Purpose;
  readonly step: VerifyStep;
  /** Called after the change, with a function that closes the dialog. */
  readonly onDone: (close: () => void) => void;
  readonly children?: ReactNode;
}

/** In a dialog, or by the provider's widget. */
export function VerifiedChange({
  account,
  purpose,
  step,
  onDone,
  children,
  ...form
}: VerifiedChangeProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const open = () => {
    if (account.verification === 'code') setOpen(true);
    else location.assign(verifyPath(step));
  };
  return (
    <>
      <Button onClick={open}>{purpose.title}</Button>
      {isOpen && (
        <Dialog title={purpose.title} onClose={close}>
          <p>{purpose.text}</p>
          {children}
          <VerifiedForm {...form} onDone={() => onDone(close)} onCancel={close} />
        </Dialog>
      )}
    </>
  );
}
