import './photo.css';

import { Suspense, lazy, useEffect, useState } from 'react';
import type { ReactNode } from 'react';

import { removeProfileImage } from '#contract/user.ts';
import { lockedNote } from '#domain/locked-field.ts';
import type { Palette } from '#domain/palette.ts';
import type { Profile } from '#domain/profile.ts';
import { Portrait } from '#view/portrait.tsx';
import { alertSaveFailure, replacePhoto } from '#web/shared/profile/profile.ts';
import { Button, LineIcon } from '#web/shared/ui/button.tsx';
import { ProgressLine } from '#web/shared/ui/loading.tsx';
import { FORBIDDEN_STATUS, OK_STATUS, send } from '#web/shared/http/call.ts';
import { isLocked, settings } from '#web/shared/http/settings.ts';

import { useObjectUrl } from './chosen-file.ts';
import { uploadPhoto } from './upload.ts';
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

type Upload = CompletedUpload | null;

/** Where the service has answered with 200 the photo is stored, whatever the reply says. */
function isStored({ outcome }: CompletedUpload): boolean {
  return outcome.kind === 'stored' || outcome.status === OK_STATUS;
}

function usePhoto({ startsOpen = false }: PhotoEditorProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  const [isRetrying, setRetrying] = useState(false);
  const [lastUpload, setLastUpload] = useState<Upload>(null);
  const [profileImage, setProfileImage] = useObjectUrl();

  const onCompleted = (upload: CompletedUpload) => {
    const { outcome } = upload;
    if (outcome.kind === 'stored') replacePhoto(outcome.profilePhoto, outcome.headers);
    setProfileImage(outcome.kind === 'stored' ? null : upload.image);
    setLastUpload(upload);
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
    try {
      const { headers } = await send(removeProfileImage, {}, { isSave: true });
      replacePhoto('', headers);
      setLastUpload(null);
      setProfileImage(null);
      setOpen(false);
      return true;
    } catch (error) {
      if (error instanceof Error) alertSaveFailure(error);
      return false;
    }
  };
  return { isOpen, setOpen, isRetrying, lastUpload, profileImage, onCompleted, retry, remove };
}

/** docs/product.md#photo. */
export function PhotoEditor(props: PhotoEditorProps) {
  const { profile, children } = props;
  useEffect(() => {
    // Without a network it is loaded when it is opened.
    loadDialog().catch(() => undefined);
  }, []);
  const { isOpen, setOpen, isRetrying, lastUpload, profileImage, ...photo } = usePhoto(props);
  const shown = profileImage === null ? profile : { ...profile, profilePhoto: profileImage };
  return (
    <div className="photo">
      {children?.(() => setOpen(true), shown)}
      {isRetrying && <ProgressLine />}
      {lastUpload !== null &&
        (isStored(lastUpload) ? (
          <SavedNote />
        ) : (
          <UnconfirmedNote
            {...lastUpload}
            isRetrying={isRetrying}
            onRetry={() => void photo.retry(lastUpload)}
          />
        ))}
      {/* The page stays while the dialog and its style sheet load. */}
      <Suspense>
        {isOpen && (
          <PhotoDialog
            onCompleted={photo.onCompleted}
            onClose={() => setOpen(false)}
            onRemove={profile.profilePhoto === '' ? undefined : photo.remove}
          />
        )}
      </Suspense>
    </div>
  );
}

interface PhotoPanelProps extends Omit<PhotoEditorProps, 'children'> {
  readonly palette: Palette;
}

/** The whole portrait is the button. */
export function PhotoPanel({ palette, ...props }: PhotoPanelProps) {
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

function SavedNote() {
  return (
    <output ref={focusIfNone} tabIndex={-1} className="photo-saved done">
      Photo saved
    </output>
  );
}

interface UnconfirmedNoteProps extends CompletedUpload {
  readonly isRetrying: boolean;
  readonly onRetry: () => void;
}

function UnconfirmedNote({ outcome, isRetrying, onRetry }: UnconfirmedNoteProps) {
  const isForbidden = outcome.kind === 'unconfirmed' && outcome.status === FORBIDDEN_STATUS;
  const sentence = isForbidden ? outcome.error?.message : undefined;
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
