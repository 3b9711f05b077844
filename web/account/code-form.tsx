import { useEffect, useRef, useState } from 'react';
import type { FormEvent, RefObject } from 'react';

import { sendOwnerCode, verifyCode } from '#contract/signin.ts';
import { TYPED_CODE_LENGTH_MAX, TYPED_PHONE_LENGTH_MAX } from '#domain/signin.ts';
import { cleanInput } from '#domain/text.ts';
import { call } from '#web/http/call.ts';
import { failureSentence, hasSessionEnded } from '#web/http/failure.ts';
import { storedId } from '#web/http/session.ts';
import { sentHint } from '#web/otp/sent-code.ts';
import { useLoginRedirect } from '#web/profile/use-login-redirect.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';

interface CodeFormProps {
  /** Whether a new phone is verified instead of the login phone. */
  readonly hasPhone: boolean;
  readonly submitLabel: string;
  /** Called with the token of a correct code. Returns the sentence of an error; '' after success. */
  readonly onToken: (token: string) => Promise<string>;
}

/** Sends a code of the embedded provider, and exchanges it for a token. */
export function CodeForm({ hasPhone, submitLabel, onToken }: CodeFormProps) {
  const [challenge, setChallenge] = useState('');
  const codeInput = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (challenge !== '') codeInput.current?.focus();
  }, [challenge]);
  return (
    <>
      <SendForm hasPhone={hasPhone} onSent={setChallenge} />
      <VerifyForm
        // A new code starts without the error of the previous one.
        key={challenge}
        challenge={challenge}
        submitLabel={submitLabel}
        inputRef={codeInput}
        onToken={onToken}
      />
    </>
  );
}

interface SendFormProps {
  readonly hasPhone: boolean;
  /** Called with the challenge of the code that was sent; with '' when the typed phone has changed since. */
  readonly onSent: (challenge: string) => void;
}

function SendForm({ hasPhone, onSent }: SendFormProps) {
  const [phone, setPhone] = useState('');
  const typedPhone = useRef('');
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState({ text: '', isError: false });
  const redirectToLogin = useLoginRedirect();
  const fail = (text: string) => setMessage({ text, isError: true });

  const changePhone = (value: string) => {
    setPhone(value);
    const typed = cleanInput(value, TYPED_PHONE_LENGTH_MAX);
    if (typed === typedPhone.current) return;
    typedPhone.current = typed;
    setMessage({ text: '', isError: false });
    onSent('');
  };

  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (hasPhone && phone.trim() === '') {
      fail('Type your phone number.');
      return;
    }
    setBusy(true);
    setMessage({ text: '', isError: false });
    const body = hasPhone ? { phone } : {};
    const sentTo = typedPhone.current;
    const result = await call(sendOwnerCode, { params: { id: storedId() ?? '' }, body });
    setBusy(false);
    if (hasSessionEnded(result)) redirectToLogin();
    if (typedPhone.current !== sentTo) return;
    if (!result.body) {
      fail(failureSentence(result));
      return;
    }
    setMessage({ text: sentHint(result.body), isError: false });
    onSent(result.body.challenge);
  };

  return (
    <form className="account-form" noValidate onSubmit={(event) => void send(event)}>
      {hasPhone && (
        <Field
          label="Phone number"
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          value={phone}
          lengthMax={TYPED_PHONE_LENGTH_MAX}
          onChange={changePhone}
        />
      )}
      <Button type="submit" isBusy={isBusy}>
        Send code
      </Button>
      <output className={message.isError ? 'account-note account-error' : 'account-note'}>
        {message.text}
      </output>
    </form>
  );
}

interface VerifyFormProps {
  /** The challenge of the code that was sent; '' before. */
  readonly challenge: string;
  readonly submitLabel: string;
  readonly inputRef: RefObject<HTMLInputElement | null>;
  readonly onToken: (token: string) => Promise<string>;
}

function VerifyForm({ challenge, submitLabel, inputRef, onToken }: VerifyFormProps) {
  const [code, setCode] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState('');

  const verify = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (challenge === '' || code.trim() === '') {
      setError(challenge === '' ? 'Send the code first.' : 'Type the code from the message.');
      return;
    }
    setBusy(true);
    setError('');
    const result = await call(verifyCode, { body: { challenge, code } });
    const sentence = result.body ? await onToken(result.body.token) : failureSentence(result);
    setBusy(false);
    setError(sentence);
    if (sentence !== '') inputRef.current?.select();
  };

  return (
    <form className="account-form" noValidate onSubmit={(event) => void verify(event)}>
      <Field
        label="Code"
        inputRef={inputRef}
        inputMode="numeric"
        autoComplete="one-time-code"
        spellCheck={false}
        value={code}
        lengthMax={TYPED_CODE_LENGTH_MAX}
        error={error}
        onChange={setCode}
      />
      <Button variant="main" type="submit" isBusy={isBusy}>
        {submitLabel}
      </Button>
    </form>
  );
}
