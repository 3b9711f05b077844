import './field.css';

import { useId, useState } from 'react';
import type { DOMAttributes, FormEvent, InputHTMLAttributes, Ref } from 'react';

import { cleanInput } from '#domain/text.ts';

type Attributes = Omit<InputHTMLAttributes<HTMLInputElement>, keyof DOMAttributes<never>>;

interface FieldProps extends Attributes {
  readonly label: string;
  readonly value: string;
  readonly lengthMax: number;
  readonly onChange: (value: string) => void;
  /** Shown unless the field has the focus; '' for none. Never blocks. */
  readonly hint?: (value: string) => string;
  /** The hint is shown in any case, and stands out. */
  readonly isWarning?: boolean;
  /** Shown while there is no error. */
  readonly note?: string;
  /** Shown immediately; '' for none. */
  readonly error?: string;
  /** More than one is a multi-line field. */
  readonly rows?: number;
  readonly inputRef?: Ref<HTMLInputElement>;
  readonly onLeave?: () => void;
}

/** On blur it cleans its value as the server does. */
export function Field({ label, value, onChange, lengthMax, ...rest }: FieldProps) {
  const { hint, isWarning = false, note = '', rows = 1, ...others } = rest;
  const { inputRef, onLeave, error: rejection = '', ...attributes } = others;
  const cleaned = cleanInput(value);
  // The browser counts a letter as one that the server counts as two (U+0958 in NFC).
  const isTooLong = cleaned.length > lengthMax;
  const error = isTooLong ? `This text is too long: at most ${lengthMax} characters.` : rejection;
  const id = useId();
  const [isFocused, setFocused] = useState(false);
  const message = error || note || ((isWarning || !isFocused) && hint ? hint(value) : '');
  const kind = error === '' ? isWarning && 'field-warning' : 'error';
  const shared = {
    ...attributes,
    id,
    value,
    maxLength: lengthMax,
    className: 'field-input',
    'aria-describedby': message === '' ? undefined : `${id}-message`,
    'aria-invalid': error === '' ? undefined : true,
    onFocus: () => setFocused(true),
    onBlur: () => {
      setFocused(false);
      if (cleaned !== value) onChange(cleaned);
      onLeave?.();
    },
  };
  return (
    <div className="field stack">
      <label htmlFor={id}>{label}</label>
      {rows > 1 ? (
        <textarea
          {...shared}
          rows={rows}
          dir="auto"
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <input
          type="text"
          {...shared}
          ref={inputRef}
          dir={attributes.type === undefined ? 'auto' : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {/* Always rendered, so that the layout does not shift when a message appears. */}
      <p id={`${id}-message`} aria-live="polite" className={`field-message note ${kind || ''}`}>
        {message}
      </p>
    </div>
  );
}

/** For a form that stays on its page. */
export const onSubmit = (act: () => void) => (event: FormEvent) => {
  event.preventDefault();
  act();
};
