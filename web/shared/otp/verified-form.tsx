import './verified-form.css';

import { useId, useRef, useState } from 'react';
import type { FormEvent } from 'react';

import type { ApiErrorBody, ApiErrorCode } from '#contract/api-error.ts';
import { failureSentence } from '#web/shared/http/failure.ts';
import { Button } from '#web/shared/ui/button.tsx';

import { PhoneCode } from './phone-code.tsx';
import type { CodeHandle, VerifiedPhone } from './phone-code.tsx';

const REQUIRED = 'verification_required' satisfies ApiErrorCode;

interface VerifiedFormProps extends Pick<
  SubmitFormProps,
  'submitLabel' | 'onCancel' | 'isDestructive'
> {
  readonly phones: readonly VerifiedPhone[];
  /** With a token of each phone. */
  readonly send: (
    tokens: readonly string[],
  ) => Promise<{ readonly body: object | null; readonly error: ApiErrorBody | null }>;
  readonly onDone: () => void;
}

export function VerifiedForm(props: VerifiedFormProps) {
  const { phones, send, onDone, ...form } = props;
  const formId = useId();
  const codes = useRef<(CodeHandle | null)[]>([]);
  /** Each round begins without codes. */
  const [round, setRound] = useState(1);
  /** The indexes of the phones that were sent a code. */
  const [sent, setSent] = useState<readonly number[]>([]);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState('');

  const sendVerified = async () => {
    const tokens = await Promise.all(
      codes.current.map(async (code) => (await code?.verify()) ?? ''),
    );
    if (tokens.includes('')) {
      codes.current[tokens.indexOf('')]?.select();
      return;
    }
    const result = await send(tokens);
    if (result.body) onDone();
    else setError(failureSentence(result));
    if (result.error?.error !== REQUIRED) return;
    setRound(round + 1);
    setSent([]);
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setError('');
    await sendVerified();
    setBusy(false);
  };

  return (
    <div className="verified-form">
      {phones.map((phone, index) => (
        <PhoneCode
          key={`${round} ${phone.group ?? ''}`}
          ref={(handle) => {
            codes.current[index] = handle;
          }}
          phone={phone}
          formId={formId}
          onSent={(isSent) =>
            setSent([...sent.filter((one) => one !== index), ...(isSent ? [index] : [])])
          }
        />
      ))}
      <SubmitForm
        {...form}
        id={formId}
        error={error}
        isBusy={isBusy}
        isEnabled={sent.length === phones.length}
        onSubmit={(event) => void submit(event)}
      />
    </div>
  );
}

interface SubmitFormProps {
  readonly id: string;
  readonly submitLabel: string;
  /** What cannot be undone has a colour of its own. */
  readonly isDestructive?: boolean;
  readonly error: string;
  readonly isBusy: boolean;
  readonly isEnabled: boolean;
  readonly onSubmit: (event: FormEvent) => void;
  readonly onCancel: () => void;
}

function SubmitForm(props: SubmitFormProps) {
  const { id, submitLabel, isDestructive = false, error, isBusy, isEnabled } = props;
  return (
    <form id={id} className="verified-submit" noValidate onSubmit={props.onSubmit}>
      <p role="alert" className="verified-error">
        {error}
      </p>
      <div className="dialog-actions">
        <Button onClick={props.onCancel}>Cancel</Button>
        <Button
          variant={isDestructive ? 'destructive' : 'main'}
          type="submit"
          isBusy={isBusy}
          disabled={!isEnabled}
        >
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}
