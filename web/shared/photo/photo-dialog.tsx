import './photo-dialog.css';

import { useRef, useState } from 'react';

import { Button } from '#web/shared/ui/button.tsx';
import { Dialog } from '#web/shared/ui/dialog.tsx';

import { useChosenFile } from './chosen-file.ts';
import { WHOLE_PERCENT, sourceSquare } from './crop.ts';
import { Cropper } from './cropper.tsx';
import { FilePicker } from './file-picker.tsx';
import { useUpload } from './upload.ts';
import type { CompletedUpload, UploadState } from './upload.ts';

interface PhotoDialogProps {
  readonly onCompleted: (upload: CompletedUpload) => void;
  readonly onClose: () => void;
  /** Undefined without a photo. Resolves to whether it was removed. */
  readonly onRemove?: (() => Promise<boolean>) | undefined;
}

/** docs/product.md#photo. */
export function PhotoDialog({ onCompleted, onClose, onRemove }: PhotoDialogProps) {
  const { url, crop, error, ...chosen } = useChosenFile();
  const picture = useRef<HTMLImageElement>(null);
  const { state, upload, abort } = useUpload(onCompleted);
  const isUploading = state.kind === 'uploading';

  const close = () => {
    abort();
    onClose();
  };
  const save = () => {
    const image = picture.current;
    if (!image || !crop) return;
    const natural = { width: image.naturalWidth, height: image.naturalHeight };
    void upload(image, sourceSquare(crop, natural));
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
      {url !== null && <Status state={state} />}
      {url === null && onRemove && <RemoveButton onRemove={onRemove} />}
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

function RemoveButton({ onRemove }: { readonly onRemove: () => Promise<boolean> }) {
  const [state, setState] = useState<'idle' | 'removing' | 'failed'>('idle');
  const remove = async () => {
    setState('removing');
    if (!(await onRemove())) setState('failed');
  };
  return (
    <div className="photo-remove">
      <Button variant="plain" isBusy={state === 'removing'} onClick={() => void remove()}>
        Remove photo
      </Button>
      <output className="error">
        {state === 'failed' && 'The photo was not removed. Try again.'}
      </output>
    </div>
  );
}

function Status({ state }: { readonly state: UploadState }) {
  if (state.kind === 'uploading') {
    const percent = Math.round(state.fraction * WHOLE_PERCENT);
    return (
      <div className="photo-progress note row">
        <progress aria-label="Upload" value={percent} max={WHOLE_PERCENT} />
        <span>{percent < WHOLE_PERCENT ? `${percent} %` : 'Saving'}</span>
      </div>
    );
  }
  return (
    <div className="photo-progress note row">
      {state.error === '' ? (
        'Move the circle. Pinch, zoom or drag a corner to change its size.'
      ) : (
        <output className="photo-error error">{state.error}</output>
      )}
    </div>
  );
}
