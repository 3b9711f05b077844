import type { Profile, ProfileChange } from '#domain/profile.ts';
import { PROFILE_FIELD_NAMES } from '#domain/profile-field.ts';
import { ProfileField } from '#web/ui/profile-field.tsx';

interface FieldsProps {
  /** With what was typed. */
  readonly card: Profile;
  readonly onChange: (changed: ProfileChange) => void;
}

export function Fields({ card, onChange }: FieldsProps) {
  return (
    <div className="edit-fields">
      {PROFILE_FIELD_NAMES.map((field) => (
        <div key={field} className={`edit-field edit-field-${field}`}>
          <ProfileField
            field={field}
            value={card[field]}
            onChange={(value) => onChange({ [field]: value })}
          />
        </div>
      ))}
    </div>
  );
}
