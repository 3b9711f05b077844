import { PROFILE_FIELD_NAMES } from '#domain/profile-field.ts';
import { ProfileField } from '#web/ui/profile-field.tsx';

import type { Draft } from './draft.ts';

interface FieldsProps {
  readonly draft: Draft;
  readonly onChange: (changed: Partial<Draft>) => void;
}

/** One input for each field of the card. */
export function Fields({ draft, onChange }: FieldsProps) {
  return (
    <div className="edit-fields">
      {PROFILE_FIELD_NAMES.map((field) => (
        <div key={field} className={`edit-field edit-field-${field}`}>
          <ProfileField
            field={field}
            value={draft[field]}
            onChange={(value) => onChange({ [field]: value })}
          />
        </div>
      ))}
    </div>
  );
}
