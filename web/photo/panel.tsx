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
import type { CompletedUpload } from './upload.ts';

/** docs/product.md#photo. */
export function Page() {
  const state = useProfile();
  return state.kind === 'ready' ? <Panel profile={state.profile} /> : null;
}

function usePhoto(profile: Profile) {
  const { onSessionEnded } = useOutletContext<PhotoContext>();
  const [isOpen, setOpen] = useState(false);
  const [isRetrying, setRetrying] = useState(false);
  const [lastUnconfirmed, setLastUnconfirmed] = useState<CompletedUpload | null>(null);
  const [profileImage, setProfileImage] = useObjectUrl();

  /** Returns whether the session has ended. */
  const endSessionOn403 = (status: number): boolean => {
    if (status !== FORBIDDEN_STATUS) return false;
    showAlert('Session logged out');
    onSessionEnded();
    return true;
  };
  const onCompleted = (upload: CompletedUpload) => {
    const { outcome } = upload;
    // The dialog stays open: closing it goes back in the history, which would lose the reason for
    // the login page.
    if (outcome.kind === 'unconfirmed' && endSessionOn403(outcome.status)) return;
    if (outcome.kind === 'stored') {
      replacePhoto(outcome.profilePhoto, outcome.headers);
      setLastUnconfirmed(null);
      setProfileImage(null);
    } else {
      setLastUnconfirmed(upload);
      setProfileImage(upload.image);
    }
    setOpen(false);
  };
  const retry = async ({ image }: CompletedUpload) => {
    if (isRetrying) return;
    setRetrying(true);
    const outcome = await uploadPhoto(image);
    setRetrying(false);
    if (outcome.kind !== 'failed') onCompleted({ image, outcome });
  };

  const remove = async () => {
    const input = { params: { id: profile._id } };
    const { status, headers } = await call(removeProfileImage, input, { isSave: true });
    if (endSessionOn403(status) || status !== OK_STATUS) return false;
    replacePhoto('', headers);
    setLastUnconfirmed(null);
    setProfileImage(null);
    setOpen(false);
    return true;
  };
  return { isOpen, setOpen, isRetrying, lastUnconfirmed, profileImage, onCompleted, retry, remove };
}

function Panel({ profile }: { readonly profile: Profile }) {
  const { isOpen, setOpen, isRetrying, lastUnconfirmed, profileImage, ...photo } =
    usePhoto(profile);
  // With status 200 the photo is probably stored.
  const hasFailed =
    lastUnconfirmed?.outcome.kind === 'unconfirmed' && lastUnconfirmed.outcome.status !== OK_STATUS;
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
        <UnconfirmedNote
          isRetrying={isRetrying}
          onRetry={() => void photo.retry(lastUnconfirmed)}
        />
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

interface UnconfirmedNoteProps {
  readonly isRetrying: boolean;
  readonly onRetry: () => void;
}

function UnconfirmedNote({ isRetrying, onRetry }: UnconfirmedNoteProps) {
  return (
    <div className="photo-unconfirmed">
      <output>{isRetrying ? 'Sending the photo' : 'This photo may not have been kept.'}</output>
      <Button variant="plain" isBusy={isRetrying} onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
