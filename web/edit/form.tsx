import { useCallback, useEffect, useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { Outlet } from 'react-router';

import type { Profile } from '#domain/profile.ts';
import { Button } from '#web/ui/button.tsx';
import { LoadingNote } from '#web/ui/skeleton.tsx';
import { Socials } from '#web/ui/socials.tsx';

import { draftOf, editTiles, hasChanges, mergeDraft } from './draft.ts';
import type { Draft } from './draft.ts';
import { Fields } from './fields.tsx';
import { Head } from './head.tsx';
import { useLeaveGuard } from './leave-guard.ts';
import { useSave } from './save.ts';

const SAVE = 'Update Changes';
const FORM_ID = 'edit-form';

/** The form itself: what is typed stays until it is saved or the page is left. */
export function Form({ profile }: { readonly profile: Profile }) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(profile));
  const [opened] = useState(profile.socialMediaHandles);
  const now = useRef({ profile, draft });
  useEffect(() => {
    now.current = { profile, draft };
  });
  const change = (changed: Partial<Draft>) => setDraft((before) => ({ ...before, ...changed }));
  const { isSaving, save, hasLeft } = useSave();
  useLeaveGuard(
    useCallback(
      () => !hasLeft.current && hasChanges(now.current.profile, now.current.draft),
      [hasLeft],
    ),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save(mergeDraft(profile, draft));
  };

  return (
    <div className="edit">
      {isSaving && <Saving />}
      <Head>
        <Button look="main" type="submit" form={FORM_ID} isBusy={isSaving}>
          {SAVE}
        </Button>
      </Head>
      <main className="edit-main">
        <section className="edit-photo" aria-label="Photo">
          <Outlet />
        </section>
        <form id={FORM_ID} onSubmit={submit} noValidate aria-busy={isSaving}>
          <Fields draft={draft} onChange={change} />
        </form>
        {/* Not inside the form: its pop-ups have forms of their own. */}
        <section className="edit-socials" aria-labelledby="edit-socials">
          <h2 id="edit-socials">Socials</h2>
          <Socials
            tiles={editTiles(opened, draft.socialMediaHandles)}
            handles={draft.socialMediaHandles}
            onChange={(socialMediaHandles) => change({ socialMediaHandles })}
          />
        </section>
        <div className="edit-end">
          <Button look="main" type="submit" form={FORM_ID} isBusy={isSaving}>
            {SAVE}
          </Button>
        </div>
      </main>
    </div>
  );
}

function Saving() {
  return (
    <>
      <div className="edit-saving" aria-hidden="true" />
      <LoadingNote>Saving</LoadingNote>
    </>
  );
}
