import './my-card.css';

import { Link } from 'react-router';

import { emailHint, nameHint, NO_PHONE_HINT } from '#domain/hint.ts';
import type { Profile } from '#domain/profile.ts';
import { PATHS } from '#domain/path.ts';
import { useStoredDraft } from '#web/shared/profile/draft.ts';

const UNSAVED_NOTE = 'Unsaved changes are in Edit Profile.';

/** docs/product.md#dashboard. */
export function CardNotes({ profile }: { readonly profile: Profile }) {
  const draft = useStoredDraft('edit', profile._id);
  const hasUnsaved = Boolean(draft?.value);
  const notes = [
    hasUnsaved ? UNSAVED_NOTE : '',
    profile.phone.trim() === '' ? NO_PHONE_HINT : '',
    nameHint(profile.name),
    emailHint(profile.email) && `${profile.email}: ${emailHint(profile.email)}`,
  ].filter(Boolean);
  if (notes.length === 0) return null;
  return (
    <div className="card-notes remark">
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <Link className="link" to={PATHS.edit}>
        {hasUnsaved ? 'Go on editing' : 'Complete your card'}
      </Link>
    </div>
  );
}
