import { useCallback, useEffect, useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { Outlet, useNavigate } from 'react-router';

import { socialTiles } from '#domain/onboarding.ts';
import type { Profile } from '#domain/profile.ts';
import { PATHS } from '#web/paths.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { LoadingStatus } from '#web/ui/loading.tsx';
import { Socials } from '#web/ui/socials.tsx';

import { draftOf, hasChanges, mergeDraft } from './draft.ts';
import type { Draft } from './draft.ts';
import { Fields } from './fields.tsx';
import { useSave, useUnsavedGuard } from './saving.ts';

const SAVE_LABEL = 'Update Changes';
const FORM_ID = 'edit-form';

/** The form with its draft, which lasts until the page is left. */
export function Form({ profile }: { readonly profile: Profile }) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(profile));
  const [initialHandles] = useState(profile.socialMediaHandles);
  const current = useRef({ profile, draft });
  useEffect(() => {
    current.current = { profile, draft };
  });
  const change = (changed: Partial<Draft>) => setDraft((before) => ({ ...before, ...changed }));
  const { isSaving, save, hasSessionEnded } = useSave();
  useUnsavedGuard(
    useCallback(
      () => !hasSessionEnded.current && hasChanges(current.current.profile, current.current.draft),
      [hasSessionEnded],
    ),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save(mergeDraft(profile, draft));
  };
  const saveButton = (
    <Button variant="main" type="submit" form={FORM_ID} isBusy={isSaving}>
      {SAVE_LABEL}
    </Button>
  );

  return (
    <div className="edit">
      {isSaving && <SavingStatus />}
      <Header>{saveButton}</Header>
      <main className="edit-main">
        <section className="edit-photo" aria-label="Photo">
          <Outlet />
        </section>
        <form id={FORM_ID} onSubmit={submit} noValidate aria-busy={isSaving}>
          <Fields draft={draft} onChange={change} />
        </form>
        {/* Outside the form, because its pop-ups contain forms. */}
        <section className="edit-socials" aria-labelledby="edit-socials">
          <h2 id="edit-socials">Socials</h2>
          <Socials
            tiles={socialTiles(initialHandles, draft.socialMediaHandles)}
            handles={draft.socialMediaHandles}
            onChange={(socialMediaHandles) => change({ socialMediaHandles })}
          />
        </section>
        <div className="edit-end">{saveButton}</div>
      </main>
    </div>
  );
}

/** The bar at the top: back arrow, heading and actions. */
export function Header({ children }: { readonly children?: ReactNode }) {
  const navigate = useNavigate();
  return (
    <header className="edit-head">
      <div className="edit-bar">
        <IconButton name="Back" icon="back" onClick={() => void navigate(PATHS.dashboard)} />
        <h1>Edit Profile</h1>
        {children}
      </div>
    </header>
  );
}

function SavingStatus() {
  return (
    <>
      <div className="edit-saving" aria-hidden="true" />
      <LoadingStatus>Saving</LoadingStatus>
    </>
  );
}
