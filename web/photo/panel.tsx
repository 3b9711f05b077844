import './photo.css';

import { useState } from 'react';
import { useOutletContext } from 'react-router';

import { removeProfileImage } from '#contract/user.ts';
import type { Profile } from '#domain/profile.ts';
import { Portrait } from '#view/portrait.tsx';
import { replacePhoto, useProfile } from '#web/profile/profile-store.ts';
import { showAlert } from '#web/ui/alert.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { ProgressLine } from '#web/ui/loading.tsx';
import type { PhotoContext } from '#web/profile/photo-context.ts';
import { call, FORBIDDEN_STATUS, OK_STATUS } from '#web/http/call.ts';

import { useObjectUrl } from './chosen-file.ts';
import { PhotoDialog } from './photo-dialog.tsx';
import { uploadPhoto } from './upload.ts';
import type { CompletedUpload } from './use-upload.ts';

/** The owner's photo and the button that opens the photo editor (docs/product.md#photo). */
export function Page() {
  const state = useProfile();
  return state.kind === 'ready' ? <Panel profile={state.profile} /> : null;
}

/** The state of the panel and its actions. */
function usePhoto(profile: Profile) {
  const { onSessionEnded } = useOutletContext<PhotoContext>();
  const [isOpen, setOpen] = useState(false);
  const [isRetrying, setRetrying] = useState(false);
  const [unconfirmed, setUnconfirmed] = useState<CompletedUpload | null>(null);
  const [profileImage, setProfileImage] = useObjectUrl();

  const endSessionAfter = (status: number) => {
    if (status !== FORBIDDEN_STATUS) return;
    showAlert('Session logged out');
    onSessionEnded();
  };
  const onCompleted = (upload: CompletedUpload) => {
    if (upload.outcome.kind === 'stored') {
      replacePhoto(upload.outcome.profilePhoto);
      setUnconfirmed(null);
      setProfileImage(null);
    } else {
      setUnconfirmed(upload);
      setProfileImage(upload.image);
    }
    setOpen(false);
    const { outcome } = upload;
    if (outcome.kind === 'unconfirmed') endSessionAfter(outcome.status);
  };
  const retry = async ({ image }: CompletedUpload) => {
    if (isRetrying) return;
    setRetrying(true);
    const outcome = await uploadPhoto({ image });
    setRetrying(false);
    if (outcome.kind !== 'failed') onCompleted({ image, outcome });
  };

  const remove = async () => {
    const { status } = await call(removeProfileImage, { params: { id: profile._id } });
    endSessionAfter(status);
    if (status !== OK_STATUS) return false;
    replacePhoto('');
    setUnconfirmed(null);
    setProfileImage(null);
    setOpen(false);
    return true;
  };
  return { isOpen, setOpen, isRetrying, unconfirmed, profileImage, onCompleted, retry, remove };
}

function Panel({ profile }: { readonly profile: Profile }) {
  const { isOpen, setOpen, isRetrying, unconfirmed, profileImage, ...photo } = usePhoto(profile);
  const hasFailed =
    unconfirmed?.outcome.kind === 'unconfirmed' && unconfirmed.outcome.status !== OK_STATUS;
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
      {isRetrying && <ProgressLine />}
      {hasFailed && (
        <Unconfirmed isRetrying={isRetrying} onRetry={() => void photo.retry(unconfirmed)} />
      )}
      {isOpen && (
        <PhotoDialog
          onCompleted={photo.onCompleted}
          onClose={() => setOpen(false)}
          onRemove={profile.profilePhoto === '' ? undefined : photo.remove}
        />
      )}
    </div>
  );
}

interface UnconfirmedProps {
  readonly isRetrying: boolean;
  readonly onRetry: () => void;
}

/** The note about a photo that the server may not have stored. */
function Unconfirmed({ isRetrying, onRetry }: UnconfirmedProps) {
  return (
    <div className="photo-unconfirmed">
      <output>{isRetrying ? 'Sending the photo' : 'This photo may not have been kept.'}</output>
      <Button variant="plain" isBusy={isRetrying} onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
