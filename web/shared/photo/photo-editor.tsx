import './photo.css';

import { useMutation } from '@tanstack/react-query';
import type { UseMutationResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ComponentProps, ReactNode } from 'react';

import type { ApiErrorCode } from '#contract/api-error.ts';
import { removeProfileImage } from '#contract/user.ts';
import { lockedNote } from '#domain/profile-field.ts';
import type { Profile } from '#domain/profile.ts';
import { Portrait } from '#view/portrait.tsx';
import { alertSaveFailure, replacePhoto } from '#web/shared/profile/profile.ts';
import { Button, LineIcon } from '#web/shared/ui/button.tsx';
import { ProgressLine } from '#web/shared/ui/loading.tsx';
import { loadCode } from '#web/shared/http/request.ts';
import { FORBIDDEN_STATUS, OK_STATUS, send } from '#web/shared/http/call.ts';
import { failureSentence } from '#web/shared/http/failure-text.ts';
import { isLocked, settings } from '#web/shared/http/settings.ts';

import type * as DialogCode from './photo-dialog.tsx';
import { uploadPhoto, useObjectUrl } from './upload.ts';
import type { CompletedUpload } from './upload.ts';

/** Loads the code of the dialog. Rejects with a sentence for the user. */
export const loadPhotoDialog = () => loadCode(import('./photo-dialog.tsx'));

interface PhotoEditorProps {
  readonly profile: Profile;
  readonly startsOpen?: boolean;
  /** The picture with which the dialog starts. */
  readonly picture?: Blob;
  /** Renders the element that opens the dialog. The profile it gets contains the photo that was sent last. */
  readonly children?: (open: () => void, profile: Profile) => ReactNode;
}

function usePhoto({ startsOpen = false }: PhotoEditorProps) {
  /** The code of the dialog while it is open. The page stays while the code and its style sheet load. */
  const [dialog, setDialog] = useState<typeof DialogCode | null>(null);
  const opening = useMutation({ mutationFn: loadPhotoDialog, onSuccess: setDialog });
  useEffect(() => {
    // The dialog is loaded ahead of time. If that fails, opening it loads it again.
    const loading = loadPhotoDialog().then((code) => startsOpen && setDialog(code));
    loading.catch(() => undefined);
  }, [startsOpen]);
  const [lastUpload, setLastUpload] = useState<CompletedUpload | null>(null);
  const profileImage = useObjectUrl(lastUpload?.body === null ? lastUpload.image : null);
  const finish = (upload: CompletedUpload | null) => {
    setLastUpload(upload);
    setDialog(null);
  };
  const onCompleted = (upload: CompletedUpload) => {
    if (upload.body) replacePhoto(upload.body.profilePhoto, upload.headers);
    finish(upload);
  };
  const retry = useMutation({
    mutationFn: ({ image }: CompletedUpload) => uploadPhoto(image),
    onSuccess: onCompleted,
  });
  const removal = useMutation({
    mutationFn: () => send(removeProfileImage, {}, { isSave: true }),
    onSuccess: ({ headers }) => {
      replacePhoto('', headers);
      finish(null);
    },
    onError: alertSaveFailure,
  });
  return { dialog, setDialog, opening, lastUpload, profileImage, onCompleted, retry, removal };
}

/** See docs/develop/product.md#photo. */
export function PhotoEditor(props: PhotoEditorProps) {
  const { profile, picture, children } = props;
  const { dialog, setDialog, opening, lastUpload, profileImage, retry, ...photo } = usePhoto(props);
  const currentProfile =
    profileImage === null ? profile : { ...profile, profilePhoto: profileImage };
  return (
    <div className="photo">
      {children?.(() => {
        if (photo.removal.isError) photo.removal.reset();
        opening.mutate();
      }, currentProfile)}
      {opening.isPending && <ProgressLine />}
      {opening.isError && (
        <p role="alert" className="error">
          {opening.error.message}
        </p>
      )}
      {lastUpload !== null &&
        // Status 200 means that the photo is stored, even if the reply cannot be read.
        (lastUpload.status === OK_STATUS ? (
          <output ref={focusIfNone} tabIndex={-1} className="photo-saved done">
            Photo saved
          </output>
        ) : (
          <UnconfirmedNote upload={lastUpload} retry={retry} />
        ))}
      {dialog && (
        <dialog.PhotoDialog
          onCompleted={photo.onCompleted}
          onClose={() => setDialog(null)}
          {...(picture && { picture })}
          {...(profile.profilePhoto !== '' && { removal: photo.removal })}
        />
      )}
    </div>
  );
}

export function PhotoPanel({ palette, ...props }: ComponentProps<typeof Portrait>) {
  if (isLocked('photo', props.profile.profilePhoto)) {
    return (
      <div className="photo">
        <Portrait profile={props.profile} palette={palette} />
        <p className="note">{lockedNote(settings().productName)}</p>
      </div>
    );
  }
  return (
    <PhotoEditor {...props}>
      {(open, profile) => (
        <div className="photo-frame">
          <Portrait profile={profile} palette={palette} />
          <button type="button" className="photo-edit" aria-label="Edit photo" onClick={open}>
            <span>
              <LineIcon name="camera" />
            </span>
          </button>
        </div>
      )}
    </PhotoEditor>
  );
}

/** Focuses the element if nothing has the focus, because the button that opened the dialog has disappeared. */
function focusIfNone(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true });
}

interface UnconfirmedNoteProps {
  readonly upload: CompletedUpload;
  readonly retry: UseMutationResult<CompletedUpload, Error, CompletedUpload>;
}

const NOT_A_PICTURE = 'not_a_picture' satisfies ApiErrorCode;
/** A proxy in front of the service may accept less than the service. */
const TOO_LARGE_STATUS = 413;
const TOO_LARGE = 'This photo is too large for the server. Choose a smaller one.';
const NOT_KEPT = 'This photo may not have been saved.';

function UnconfirmedNote({ upload, retry }: UnconfirmedNoteProps) {
  const { status, error } = upload;
  const isExplained = status === FORBIDDEN_STATUS || error?.error === NOT_A_PICTURE;
  const sentence = isExplained
    ? failureSentence({ status, error })
    : status === TOO_LARGE_STATUS
      ? TOO_LARGE
      : NOT_KEPT;
  return (
    <div className="photo-unconfirmed note row">
      <output>{retry.isPending ? 'Sending the photo' : sentence}</output>
      <Button variant="plain" isBusy={retry.isPending} onClick={() => retry.mutate(upload)}>
        Try again
      </Button>
    </div>
  );
}
