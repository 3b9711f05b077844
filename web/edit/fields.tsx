import { emailHint, phoneHint } from '#domain/hint.ts';
import { PROFILE_FIELDS, PROFILE_FIELD_NAMES } from '#domain/profile-field.ts';
import type { ProfileFieldName } from '#domain/profile-field.ts';
import { Field } from '#web/ui/field.tsx';

import type { Draft } from './draft.ts';

const BIO_ROWS = 5;

type InputProps = Omit<Parameters<typeof Field>[0], 'label' | 'value' | 'lengthMax' | 'onChange'>;

/** The properties of each kind of input. */
const INPUT_PROPS: Readonly<
  Record<(typeof PROFILE_FIELDS)[ProfileFieldName]['input'], InputProps>
> = {
  text: { autoCapitalize: 'words' },
  multiline: { autoCapitalize: 'sentences', rows: BIO_ROWS },
  tel: { type: 'tel', inputMode: 'tel', autoCapitalize: 'none', hint: phoneHint },
  email: {
    type: 'email',
    inputMode: 'email',
    autoCapitalize: 'none',
    spellCheck: false,
    hint: emailHint,
  },
};

interface FieldsProps {
  readonly draft: Draft;
  readonly onChange: (changed: Partial<Draft>) => void;
}

export function Fields({ draft, onChange }: FieldsProps) {
  return (
    <div className="edit-fields">
      {PROFILE_FIELD_NAMES.map((field) => {
        const { label, input, autoComplete, lengthMax } = PROFILE_FIELDS[field];
        return (
          <div key={field} className={`edit-field edit-field-${field}`}>
            <Field
              {...INPUT_PROPS[input]}
              label={label}
              name={field}
              autoComplete={autoComplete}
              value={draft[field]}
              lengthMax={lengthMax}
              onChange={(value) => onChange({ [field]: value })}
            />
          </div>
        );
      })}
    </div>
  );
}
