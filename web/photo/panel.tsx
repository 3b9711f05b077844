import './photo.css';

import { useState } from 'react';

import type { Profile } from '#domain/profile.ts';
import { Portrait } from '#view/portrait.tsx';
import { loadProfile, replaceProfile, useProfile } from '#web/profile/profile-store.ts';
import { Button, IconButton } from '#web/ui/button.tsx';

import { useObjectUrl } from './chosen-file.ts';
import { PhotoDialog } from './photo-dialog.tsx';
import { uploadPhoto } from './upload.ts';
import type { CompletedUpload } from './use-upload.ts';

const OK_STATUS = 200;

/** The owner's photo and the button that opens the photo editor (docs/product.md#photo). */
export function Page() {
  const state = useProfile();
  return state.kind === 'ready' ? <Panel profile={state.profile} /> : null;
}

function Panel({ profile }: { readonly profile: Profile }) {
  const [isOpen, setOpen] = useState(false);
  const [unconfirmed, setUnconfirmed] = useState<CompletedUpload | null>(null);
  const [profileImage, setProfileImage] = useObjectUrl();
  const hasFailed =
    unconfirmed?.outcome.kind === 'unconfirmed' && unconfirmed.outcome.status !== OK_STATUS;

  const onCompleted = async (upload: CompletedUpload) => {
    if (upload.outcome.kind === 'stored') {
      const { profilePhoto } = upload.outcome;
      const current = await loadProfile();
      if (current.kind === 'ready') replaceProfile({ ...current.profile, profilePhoto });
      setUnconfirmed(null);
      setProfileImage(null);
    } else {
      setUnconfirmed(upload);
      setProfileImage(upload.image);
    }
    setOpen(false);
  };
  const retry = async ({ image }: CompletedUpload) => {
    const outcome = await uploadPhoto({ image });
    if (outcome.kind !== 'failed') await onCompleted({ image, outcome });
  };

  return (
    <div className="photo">
      <div className="photo-frame">
        <Portrait
          profile={profileImage === null ? profile : { ...profile, profilePhoto: profileImage }}
        />
        <IconButton
          name="Edit photo"
          icon="camera"
          className="photo-edit"
          onClick={() => setOpen(true)}
        />
      </div>
      {hasFailed && (
        <div className="photo-unconfirmed">
          <output>This photo may not have been kept.</output>
          <Button variant="plain" onClick={() => void retry(unconfirmed)}>
            Try again
          </Button>
        </div>
      )}
      {isOpen && (
        <PhotoDialog
          onCompleted={(upload) => void onCompleted(upload)}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}
