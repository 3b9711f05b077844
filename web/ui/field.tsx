import './field.css';

import { useId, useState } from 'react';
import type { InputHTMLAttributes, Ref } from 'react';

import { cleanInput } from '#domain/text.ts';

type Attributes = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  | 'type'
  | 'name'
  | 'autoComplete'
  | 'autoCapitalize'
  | 'inputMode'
  | 'enterKeyHint'
  | 'placeholder'
  | 'spellCheck'
  | 'disabled'
>;

interface FieldProps extends Attributes {
  readonly label: string;
  readonly value: string;
  readonly lengthMax: number;
  readonly onChange: (value: string) => void;
  /** Something quiet to say about the value once it has been left; '' is nothing. Never blocks. */
  readonly hint?: (value: string) => string;
  /** A note that is shown at once, about something that has to be mended. */
  readonly note?: string;
  /** How many rows; more than one makes it multi-line. */
  readonly rows?: number;
  readonly inputRef?: Ref<HTMLInputElement>;
}

/** A text field with a label that stays. What leaves it is text that the server takes. */
export function Field({ label, value, onChange, lengthMax, ...rest }: FieldProps) {
  const { hint, note = '', rows = 1, inputRef, ...attributes } = rest;
  const id = useId();
  const [isLeft, setLeft] = useState(false);
  const said = note || (isLeft && hint ? hint(value) : '');
  const shared = {
    ...attributes,
    id,
    value,
    maxLength: lengthMax,
    className: 'field-input',
    'aria-describedby': said === '' ? undefined : `${id}-said`,
    'aria-invalid': note === '' ? undefined : true,
    onFocus: () => setLeft(false),
    onBlur: () => {
      setLeft(true);
      const cleaned = cleanInput(value, lengthMax);
      if (cleaned !== value) onChange(cleaned);
    },
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {rows > 1 ? (
        <textarea {...shared} rows={rows} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <input
          type="text"
          {...shared}
          ref={inputRef}
          dir={attributes.type === undefined ? 'auto' : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {/* The line is there before anything is said, so that nothing moves. */}
      <p
        id={`${id}-said`}
        aria-live="polite"
        className={note === '' ? 'field-said' : 'field-said field-note'}
      >
        {said}
      </p>
    </div>
  );
}
