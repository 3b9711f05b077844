import { useState } from 'react';
import { useNavigate } from 'react-router';

import type { Profile } from '#domain/profile.ts';
import { TYPED_LENGTHS_MAX } from '#domain/typed.ts';
import type { TypedField } from '#domain/typed.ts';
import { saveProfile, useProfile } from '#web/http/profile.ts';
import { clearStorage } from '#web/http/session.ts';
import { PATHS } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { say } from '#web/ui/say.ts';

const FIELDS: readonly { readonly field: TypedField; readonly label: string }[] = [
  { field: 'name', label: 'Name' },
  { field: 'designation', label: 'Designation' },
  { field: 'companyName', label: 'Company' },
  { field: 'bio', label: 'About' },
  { field: 'phone', label: 'Phone' },
  { field: 'email', label: 'Email' },
];

/** Edit Profile, as thin as it can be. */
export function Page() {
  const state = useProfile();
  return state.kind === 'ready' ? <Edit profile={state.profile} /> : null;
}

function Edit({ profile }: { readonly profile: Profile }) {
  const navigate = useNavigate();
  const [edited, setEdited] = useState(profile);
  const save = async () => {
    const status = await saveProfile(edited);
    if (status === 200) say('Data updated successfully');
    if (status !== 403) return;
    say('Session logged out');
    clearStorage();
    await navigate(PATHS.login);
  };
  return (
    <main>
      <IconButton name="Back" glyph="back" onClick={() => void navigate(PATHS.dashboard)} />
      {FIELDS.map(({ field, label }) => (
        <Field
          key={field}
          label={label}
          value={edited[field]}
          lengthMax={TYPED_LENGTHS_MAX[field]}
          rows={field === 'bio' ? 5 : 1}
          onChange={(value) => setEdited({ ...edited, [field]: value })}
        />
      ))}
      <Button look="main" onClick={() => void save()}>
        Update Changes
      </Button>
    </main>
  );
}
