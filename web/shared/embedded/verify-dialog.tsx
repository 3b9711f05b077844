import '#view/otp.css';
import './verify-dialog.css';

import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useMutation } from '@tanstack/react-query';

import type { Account } from '#contract/account.ts';
import { sendOwnerCode, verifyCode } from '#contract/signin.ts';
import { BROWSER_STORAGE } from '#domain/browser-storage.ts';
import { CODE } from '#domain/language/en.ts';
import { CallError, send } from '#web/shared/http/call.ts';
import { storedId } from '#web/shared/http/storage.ts';
import { settings } from '#web/shared/http/settings.ts';
import { forgetReturn, leaveForLogin, returnTo } from '#web/shared/otp/interrupted.ts';
import { loginPhoneText } from '#web/shared/otp/purpose.ts';
import type { Purpose } from '#web/shared/otp/purpose.ts';
import { PasskeyButton } from '#web/shared/passkey/passkey-button.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { Dialog } from '#web/shared/ui/dialog.tsx';
import { onSubmit } from '#web/shared/ui/field.tsx';

import { createCodeForm } from './form.ts';
import type { CodeCalls, CodeFormOptions } from './form.ts';

export interface VerifyDialogProps {
  readonly purpose: Purpose;
  readonly account: Pick<Account, 'phoneEnd'>;
  /** Each phone to verify, by default the login phone. `group` names its part of a dialog with two phones. */
  readonly phones?: readonly (CodeFormOptions['phone'] & { readonly group?: string })[];
  readonly submitLabel: string;
  /** What the page has beside the dialog. It is kept if the company's login interrupts the dialog. */
  readonly typed?: string;
  readonly isDestructive?: boolean;
  /** Makes the change with one token for each phone. Rejects with a CallError. */
  readonly submit: (tokens: readonly string[]) => Promise<unknown>;
  readonly onDone: () => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

export function VerifyDialog(props: VerifyDialogProps) {
  const { purpose, account, submitLabel, typed, isDestructive, submit, onDone, onClose } = props;
  const { phones = [{ hint: loginPhoneText(account) }] } = props;
  // The round is the key of the forms. A rejected token begins a new round, with new forms.
  const [round, setRound] = useState(1);
  const [tokens, setTokens] = useState<readonly string[]>(() =>
    phones.map(() => returnTo(submitLabel)?.token ?? ''),
  );
  useEffect(forgetReturn, []);
  const change = useMutation({
    mutationFn: () => submit(tokens),
    onSuccess: onDone,
    onError: (error) => {
      if (!(error instanceof CallError) || error.error?.error !== 'verification_required') return;
      setRound(round + 1);
      setTokens(phones.map(() => ''));
    },
  });
  const actions = useRef<HTMLFormElement>(null);
  const isVerified = !tokens.includes('');
  useEffect(() => {
    if (!isVerified || !document.activeElement?.matches('.otp-input')) return;
    actions.current?.querySelector<HTMLElement>('[type="submit"]')?.focus();
  }, [isVerified]);

  return (
    <Dialog title={purpose.title} onClose={onClose}>
      <p>{purpose.text}</p>
      {props.children}
      {phones.map((phone, index) => (
        <Proof
          {...phone}
          key={`${phone.group} ${round}`}
          isVerified={tokens[index] !== ''}
          canUsePasskey={index === 0}
          onToken={(token) =>
            setTokens((others) => others.map((other, at) => (at === index ? token : other)))
          }
          onLeave={() => void leaveForLogin(submitLabel, typed ?? '')}
        />
      ))}
      <form ref={actions} onSubmit={onSubmit(() => change.mutate())}>
        <p role="alert" className="verify-error error">
          {change.error?.message}
        </p>
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant={isDestructive ? 'destructive' : 'main'}
            type="submit"
            isBusy={change.isPending}
            disabled={!isVerified}
          >
            {submitLabel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type ProofProps = NonNullable<VerifyDialogProps['phones']>[number] & {
  readonly isVerified: boolean;
  /** A passkey never verifies a new number. */
  readonly canUsePasskey: boolean;
  readonly onToken: (token: string) => void;
  /** Goes to the company's login. */
  readonly onLeave: () => void;
};

function Proof({ group, canUsePasskey, ...proof }: ProofProps) {
  const { isVerified, onToken, onLeave, ...phone } = proof;
  const [wasVerified] = useState(isVerified);
  if (group !== undefined)
    return (
      <fieldset className="verify-group">
        <legend>{group}</legend>
        <Proof {...proof} canUsePasskey={canUsePasskey} />
      </fieldset>
    );
  const { oidcName } = settings();
  const passkey = canUsePasskey && <PasskeyButton onToken={onToken} />;
  if (oidcName === undefined)
    return (
      <>
        <FreshCode phone={phone} onToken={onToken} />
        {passkey}
      </>
    );
  if (isVerified && wasVerified) return <output>{oidcName} has confirmed that it's you.</output>;
  return (
    <>
      <Button onClick={onLeave}>Continue with {oidcName}</Button>
      {passkey}
    </>
  );
}

function FreshCode({ phone, onToken }: Pick<CodeFormOptions, 'phone' | 'onToken'>) {
  // The form is created once, and stays in the page when the dialog is rendered again.
  const [insertForm] = useState(() => {
    const form = createCodeForm({
      texts: CODE,
      calls: OWNER_CALLS,
      // The key contains the id, because another owner may sign in in this tab later.
      storageKey: `${BROWSER_STORAGE.sessionStorage.ownerCode}${storedId()}`,
      phone,
      onToken,
      isInDialog: true,
    });
    return (container: HTMLElement | null) => container?.replaceChildren(form);
  });
  return <div ref={insertForm} className="verify-code" />;
}

const OWNER_CALLS: CodeCalls = {
  send: async (phone) => (await send(sendOwnerCode, { body: phone === '' ? {} : { phone } })).body,
  verify: async (challenge, code) => (await send(verifyCode, { body: { challenge, code } })).body,
};
