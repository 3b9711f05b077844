import './notes.css';
import './preview.css';

import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';

import type { CardExtras } from '#domain/extras.ts';
import { inCardOrder } from '#domain/network.ts';
import { socialTiles } from '#domain/onboarding.ts';
import type { Profile, ProfileChange } from '#domain/profile.ts';
import { PROFILE_FIELD_NAMES } from '#domain/profile-field.ts';
import { PATHS } from '#domain/path.ts';
import type { Palette } from '#domain/palette.ts';
import { settings } from '#web/shared/http/settings.ts';
import { PhotoPanel } from '#web/shared/photo/photo-editor.tsx';
import { useCardLook } from '#web/shared/profile/card-look.ts';
import { applyChanges } from '#web/shared/profile/changes.ts';
import { showAlert } from '#web/shared/ui/alert.ts';
import { Button, IconButton } from '#web/shared/ui/button.tsx';
import { DraftCard } from '#web/shared/ui/draft-card.tsx';
import { LoadingStatus, ProgressLine } from '#web/shared/ui/loading.tsx';
import { OfflineNote } from '#web/shared/ui/offline-note.tsx';
import { ProfileField } from '#web/shared/ui/profile-field.tsx';
import { Socials } from '#web/shared/ui/socials.tsx';
import { UnsavedNote } from '#web/shared/ui/unsaved-note.tsx';

import { ConfirmUpi, ExtraFields } from './extras.tsx';
import { SAVED, useEdit } from './use-edit.ts';
import { useExtras } from './use-extras.ts';

const SAVE_LABEL = 'Update Changes';
const FORM_ID = 'edit-form';

export function Form({ profile }: { readonly profile: Profile }) {
  const extras = useExtras(profile._id);
  const { phase, draft, hasUnsaved, change, submit, onSessionEnded } = useEdit(profile, extras);
  const [initialHandles] = useState(profile.socialMediaHandles);
  const card = applyChanges(profile, draft);
  const { palette, logo } = useCardLook(profile);
  const isSaving = phase === 'saving';
  const isQueued = hasUnsaved && phase === 'queued';
  const isFailed = (hasUnsaved && phase === 'failed') || extras.hasFailed;
  // Of the two that are filled, the style fills the one that is always in the view.
  const saveButton = (
    <Button
      variant={(hasUnsaved && !isQueued) || extras.hasUnsaved ? 'main' : 'outlined'}
      type="submit"
      form={FORM_ID}
      isBusy={isSaving}
    >
      {SAVE_LABEL}
    </Button>
  );

  return (
    <div className="edit">
      {isSaving && <ProgressLine />}
      {isSaving && <LoadingStatus>Saving</LoadingStatus>}
      <Header>
        <UnsavedNote isShown={isFailed || isQueued} isQueued={isQueued} />
        {saveButton}
      </Header>
      <main className="edit-main">
        <section className="edit-photo" aria-label="Photo">
          <PhotoPanel profile={profile} palette={palette} onSessionEnded={onSessionEnded} />
        </section>
        <form id={FORM_ID} onSubmit={submit} noValidate aria-busy={isSaving}>
          <Fields card={card} onChange={change} />
          <ExtraFields extras={extras} />
        </form>
        {/* Outside the form, because its pop-ups contain forms. */}
        <section className="edit-socials" aria-labelledby="edit-socials">
          <h2 id="edit-socials">Socials</h2>
          <Socials
            tiles={inCardOrder(socialTiles(initialHandles, card.socialMediaHandles))}
            handles={card.socialMediaHandles}
            phone={card.phone}
            onChange={(socialMediaHandles) => change({ socialMediaHandles })}
          />
        </section>
        <End isQueued={phase === 'queued'}>
          <UnsavedNote isShown={isFailed} />
          {saveButton}
        </End>
      </main>
      <Preview profile={card} palette={palette} logo={logo} extras={extras.card} />
      <ConfirmUpi extras={extras} onSaved={() => showAlert(SAVED)} />
    </div>
  );
}

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

interface EndProps {
  /** Sent as soon as there is a network. */
  readonly isQueued: boolean;
  readonly children: ReactNode;
}

function End({ isQueued, children }: EndProps) {
  return (
    <>
      <div className="edit-end">
        <output className="edit-queued">
          {isQueued && 'Kept on this device. Sent when you are online.'}
        </output>
        {children}
      </div>
      <div className="edit-more">
        <Link to={PATHS.appearance}>Appearance</Link>
        {settings().languages && <Link to={PATHS.faces}>Add another language</Link>}
        <Link to={PATHS.account}>Account and data</Link>
      </div>
    </>
  );
}

interface PreviewProps {
  readonly profile: Profile;
  readonly palette: Palette;
  readonly logo: string;
  readonly extras: CardExtras;
}

/** On wide screens only. Hidden from screen readers: it repeats the form. */
function Preview(props: PreviewProps) {
  return (
    <aside className="edit-preview" aria-hidden="true">
      <DraftCard {...props} />
    </aside>
  );
}

export function Header({ children }: { readonly children?: ReactNode }) {
  const navigate = useNavigate();
  return (
    <header className="edit-head">
      <div className="edit-bar">
        <IconButton name="Back" icon="back" onClick={() => void navigate(PATHS.dashboard)} />
        <div className="edit-title">
          <h1>Edit Profile</h1>
          <OfflineNote />
        </div>
        {children}
      </div>
    </header>
  );
}
