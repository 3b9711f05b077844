import { useState } from 'react';

import { changePhone, deleteAccount } from '#contract/account.ts';
import type { Account } from '#contract/account.ts';
import { VerifyDialog } from '#web/shared/embedded/verify-dialog.tsx';
import type { VerifyDialogProps } from '#web/shared/embedded/verify-dialog.tsx';
import { send } from '#web/shared/http/call.ts';
import { leaveDeletedAccount } from '#web/shared/http/session-end.ts';
import { settings } from '#web/shared/http/settings.ts';
import { returnTo } from '#web/shared/otp/interrupted.ts';
import {
  CHANGE_PHONE,
  DELETE_ACCOUNT,
  loginPhoneText,
  verifyPath,
} from '#web/shared/otp/purpose.ts';
import type { VerifyStep } from '#web/shared/otp/purpose.ts';
import { Button } from '#web/shared/ui/button.tsx';

import { Section } from './section.tsx';

interface ChangePhoneProps {
  readonly account: Account;
  readonly isChanged: boolean;
  readonly onChanged: () => void;
}

export function ChangePhone({ account, isChanged, onChanged }: ChangePhoneProps) {
  const { supportEmail } = settings();
  if (account.verification === 'redirect')
    return (
      <Section icon="phone" title="Login phone" text={loginPhoneText(account)}>
        <p className="account-message">Your company sets this.</p>
      </Section>
    );
  return (
    <Section
      icon="phone"
      title="Login phone"
      text={`${loginPhoneText(account)} The phone on your card doesn't change.`}
    >
      <VerifiedChange
        account={account}
        purpose={CHANGE_PHONE}
        step="present"
        phones={[
          { group: CHANGE_PHONE.present, hint: loginPhoneText(account) },
          { group: CHANGE_PHONE.new, label: 'New phone number', hint: '' },
        ]}
        submitLabel="Change"
        submit={([token, newToken]) => send(changePhone, { body: { token, newToken } })}
        onDone={onChanged}
      >
        <p>
          {CHANGE_PHONE.lost} <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
        </p>
      </VerifiedChange>
      <output className="account-message message">{isChanged && CHANGE_PHONE.done}</output>
    </Section>
  );
}

export function DeleteAccount({ account }: { readonly account: Account }) {
  return (
    <Section
      icon="remove"
      title="Delete"
      text="This removes your card, your photo and your contacts at once, for good."
      className="account-destructive"
    >
      <VerifiedChange
        account={account}
        purpose={DELETE_ACCOUNT}
        step="delete"
        submitLabel="Delete"
        submit={([token]) => send(deleteAccount, { body: { token } })}
        isDestructive
        onDone={() => void leaveDeletedAccount()}
      />
    </Section>
  );
}

interface VerifiedChangeProps extends Omit<VerifyDialogProps, 'onClose'> {
  readonly account: Account;
  readonly step: VerifyStep;
}

function VerifiedChange({ step, onDone, ...change }: VerifiedChangeProps) {
  const isReturned = () => returnTo(change.submitLabel) !== null;
  const { target, open, close } = useVerification(change.account, isReturned, () =>
    verifyPath(step),
  );
  const finish = () => {
    close();
    onDone();
  };
  return (
    <>
      <Button onClick={() => open(true)}>{change.purpose.title}</Button>
      {target && <VerifyDialog {...change} onDone={finish} onClose={close} />}
    </>
  );
}

/**
 * Keeps the target of a dialog. If the company's login has interrupted the dialog, it is open when the owner comes
 * back. With a third party's widget, `open` loads the widget's own document instead of the dialog.
 */
export function useVerification<Target>(
  { verification }: Account,
  returned: () => Target | null,
  pathOf: (target: Target) => string,
) {
  const [target, setTarget] = useState<Target | null>(returned);
  const open = (next: Target) =>
    verification === 'widget' ? location.assign(pathOf(next)) : setTarget(next);
  return { target, open, close: () => setTarget(null) };
}
