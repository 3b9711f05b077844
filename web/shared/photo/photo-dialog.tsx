import './photo-dialog.css';

import { useMutation } from '@tanstack/react-query';
import type { UseMutationResult } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { PercentCrop } from 'react-image-crop';

import { IMAGE_NOT_COMPRESSIBLE, IMAGE_SIDE_PX_MIN, IMAGE_TOO_SMALL } from '#domain/photo.ts';
import { logFailure, showAlert } from '#web/shared/http/report.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Dialog } from '#web/shared/ui/dialog.tsx';

import { compress, WHOLE_PERCENT, sourceSquare, initialCrop } from './crop.ts';
import type { Size } from './crop.ts';
import { Cropper, FilePicker, decodeError } from './cropper.tsx';
import { uploadPhoto, useObjectUrl } from './upload.ts';
import type { CompletedUpload } from './upload.ts';

interface PhotoDialogProps {
  readonly onCompleted: (upload: CompletedUpload) => void;
  readonly onClose: () => void;
  /** Undefined without a photo. */
  readonly removal?: Pick<UseMutationResult, 'isPending' | 'isError'> & {
    readonly mutate: () => void;
  };
}

/** docs/product.md#photo. */
export function PhotoDialog({ onCompleted, onClose, removal }: PhotoDialogProps) {
  const { url, crop, error, ...chosen } = useChosenFile();
  const picture = useRef<HTMLImageElement>(null);
  const { upload, fraction, abort } = useUpload(onCompleted);
  const isUploading = upload.isPending;

  const close = () => {
    abort();
    onClose();
  };
  const save = () => {
    const image = picture.current;
    if (!image || !crop || isUploading) return;
    upload.mutate({ picture: image, crop });
  };

  return (
    <Dialog title="Edit photo" onClose={close}>
      {url === null ? (
        <FilePicker error={error} onError={chosen.setError} onChoose={chosen.choose} />
      ) : (
        <Cropper
          url={url}
          crop={crop}
          isDisabled={isUploading}
          picture={picture}
          onCrop={chosen.setCrop}
          onDecoded={chosen.onDecoded}
          onDecodeError={chosen.onDecodeError}
        />
      )}
      {url !== null && (
        <div className="photo-progress note row">
          {isUploading && <Progress percent={Math.round(fraction * WHOLE_PERCENT)} />}
          {(upload.isIdle || upload.isSuccess) &&
            'Move the circle. Pinch, zoom or drag a corner to change its size.'}
          {upload.isError && <output className="photo-error error">{upload.error.message}</output>}
        </div>
      )}
      {url === null && removal && (
        <div className="photo-remove">
          <Button variant="plain" isBusy={removal.isPending} onClick={removal.mutate}>
            Remove photo
          </Button>
          <output className="error">
            {removal.isError && 'The photo was not removed. Try again.'}
          </output>
        </div>
      )}
      <div className="dialog-actions">
        {url === null || isUploading ? (
          <Button onClick={close}>Cancel</Button>
        ) : (
          <Button onClick={() => chosen.clear()}>Choose another</Button>
        )}
        <Button variant="main" isBusy={isUploading} disabled={!crop} onClick={save}>
          Save
        </Button>
      </div>
    </Dialog>
  );
}

function Progress({ percent }: { readonly percent: number }) {
  return (
    <>
      <progress aria-label="Upload" value={percent} max={WHOLE_PERCENT} />
      <span>{percent < WHOLE_PERCENT ? `${percent} %` : 'Saving'}</span>
    </>
  );
}

const CROP_ERROR = 'This browser could not cut the photo out. Try another file.';

/** One at a time. A failed upload can be repeated. */
function useUpload(onCompleted: (upload: CompletedUpload) => void) {
  /** From 0 to 1. */
  const [fraction, setFraction] = useState(0);
  const controller = useRef<AbortController | null>(null);
  const upload = useMutation({
    /** Returns null if nothing was uploaded. */
    mutationFn: async ({ picture, crop }: Crop): Promise<CompletedUpload | null> => {
      const { signal } = (controller.current = new AbortController());
      setFraction(0);
      const natural = { width: picture.naturalWidth, height: picture.naturalHeight };
      const image = await compress(picture, sourceSquare(crop, natural)).catch((cause: unknown) => {
        logFailure('The photo could not be made', cause);
        throw new Error(CROP_ERROR, { cause });
      });
      if (signal.aborted) return null;
      if (image === null) {
        showAlert(IMAGE_NOT_COMPRESSIBLE);
        return null;
      }
      return uploadPhoto(image, setFraction, signal);
    },
    onSuccess: (completed) => completed && onCompleted(completed),
  });
  return { upload, fraction, abort: () => controller.current?.abort() };
}

interface Crop {
  readonly picture: HTMLImageElement;
  readonly crop: PercentCrop;
}

function useChosenFile() {
  const [file, setFile] = useState<File | null>(null);
  const [url, setBlob] = useObjectUrl();
  const [crop, setCrop] = useState<PercentCrop>();
  const [error, setError] = useState('');

  const choose = (chosen: File | null) => {
    setFile(chosen);
    setBlob(chosen);
    setCrop(undefined);
  };
  const clear = (reason = '') => {
    choose(null);
    setError(reason);
  };
  /** A picture that is too small is rejected with an alert. */
  const onDecoded = (natural: Size) => {
    if (Math.min(natural.width, natural.height) >= IMAGE_SIDE_PX_MIN) {
      setCrop(initialCrop(natural));
      return;
    }
    clear();
    showAlert(IMAGE_TOO_SMALL);
  };
  const onDecodeError = () => file && clear(decodeError(file));

  return { url, crop, error, choose, clear, onDecoded, onDecodeError, setCrop, setError };
}
