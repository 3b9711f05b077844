import '#view/card.css';
import './edit.css';
import './preview.css';

import { useState } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';

import { inCardOrder } from '#domain/network.ts';
import { socialTiles } from '#domain/onboarding.ts';
import type { Palette } from '#domain/palette.ts';
import { PATHS } from '#domain/path.ts';
import { PROFILE_FIELD_NAMES } from '#domain/profile-field.ts';
import type { Profile } from '#domain/profile.ts';
import { useIsOffline } from '#web/shared/http/query.ts';
import { settings } from '#web/shared/http/settings.ts';
import { storedId } from '#web/shared/http/storage.ts';
import { PhotoPanel } from '#web/shared/photo/photo-editor.tsx';
import { useCardLook } from '#web/shared/profile/card.ts';
import { useStoredDraft } from '#web/shared/profile/draft.ts';
import type { EditDraft } from '#web/shared/profile/draft.ts';
import { useOwner } from '#web/shared/profile/profile.ts';
import { Button, IconButton } from '#web/shared/ui/button.tsx';
import { DraftCard } from '#web/shared/ui/draft-card.tsx';
import { LoadingStatus, Skeleton, ProgressLine } from '#web/shared/ui/loading.tsx';
import { UnsavedNote } from '#web/shared/ui/note-box.tsx';
import { OfflineNote } from '#web/shared/ui/page-frame.tsx';
import { Socials } from '#web/shared/ui/socials.tsx';

import { ConfirmUpi, ExtraFields, Fields } from './fields.tsx';
import { useEdit } from './use-edit.ts';

/** docs/product.md#edit-profile. */
export function Page() {
  const profile = useOwner();
  const draft = useStoredDraft<EditDraft>('edit', storedId() ?? '');
  return profile && draft ? <Form profile={profile} stored={draft.value} /> : <EditSkeleton />;
}

function EditSkeleton() {
  return (
    <div className="edit">
      <Header />
      <main className="edit-main">
        <LoadingStatus>Your card is loading</LoadingStatus>
        <Skeleton className="edit-skeleton-photo" width="112px" height="112px" />
        <div className="edit-fields stack">
          {PROFILE_FIELD_NAMES.map((field) => (
            <div key={field} className={`edit-skeleton-field edit-field-${field} stack`}>
              <Skeleton width="96px" height="20px" />
              <Skeleton height={field === 'bio' ? '143px' : '48px'} />
            </div>
          ))}
        </div>
      </main>
    </div>
  );
}

const SAVE_LABEL = 'Update Changes';
const FORM_ID = 'edit-form';
const OFFLINE = 'Saving needs a network. What you type is kept on this device.';

interface FormProps {
  readonly profile: Profile;
  readonly stored: EditDraft | null;
}

function Form({ profile, stored }: FormProps) {
  const form = useEdit(profile, stored);
  const { card, extras, hasUnsaved, isSaving, change } = form;
  const [initialHandles] = useState(profile.socialMediaHandles);
  const { palette, logo } = useCardLook(profile);
  const isOffline = useIsOffline();
  const note = {
    isShown: hasUnsaved && !isSaving,
    failure: form.failure,
    isElsewhere: form.isElsewhere,
    onDiscard: form.discard,
  };
  // Where both are filled, the style fills the one that is always in the view.
  const saveButton = (
    <Button
      variant={hasUnsaved ? 'main' : 'outlined'}
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
        <UnsavedNote {...note} />
        {saveButton}
      </Header>
      <main className="edit-main">
        <section className="edit-photo" aria-label="Photo">
          <PhotoPanel profile={profile} palette={palette} />
          <AppearanceLink palette={palette} />
        </section>
        <form id={FORM_ID} onSubmit={form.submit} noValidate aria-busy={isSaving}>
          <Fields card={card} saved={profile} onChange={change} />
          <ExtraFields {...form} />
        </form>
        {/* Outside the form, because its pop-ups contain forms. */}
        <section className="edit-socials stack" aria-labelledby="edit-socials">
          <h2 id="edit-socials">Socials</h2>
          <Socials
            tiles={inCardOrder(socialTiles(initialHandles, card.socialMediaHandles))}
            handles={card.socialMediaHandles}
            phone={card.phone}
            onChange={(socialMediaHandles) => change({ socialMediaHandles })}
          />
        </section>
        <div className="edit-end row">
          <UnsavedNote {...note} failure={isOffline ? OFFLINE : note.failure} />
          {saveButton}
        </div>
        <More />
      </main>
      <Preview profile={card} palette={palette} logo={logo} extras={extras.card} />
      <ConfirmUpi {...form} />
    </div>
  );
}

function AppearanceLink({ palette: { tones } }: { readonly palette: Palette }) {
  return (
    <Link className="edit-appearance" to={PATHS.appearance}>
      <span className="edit-swatches" aria-hidden="true">
        {tones.map((background) => (
          <span key={background} style={{ background }} />
        ))}
      </span>
      Appearance
    </Link>
  );
}

function More() {
  return (
    <div className="edit-more row">
      {settings().languages && (
        <Link className="link quiet" to={PATHS.translations}>
          Add another language
        </Link>
      )}
      <Link className="link quiet" to={PATHS.account}>
        Account and data
      </Link>
    </div>
  );
}

/** On wide screens only. Hidden from screen readers: it repeats the form. */
function Preview(props: ComponentProps<typeof DraftCard>) {
  return (
    <aside className="edit-preview side-preview" aria-hidden="true">
      <DraftCard {...props} />
    </aside>
  );
}

function Header({ children }: { readonly children?: ReactNode }) {
  const navigate = useNavigate();
  return (
    <header className="edit-head bar">
      <div className="edit-bar row">
        <IconButton
          name="Back"
          icon="back"
          className="back"
          onClick={() => void navigate(PATHS.dashboard)}
        />
        <div className="edit-title row">
          <h1>Edit Profile</h1>
          <OfflineNote />
        </div>
        {children}
      </div>
    </header>
  );
}
