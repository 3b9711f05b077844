import './photo.css';

import { useMutation } from '@tanstack/react-query';
import { Suspense, lazy, useEffect, useState } from 'react';
import type { ComponentProps, ReactNode } from 'react';

import { removeProfileImage } from '#contract/user.ts';
import { lockedNote } from '#domain/profile-field.ts';
import type { Profile } from '#domain/profile.ts';
import { Portrait } from '#view/portrait.tsx';
import { alertSaveFailure, replacePhoto } from '#web/shared/profile/profile.ts';
import { Button, LineIcon } from '#web/shared/ui/button.tsx';
import { ProgressLine } from '#web/shared/ui/loading.tsx';
import { FORBIDDEN_STATUS, OK_STATUS, send } from '#web/shared/http/call.ts';
import { isLocked, settings } from '#web/shared/http/settings.ts';

import { uploadPhoto, useObjectUrl } from './upload.ts';
import type { CompletedUpload } from './upload.ts';

/** Loaded after the page. */
const loadDialog = async () => ({ default: (await import('./photo-dialog.tsx')).PhotoDialog });
const PhotoDialog = lazy(loadDialog);

interface PhotoEditorProps {
  readonly profile: Profile;
  readonly startsOpen?: boolean;
  /** Renders what opens the dialog. Its profile has the photo that was sent last. */
  readonly children?: (open: () => void, profile: Profile) => ReactNode;
}

function usePhoto({ startsOpen = false }: PhotoEditorProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  const [lastUpload, setLastUpload] = useState<CompletedUpload | null>(null);
  const [profileImage, setProfileImage] = useObjectUrl();
  const finish = (upload: CompletedUpload | null) => {
    setProfileImage(upload?.profilePhoto === null ? upload.image : null);
    setLastUpload(upload);
    setOpen(false);
  };
  const onCompleted = (upload: CompletedUpload) => {
    if (upload.profilePhoto !== null) replacePhoto(upload.profilePhoto, upload.headers);
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
  return { isOpen, setOpen, lastUpload, profileImage, onCompleted, retry, removal };
}

/** docs/product.md#photo. */
export function PhotoEditor(props: PhotoEditorProps) {
  const { profile, children } = props;
  useEffect(() => {
    // Without a network it is loaded when it is opened.
    loadDialog().catch(() => undefined);
  }, []);
  const { isOpen, setOpen, lastUpload, profileImage, retry, ...photo } = usePhoto(props);
  const isRetrying = retry.isPending;
  const shown = profileImage === null ? profile : { ...profile, profilePhoto: profileImage };
  return (
    <div className="photo">
      {children?.(() => {
        if (photo.removal.isError) photo.removal.reset();
        setOpen(true);
      }, shown)}
      {isRetrying && <ProgressLine />}
      {lastUpload !== null &&
        // Then it is stored, whatever the reply says.
        (lastUpload.status === OK_STATUS ? (
          <output ref={focusIfNone} tabIndex={-1} className="photo-saved done">
            Photo saved
          </output>
        ) : (
          <UnconfirmedNote
            {...lastUpload}
            isRetrying={isRetrying}
            onRetry={() => retry.mutate(lastUpload)}
          />
        ))}
      {/* The page stays while the dialog and its style sheet load. */}
      <Suspense>
        {isOpen && (
          <PhotoDialog
            onCompleted={photo.onCompleted}
            onClose={() => setOpen(false)}
            {...(profile.profilePhoto !== '' && { removal: photo.removal })}
          />
        )}
      </Suspense>
    </div>
  );
}

/** The whole portrait is the button. */
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

/** Where the button that opened the dialog has disappeared. */
function focusIfNone(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true });
}

interface UnconfirmedNoteProps extends CompletedUpload {
  readonly isRetrying: boolean;
  readonly onRetry: () => void;
}

function UnconfirmedNote({ status, error, isRetrying, onRetry }: UnconfirmedNoteProps) {
  const sentence = status === FORBIDDEN_STATUS ? error?.message : undefined;
  return (
    <div className="photo-unconfirmed note row">
      <output>
        {isRetrying ? 'Sending the photo' : (sentence ?? 'This photo may not have been kept.')}
      </output>
      <Button variant="plain" isBusy={isRetrying} onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
