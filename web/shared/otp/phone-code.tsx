import { useEffect, useImperativeHandle, useRef, useState } from 'react';
import type { FormEvent, Ref } from 'react';

import type { ApiErrorCode } from '#contract/api-error.ts';
import { sendOwnerCode, verifyCode } from '#contract/signin.ts';
import { toAsciiDigits } from '#domain/digit.ts';
import { CODE_LENGTH, TYPED_CODE_LENGTH_MAX, TYPED_PHONE_LENGTH_MAX } from '#domain/signin.ts';
import { cleanInput } from '#domain/text.ts';
import { call } from '#web/shared/http/call.ts';
import { failureSentence } from '#web/shared/http/failure.ts';
import { storedId } from '#web/shared/http/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Field } from '#web/shared/ui/field.tsx';

import { sentHint } from './sent-code.ts';
import type { SentCode } from './sent-code.ts';

export interface VerifiedPhone {
  /** Absent if the form has only one phone. */
  readonly group?: string;
  /** Of the field for a new phone; absent for the login phone. */
  readonly label?: string;
  readonly hint?: string;
}

export interface CodeHandle {
  /** '' after an error, which it shows. */
  readonly verify: () => Promise<string>;
  readonly select: () => void;
}

type Sent = Pick<SentCode, 'challenge' | 'codeLength'>;

const NOT_SENT: Sent = { challenge: '', codeLength: CODE_LENGTH };

interface PhoneCodeProps {
  readonly phone: VerifiedPhone;
  readonly formId: string;
  /** False when the typed phone has changed since. */
  readonly onSent: (isSent: boolean) => void;
  readonly ref: Ref<CodeHandle>;
}

export function PhoneCode({ phone, formId, onSent, ref }: PhoneCodeProps) {
  const [{ challenge, codeLength }, setSent] = useState(NOT_SENT);
  const [isVerified, setVerified] = useState(false);
  const content = (
    <>
      <SendForm
        phone={phone}
        isVerified={isVerified}
        onSent={(sent) => {
          setVerified(false);
          setSent(sent);
          onSent(sent !== NOT_SENT);
        }}
      />
      <CodeField
        // A new code starts without the error of the previous one.
        key={challenge}
        ref={ref}
        challenge={challenge}
        codeLength={codeLength}
        formId={formId}
        isVerified={isVerified}
        onVerified={() => setVerified(true)}
      />
    </>
  );
  if (phone.group === undefined) return content;
  return (
    <fieldset className="verified-group">
      <legend>{phone.group}</legend>
      {content}
    </fieldset>
  );
}

interface SendFormProps {
  readonly phone: VerifiedPhone;
  readonly isVerified: boolean;
  /** With NOT_SENT when the typed phone has changed since. */
  readonly onSent: (sent: Sent) => void;
}

const clean = (value: string) => cleanInput(value, TYPED_PHONE_LENGTH_MAX);

function SendForm({ phone: { label, hint = '' }, isVerified, onSent }: SendFormProps) {
  const [phone, setPhone] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState({ text: hint, isError: false });
  const fail = (text: string) => setMessage({ text, isError: true });

  const changePhone = (value: string) => {
    setPhone(value);
    if (clean(value) === clean(phone)) return;
    setMessage({ text: hint, isError: false });
    onSent(NOT_SENT);
  };

  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (label !== undefined && phone.trim() === '') {
      fail('Type your phone number.');
      return;
    }
    setBusy(true);
    setMessage({ text: '', isError: false });
    const body = label === undefined ? {} : { phone };
    const result = await call(sendOwnerCode, { params: { id: storedId() ?? '' }, body });
    setBusy(false);
    if (!result.body) {
      fail(failureSentence(result));
      return;
    }
    setMessage({ text: sentHint(result.body), isError: false });
    onSent({ ...NOT_SENT, ...result.body });
  };

  const text = isVerified ? 'This number is verified.' : message.text;
  return (
    <form className="verified-send" noValidate onSubmit={(event) => void send(event)}>
      {label === undefined ? (
        <output className={message.isError ? 'verified-error' : 'verified-note'}>{text}</output>
      ) : (
        <Field
          label={label}
          type="tel"
          autoComplete="tel"
          readOnly={isBusy}
          value={phone}
          lengthMax={TYPED_PHONE_LENGTH_MAX}
          error={message.isError ? text : ''}
          hint={() => text}
          onChange={changePhone}
        />
      )}
      <Button type="submit" isBusy={isBusy}>
        Send code
      </Button>
    </form>
  );
}

const exchange = (challenge: string, code: string) =>
  call(verifyCode, { body: { challenge, code } });

interface Attempt {
  readonly digits: string;
  readonly result: ReturnType<typeof exchange>;
}

const CODE_INVALID = 'code_invalid' satisfies ApiErrorCode;

interface CodeFieldProps {
  /** '' before a code was sent. */
  readonly challenge: string;
  readonly codeLength: number;
  readonly formId: string;
  readonly isVerified: boolean;
  readonly onVerified: () => void;
  readonly ref: Ref<CodeHandle>;
}

/** Verified when the field is left: the token lives longer than the code. */
function CodeField(props: CodeFieldProps) {
  const { challenge, codeLength, formId, isVerified, onVerified, ref } = props;
  const [code, setCode] = useState('');
  const [error, setError] = useState('');
  const input = useRef<HTMLInputElement>(null);
  /** Each code is sent once. */
  const attempt = useRef<Attempt | null>(null);
  const digits = toAsciiDigits(code).replace(/\D/g, '');
  useEffect(() => {
    if (challenge !== '') input.current?.focus();
  }, [challenge]);

  const verify = async () => {
    if (digits === '') {
      setError('Type the code from the message.');
      return '';
    }
    if (attempt.current?.digits !== digits) {
      setError('');
      attempt.current = { digits, result: exchange(challenge, code) };
    }
    const result = await attempt.current.result;
    if (result.body) {
      onVerified();
      return result.body.token;
    }
    if (result.error?.error !== CODE_INVALID) attempt.current = null;
    setError(failureSentence(result));
    return '';
  };
  useImperativeHandle(ref, () => ({ verify, select: () => input.current?.select() }));

  return (
    <Field
      label="Code"
      inputRef={input}
      form={formId}
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      disabled={challenge === ''}
      readOnly={isVerified}
      value={code}
      lengthMax={TYPED_CODE_LENGTH_MAX}
      error={error}
      onChange={setCode}
      onLeave={() => {
        if (digits.length >= codeLength) void verify();
      }}
    />
  );
}
