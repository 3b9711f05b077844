import './card-notes.css';

import { Link } from 'react-router';

import { emailHint, nameHint, NO_PHONE_HINT } from '#domain/hint.ts';
import type { Profile } from '#domain/profile.ts';
import { PATHS } from '#domain/path.ts';
import { hasChanges } from '#web/shared/profile/changes.ts';
import { useQueue } from '#web/shared/profile/profile-store.ts';
import { editDraftKey, storedChanges } from '#web/shared/profile/stored-changes.ts';

const QUEUED_NOTE = 'Your changes are on this device and are saved when you are online.';
const UNSAVED_NOTE = 'Unsaved changes from before your session ended are in Edit Profile.';
const TYPED_NOTE = 'Unsaved changes are in Edit Profile.';

/** docs/product.md#dashboard. */
export function CardNotes({ profile }: { readonly profile: Profile }) {
  const isQueued = useQueue() !== null;
  const key = editDraftKey(profile._id);
  const unsaved = [
    isQueued ? QUEUED_NOTE : '',
    hasChanges(profile, storedChanges(key)) ? UNSAVED_NOTE : '',
    hasChanges(profile, storedChanges(key, localStorage)) ? TYPED_NOTE : '',
  ].filter(Boolean);
  const notes = [
    ...unsaved,
    profile.phone.trim() === '' ? NO_PHONE_HINT : '',
    nameHint(profile.name),
    emailHint(profile.email) && `${profile.email}: ${emailHint(profile.email)}`,
  ].filter(Boolean);
  if (notes.length === 0) return null;
  return (
    <div className="card-notes">
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <Link to={PATHS.edit}>{unsaved.length > 0 ? 'Go on editing' : 'Complete your card'}</Link>
    </div>
  );
}
