import '#view/otp.css';
import './verify-dialog.css';

import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';

import { useMutation } from '@tanstack/react-query';

import type { ApiErrorCode } from '#contract/api-error.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { sendOwnerCode, verifyCode } from '#contract/signin.ts';
import { CallError, call, failureSentence } from '#web/shared/http/call.ts';
import type { CallResult } from '#web/shared/http/call.ts';
import type { Purpose } from '#web/shared/otp/purpose.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Dialog } from '#web/shared/ui/dialog.tsx';
import { onSubmit } from '#web/shared/ui/field.tsx';

import { RequestError } from './form-step.ts';
import type { DialogPhone } from './phone-step.ts';
import { createWidget } from './widget.ts';
import type { ProviderCalls } from './widget.ts';

const REQUIRED = 'verification_required' satisfies ApiErrorCode;

export interface VerifyDialogProps {
  readonly purpose: Purpose;
  /** The group is absent if the dialog has only one phone. */
  readonly phones: readonly (DialogPhone & { readonly group?: string })[];
  readonly submitLabel: string;
  /** What cannot be undone has a colour of its own. */
  readonly isDestructive?: boolean;
  /** With a token of each phone. Rejects with a CallError. */
  readonly send: (tokens: readonly string[]) => Promise<unknown>;
  readonly onDone: () => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** A fresh verification by the embedded provider, before a change. */
export function VerifyDialog(props: VerifyDialogProps) {
  const { purpose, phones, submitLabel, isDestructive, send, onDone, onClose, children } = props;
  /** Each round begins without tokens. */
  const [round, setRound] = useState(1);
  const [tokens, setTokens] = useState<readonly string[]>(() => phones.map(() => ''));
  const change = useMutation({
    mutationFn: () => send(tokens),
    onSuccess: onDone,
    onError: (error) => {
      if (!(error instanceof CallError && error.error?.error === REQUIRED)) return;
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
      {children}
      {phones.map(({ group, ...phone }, index) => {
        const onToken = (token: string) =>
          setTokens((others) => others.map((other, at) => (at === index ? token : other)));
        const widget = <Widget key={round} phone={phone} onToken={onToken} />;
        if (group === undefined) return widget;
        return (
          <fieldset key={group} className="verify-group">
            <legend>{group}</legend>
            {widget}
          </fieldset>
        );
      })}
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

interface WidgetProps {
  readonly phone: DialogPhone;
  /** '' withdraws the token. */
  readonly onToken: (token: string) => void;
}

function Widget({ phone, onToken }: WidgetProps) {
  const container = useRef<HTMLDivElement>(null);
  const mount = useEffectEvent(() =>
    container.current?.replaceChildren(
      createWidget({ calls: OWNER_CALLS, phone, submit: onToken }),
    ),
  );
  // Before the dialog looks for what to focus.
  useLayoutEffect(() => mount(), []);
  return <div ref={container} className="verify-widget" />;
}

/** With the owner's session. */
const OWNER_CALLS: ProviderCalls = {
  send: async (phone) => {
    const body = phone === '' ? {} : { phone };
    return bodyOf(await call(sendOwnerCode, { body }));
  },
  verify: async (challenge, code) => bodyOf(await call(verifyCode, { body: { challenge, code } })),
};

function bodyOf<E extends Endpoint>(result: CallResult<E>) {
  if (result.body) return result.body;
  throw new RequestError(failureSentence(result), Number(result.headers['retry-after']) || 0);
}
