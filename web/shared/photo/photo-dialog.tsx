import './photo-dialog.css';

import { useMutation } from '@tanstack/react-query';
import type { UseMutationResult } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
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
import { isCanvasNoisy, turnPicture, uprightPicture } from './upright.ts';

interface PhotoDialogProps {
  readonly onCompleted: (upload: CompletedUpload) => void;
  readonly onClose: () => void;
  readonly removal?: Removal;
  /** The picture that is cropped at first. Without it the dialog begins with the choice of a file. */
  readonly picture?: Blob;
}

type Removal = Pick<UseMutationResult, 'isPending' | 'isError'> & { readonly mutate: () => void };

/** See docs/develop/product.md#photo. */
export function PhotoDialog({ onCompleted, onClose, removal, picture: first }: PhotoDialogProps) {
  const { url, crop, error, rawFile, ...chosen } = useChosenFile(first);
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
    upload.mutate({ picture: image, crop, rawFile });
  };
  const turn = () => picture.current && chosen.turn(picture.current);

  return (
    <Dialog title="Edit photo" onClose={close}>
      {url === null ? (
        <FilePicker error={error} onError={chosen.setError} onChoose={chosen.choose} />
      ) : (
        <Cropper
          url={url}
          crop={crop}
          isDisabled={isUploading || rawFile !== null}
          picture={picture}
          onCrop={chosen.setCrop}
          onDecoded={chosen.onDecoded}
          onDecodeError={chosen.onDecodeError}
          onTurn={rawFile === null ? turn : undefined}
        />
      )}
      {url !== null && (
        <div className="photo-progress note row">
          {isUploading && <Progress percent={Math.round(fraction * WHOLE_PERCENT)} />}
          {(upload.isIdle || upload.isSuccess) && (rawFile === null ? CROP_HINT : RAW_FILE_NOTE)}
          {upload.isError && <output className="photo-error error">{upload.error.message}</output>}
        </div>
      )}
      {url === null && removal && <RemovePhoto {...removal} />}
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

function RemovePhoto({ isPending, isError, mutate }: Removal) {
  return (
    <div className="photo-remove">
      <Button variant="plain" isBusy={isPending} onClick={mutate}>
        Remove photo
      </Button>
      <output className="error">{isError && "We couldn't remove the photo. Try again."}</output>
    </div>
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

const CROP_HINT = 'Move the circle. Pinch, zoom or drag a corner to change its size.';
const RAW_FILE_NOTE =
  "Your browser's privacy settings hide pictures from this page, so we'll send the whole photo and crop it to the middle.";
const CROP_ERROR = "This browser couldn't crop the photo. Try another file.";

function useUpload(onCompleted: (upload: CompletedUpload) => void) {
  const [fraction, setFraction] = useState(0);
  const controller = useRef<AbortController | null>(null);
  const upload = useMutation({
    /** Resolves to null if nothing was uploaded. */
    mutationFn: async ({ picture, crop, rawFile }: Crop): Promise<CompletedUpload | null> => {
      const { signal } = (controller.current = new AbortController());
      setFraction(0);
      if (rawFile) return uploadPhoto(rawFile, setFraction, signal);
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
  /** The file that is sent unchanged, or null if the crop is sent. */
  readonly rawFile: Blob | null;
}

function useChosenFile(first?: Blob) {
  const [picture, setPicture] = useState<Blob | null>(null);
  /** Whether the browser does not let a page read what it draws, so that the file is sent as it is. */
  const [isRaw, setRaw] = useState(false);
  const url = useObjectUrl(picture);
  const [crop, setCrop] = useState<PercentCrop>();
  const [error, setError] = useState('');

  const show = (next: Blob | null) => {
    setPicture(next);
    setCrop(undefined);
  };
  const choose = async (file: Blob) => {
    const isNoisy = await isCanvasNoisy();
    setRaw(isNoisy);
    show(isNoisy ? file : await uprightPicture(file));
  };
  const turn = async (image: HTMLImageElement) => show(await turnPicture(image, { quarters: 1 }));
  const clear = (reason = '') => {
    show(null);
    setError(reason);
  };
  const onDecoded = (natural: Size) => {
    if (Math.min(natural.width, natural.height) >= IMAGE_SIDE_PX_MIN) {
      setCrop(initialCrop(natural));
      return;
    }
    clear();
    showAlert(IMAGE_TOO_SMALL);
  };
  const onDecodeError = async () => {
    if (picture) clear(await decodeError(picture));
  };
  const handleFailure = (cause: unknown) => {
    logFailure('The photo could not be read', cause);
    clear(CROP_ERROR);
  };

  const start = useEffectEvent((file: Blob) => void choose(file).catch(handleFailure));
  useEffect(() => {
    if (first) void Promise.resolve(first).then(start);
  }, [first]);

  return {
    url,
    crop,
    error,
    rawFile: isRaw ? picture : null,
    choose: (file: File) => void choose(file).catch(handleFailure),
    turn: (image: HTMLImageElement) => void turn(image).catch(handleFailure),
    clear,
    onDecoded,
    onDecodeError: () => void onDecodeError().catch(handleFailure),
    setCrop,
    setError,
  };
}
