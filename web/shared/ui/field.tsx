import './field.css';

import { useId, useState } from 'react';
import type {
  ChangeEvent,
  ClipboardEvent,
  DOMAttributes,
  FormEvent,
  InputHTMLAttributes,
  Ref,
} from 'react';

import { isPasteTruncated } from '#domain/invisible.ts';
import { cleanIdentifier, cleanInput, cleanLineInput } from '#domain/text.ts';

type Attributes = Omit<InputHTMLAttributes<HTMLInputElement>, keyof DOMAttributes<never>>;

type FieldElement = HTMLInputElement | HTMLTextAreaElement;
type FieldEvent = ChangeEvent<FieldElement>;
type FieldPaste = ClipboardEvent<FieldElement>;

interface FieldProps extends Attributes {
  readonly label: string;
  readonly value: string;
  readonly lengthMax: number;
  readonly onChange: (value: string) => void;
  /** Returns advice that is shown while the field does not have the focus, or ''. It never prevents a save. */
  readonly hint?: (value: string) => string;
  /** Whether the hint stands out, and is shown even while the field has the focus. */
  readonly isWarning?: boolean;
  /** The note is shown while there is no error. */
  readonly note?: string;
  /** The error is shown at once. '' means that there is none. */
  readonly error?: string;
  readonly rows?: number;
  /** Returns the part of the pasted lines that the input accepts. */
  readonly pickFromLines?: (pasted: string) => string;
  /** Whether the value is an email, a phone, a link or the like, from which invisible characters are removed. */
  readonly isIdentifier?: boolean;
  readonly inputRef?: Ref<HTMLInputElement>;
  readonly onLeave?: () => void;
}

function cleanerOf(isIdentifier = false, rows = 1) {
  if (isIdentifier) return cleanIdentifier;
  return rows > 1 ? cleanInput : cleanLineInput;
}

/** A labelled input or textarea. When it loses the focus, it cleans its value in the same way as the server. */
export function Field({ label, value, onChange, lengthMax, ...rest }: FieldProps) {
  const { hint, isWarning = false, note = '', rows = 1, ...others } = rest;
  const { inputRef, onLeave, isIdentifier, pickFromLines = String, ...more } = others;
  const { error: rejection = '', ...attributes } = more;
  const cleaned = cleanerOf(isIdentifier, rows)(value);
  // The browser counts some letters once that the server counts as two, such as U+0958, which NFC decomposes.
  const isTooLong = cleaned.length > lengthMax;
  const error = isTooLong ? `This text is too long. Use up to ${lengthMax} characters.` : rejection;
  const id = useId();
  const [isFocused, setFocused] = useState(false);
  const [isPasteCut, setPasteCut] = useState(false);
  const cut = isPasteCut ? `We shortened what you pasted to ${lengthMax} characters.` : '';
  const message = error || cut || note || ((isWarning || !isFocused) && hint ? hint(value) : '');
  const kind = error === '' ? isWarning && 'field-warning' : 'error';
  const shared = {
    ...attributes,
    id,
    value,
    // A URL has no maxLength, because a link that the browser cuts still looks right but leads nowhere.
    maxLength: [attributes.type, attributes.inputMode].includes('url') ? undefined : lengthMax,
    className: 'field-input',
    'aria-describedby': message === '' ? undefined : `${id}-message`,
    'aria-invalid': error === '' ? undefined : true,
    onChange: ({ target }: FieldEvent) => {
      setPasteCut(false);
      onChange(target.value);
    },
    onPaste: (event: FieldPaste) => {
      const { currentTarget, clipboardData } = event;
      const text = clipboardData.getData('text');
      const pasted = pickFromLines(text);
      // An input would join the lines. No other way to insert text keeps the browser's Undo.
      if (pasted !== text && document.execCommand('insertText', false, pasted))
        event.preventDefault();
      // The browser inserts the text after this event.
      setTimeout(() => setPasteCut(isPasteTruncated(currentTarget.value, pasted)));
    },
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
        <textarea {...shared} rows={rows} dir="auto" />
      ) : (
        <input
          type="text"
          {...shared}
          ref={inputRef}
          dir={attributes.type === undefined ? 'auto' : undefined}
        />
      )}
      {/* Always rendered, so that the layout does not shift when a message appears. */}
      <p id={`${id}-message`} aria-live="polite" className={`field-message note ${kind || ''}`}>
        {message}
      </p>
    </div>
  );
}

/** Returns a handler that acts on a submit and keeps the browser from leaving the page. */
export const onSubmit = (act: () => void) => (event: FormEvent) => {
  event.preventDefault();
  act();
};
