import '#view/any-card.css';
import './edit.css';
import './preview.css';

import type { ReactNode } from 'react';
import { Link } from 'react-router';

import { inCardOrder } from '#domain/network.ts';
import { socialTiles } from '#domain/onboarding.ts';
import type { Palette } from '#domain/palette.ts';
import { PATHS } from '#domain/path.ts';
import { PROFILE_FIELD_NAMES } from '#domain/profile-field.ts';
import type { Profile } from '#domain/profile.ts';
import { useIsOffline } from '#web/shared/http/query.ts';
import { settings } from '#web/shared/http/settings.ts';
import { storedId } from '#web/shared/http/storage.ts';
import type { StoredDraft } from '#web/shared/http/storage.ts';
import { PhotoPanel } from '#web/shared/photo/photo-editor.tsx';
import { useCardLook } from '#web/shared/profile/card.ts';
import { useStoredDraft } from '#web/shared/profile/draft.ts';
import type { EditDraft } from '#web/shared/profile/draft.ts';
import { LookFailure } from '#web/shared/profile/failures.tsx';
import { useFirstHandles, useOwner } from '#web/shared/profile/profile.ts';
import { Button, IconButton } from '#web/shared/ui/button.tsx';
import { DraftCard } from '#web/shared/ui/draft-card.tsx';
import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';
import { UnsavedNote } from '#web/shared/ui/note-box.tsx';
import { OfflineNote, useLeavePage } from '#web/shared/ui/page-frame.tsx';
import { Socials } from '#web/shared/ui/socials.tsx';

import { ConfirmUpiDialog, ExtraFields, Fields, FillFields } from './fields.tsx';
import { useEdit } from './use-edit.ts';

/** The page 'Edit Profile' (docs/develop/product.md#edit-profile). */
export function Page() {
  const profile = useOwner();
  const draft = useStoredDraft<EditDraft>('edit', storedId() ?? '');
  return profile && draft ? <Form profile={profile} stored={draft} /> : <EditSkeleton />;
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
const OFFLINE_ADVICE =
  "Saving needs a network. Until then, we'll keep what you type on this device.";

interface FormProps {
  readonly profile: Profile;
  readonly stored: StoredDraft<EditDraft>;
}

function Form({ profile, stored }: FormProps) {
  const form = useEdit(profile, stored);
  const { card, extras, hasUnsaved, isSaving, change, note } = form;
  const firstHandles = useFirstHandles(profile);
  const { palette, logo } = useCardLook(profile);
  const isOffline = useIsOffline();
  // If both buttons are in view, the style sheet fills only the one that never scrolls away.
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
      <Header>
        <UnsavedNote {...note} />
        {saveButton}
      </Header>
      <main className="edit-main">
        <section className="edit-photo" aria-label="Photo">
          <PhotoPanel profile={profile} palette={palette} />
          <AppearanceLink palette={palette} />
          <LookFailure />
        </section>
        <div className="edit-photo">
          <FillFields profile={profile} {...form} />
        </div>
        <form id={FORM_ID} onSubmit={form.submit} noValidate aria-busy={isSaving}>
          <Fields card={card} saved={profile} onChange={change} />
          <ExtraFields {...form} />
        </form>
        {/* The socials are outside the form, because their pop-ups contain forms. */}
        <section className="edit-socials stack" aria-labelledby="edit-socials">
          <h2 id="edit-socials">Socials</h2>
          <Socials
            tiles={inCardOrder(socialTiles(firstHandles, card.socialMediaHandles))}
            handles={card.socialMediaHandles}
            phone={card.phone}
            onChange={(socialMediaHandles) => change({ socialMediaHandles })}
          />
        </section>
        <div className="edit-end row">
          <UnsavedNote {...note} failure={isOffline ? OFFLINE_ADVICE : note.failure} />
          {saveButton}
        </div>
        <MoreLinks />
      </main>
      {/* Only wide screens show the preview. Screen readers ignore it, because it repeats the form. */}
      <aside className="edit-preview side-preview" aria-hidden="true">
        <DraftCard profile={card} palette={palette} logo={logo} extras={extras.card} />
      </aside>
      <ConfirmUpiDialog {...form} />
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

function MoreLinks() {
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

function Header({ children }: { readonly children?: ReactNode }) {
  const close = useLeavePage(PATHS.dashboard);
  return (
    <header className="edit-head bar">
      <div className="edit-bar row">
        <IconButton name="Back" icon="back" className="back" onClick={close} />
        <div className="edit-title row">
          <h1>Edit Profile</h1>
          <OfflineNote />
        </div>
        {children}
      </div>
    </header>
  );
}
