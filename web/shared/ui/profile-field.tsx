import type { ComponentProps } from 'react';

import { ADDRESS_LINES_MAX, EXTRA_FIELDS } from '#domain/extras.ts';
import type { Extra } from '#domain/extras.ts';
import { cardPhoneHint, emailHint, nameHint } from '#domain/hint.ts';
import { PROFILE_FIELDS, lockedNote } from '#domain/profile-field.ts';
import type { ProfileFieldName } from '#domain/profile-field.ts';
import { settings } from '#web/shared/http/settings.ts';

import { Field } from './field.tsx';

type FieldProps = ComponentProps<typeof Field>;
type InputKind =
  | (typeof PROFILE_FIELDS)[ProfileFieldName]['input']
  | (typeof EXTRA_FIELDS)[Extra]['input'];

/** See docs/develop/product.md#edit-profile. */
const MULTILINE_ROWS = 5;

const INPUT_PROPS: Readonly<
  Record<InputKind, Omit<FieldProps, 'label' | 'value' | 'lengthMax' | 'onChange'>>
> = {
  text: { autoCapitalize: 'words' },
  multiline: { autoCapitalize: 'sentences', rows: MULTILINE_ROWS },
  tel: {
    type: 'tel',
    inputMode: 'tel',
    autoCapitalize: 'none',
    isIdentifier: true,
    hint: cardPhoneHint,
  },
  email: {
    type: 'email',
    inputMode: 'email',
    autoCapitalize: 'none',
    spellCheck: false,
    isIdentifier: true,
    hint: emailHint,
  },
  identifier: {
    autoCapitalize: 'none',
    inputMode: 'email',
    spellCheck: false,
    isIdentifier: true,
  },
  capitals: { autoCapitalize: 'characters', spellCheck: false, isIdentifier: true },
  lines: { autoCapitalize: 'words', rows: ADDRESS_LINES_MAX },
  links: {},
};

interface ProfileFieldProps extends Pick<
  FieldProps,
  'value' | 'onChange' | 'enterKeyHint' | 'inputRef' | 'autoComplete' | 'placeholder' | 'hint'
> {
  readonly field: ProfileFieldName;
  readonly label?: string;
  readonly name?: string;
  /** Whether only the operator can change the field. */
  readonly isLocked?: boolean;
}

/** A field of the profile. PROFILE_FIELDS defines its limit, keyboard and autocomplete. */
export function ProfileField({ field, isLocked = false, ...props }: ProfileFieldProps) {
  const { label, input, autoComplete, lengthMax } = PROFILE_FIELDS[field];
  return (
    <Field
      {...INPUT_PROPS[input]}
      {...(field === 'name' && { hint: nameHint })}
      isWarning={field === 'phone' && props.value.trim() === ''}
      label={label}
      name={field}
      autoComplete={autoComplete}
      lengthMax={lengthMax}
      readOnly={isLocked}
      note={isLocked ? lockedNote(settings().productName) : ''}
      {...props}
    />
  );
}

interface ExtraFieldProps extends Pick<
  FieldProps,
  'value' | 'onChange' | 'onLeave' | 'disabled' | 'error'
> {
  readonly extra: Extra;
}

/** A field of the extras. EXTRA_FIELDS defines it, as PROFILE_FIELDS defines a `ProfileField`. */
export function ExtraField({ extra, ...props }: ExtraFieldProps) {
  const { input, ...field } = EXTRA_FIELDS[extra];
  // The hint says that the phone is missing, but a second phone is optional.
  const isEmptyPhone = extra === 'phone' && props.value.trim() === '';
  return (
    <Field
      {...INPUT_PROPS[input]}
      {...(isEmptyPhone && { hint: undefined })}
      {...field}
      name={`extra-${extra}`}
      {...props}
    />
  );
}
