import './verified-form.css';

import { useId, useRef, useState } from 'react';
import type { FormEvent } from 'react';

import type { ApiErrorBody, ApiErrorCode } from '#contract/api-error.ts';
import { failureSentence } from '#web/http/failure.ts';
import { Button } from '#web/ui/button.tsx';

import { PhoneCode } from './phone-code.tsx';
import type { CodeHandle, VerifiedPhone } from './phone-code.tsx';

const REQUIRED = 'verification_required' satisfies ApiErrorCode;

interface VerifiedFormProps {
  readonly phones: readonly VerifiedPhone[];
  readonly submitLabel: string;
  /** With a token of each phone. */
  readonly send: (
    tokens: readonly string[],
  ) => Promise<{ readonly body: object | null; readonly error: ApiErrorBody | null }>;
  readonly onDone: () => void;
}

export function VerifiedForm({ phones, submitLabel, send, onDone }: VerifiedFormProps) {
  const formId = useId();
  const codes = useRef<(CodeHandle | null)[]>([]);
  /** Each round begins without codes. */
  const [round, setRound] = useState(1);
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
    if (result.error?.error === REQUIRED) setRound(round + 1);
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
        />
      ))}
      <form
        id={formId}
        className="verified-submit"
        noValidate
        onSubmit={(event) => void submit(event)}
      >
        <p role="alert" className="verified-error">
          {error}
        </p>
        <Button variant="main" type="submit" isBusy={isBusy}>
          {submitLabel}
        </Button>
      </form>
    </div>
  );
}
