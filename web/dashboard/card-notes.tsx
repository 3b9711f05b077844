import './card-notes.css';

import { Link } from 'react-router';

import { nameHint, NO_PHONE_HINT } from '#domain/hint.ts';
import type { Profile } from '#domain/profile.ts';
import { PATHS } from '#domain/path.ts';
import { hasChanges } from '#web/profile/changes.ts';
import { editDraftKey, storedChanges } from '#web/profile/stored-changes.ts';

const UNSAVED_NOTE = 'Unsaved changes from before your session ended are in Edit Profile.';

/**
 * Notes about unsaved changes from before the session ended, and about a missing phone or name
 * (docs/product.md#dashboard).
 */
export function CardNotes({ profile }: { readonly profile: Profile }) {
  const notes = [
    hasChanges(profile, storedChanges(editDraftKey(profile._id))) ? UNSAVED_NOTE : '',
    profile.phone.trim() === '' ? NO_PHONE_HINT : '',
    nameHint(profile.name),
  ].filter(Boolean);
  if (notes.length === 0) return null;
  return (
    <div className="card-notes">
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <Link to={PATHS.edit}>
        {notes[0] === UNSAVED_NOTE ? 'Go on editing' : 'Complete your card'}
      </Link>
    </div>
  );
}
