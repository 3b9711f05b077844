import { emailHint, phoneHint } from '#domain/hint.ts';
import { TYPED_LENGTHS_MAX } from '#domain/typed.ts';
import type { TypedField } from '#domain/typed.ts';
import { Field } from '#web/ui/field.tsx';

import type { Draft } from './draft.ts';

const BIO_ROWS = 5;

type Look = Omit<Parameters<typeof Field>[0], 'value' | 'lengthMax' | 'onChange'>;

/** The fields in their order, as the specification labels them (section 2). */
const FIELDS: readonly (readonly [TypedField, Look])[] = [
  ['name', { label: 'Name', autoComplete: 'name', autoCapitalize: 'words' }],
  [
    'designation',
    { label: 'Designation', autoComplete: 'organization-title', autoCapitalize: 'words' },
  ],
  ['companyName', { label: 'Company', autoComplete: 'organization', autoCapitalize: 'words' }],
  ['bio', { label: 'About', rows: BIO_ROWS, autoComplete: 'off', autoCapitalize: 'sentences' }],
  [
    'phone',
    {
      label: 'Phone',
      type: 'tel',
      inputMode: 'tel',
      autoComplete: 'tel',
      autoCapitalize: 'none',
      hint: phoneHint,
    },
  ],
  [
    'email',
    {
      label: 'Email',
      type: 'email',
      inputMode: 'email',
      autoComplete: 'email',
      autoCapitalize: 'none',
      spellCheck: false,
      hint: emailHint,
    },
  ],
];

interface FieldsProps {
  readonly draft: Draft;
  readonly onChange: (changed: Partial<Draft>) => void;
}

export function Fields({ draft, onChange }: FieldsProps) {
  return (
    <div className="edit-fields">
      {FIELDS.map(([field, look]) => (
        <div key={field} className={`edit-field edit-field-${field}`}>
          <Field
            {...look}
            name={field}
            value={draft[field]}
            lengthMax={TYPED_LENGTHS_MAX[field]}
            onChange={(value) => onChange({ [field]: value })}
          />
        </div>
      ))}
    </div>
  );
}
