import { useId } from 'react';

import { IMAGE_HINT, IMAGE_SIZE_BYTES_MAX, IMAGE_TOO_LARGE_NOTE } from '#domain/photo.ts';
import { LineIcon } from '#web/shared/ui/button.tsx';

/** An iPhone converts a HEIC photo to JPEG because HEIC is not listed. */
const ACCEPTED_TYPES = 'image/jpeg,image/png,image/webp';

const NOT_A_PICTURE_ERROR = 'This file cannot be read. Choose a JPG or PNG.';
const HEIC_ERROR =
  'This browser cannot open HEIC photos. Save or send it as a JPG, and choose that.';

function fileSizeError(file: Pick<File, 'size'>): string {
  return file.size > IMAGE_SIZE_BYTES_MAX ? IMAGE_TOO_LARGE_NOTE : '';
}

export function decodeError({ name, type }: Pick<File, 'name' | 'type'>): string {
  const isHeic = /^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name);
  return isHeic ? HEIC_ERROR : NOT_A_PICTURE_ERROR;
}

interface FilePickerProps {
  readonly error: string;
  readonly onError: (error: string) => void;
  readonly onChoose: (file: File) => void;
}

/** The input covers the whole area, so a file can be dropped on it. */
export function FilePicker({ error, onError, onChoose }: FilePickerProps) {
  const id = useId();
  const choose = (file: File | undefined) => {
    if (!file) return;
    const sizeError = fileSizeError(file);
    onError(sizeError);
    if (sizeError === '') onChoose(file);
  };
  return (
    <>
      <label className="photo-drop">
        <input
          type="file"
          className="photo-file"
          accept={ACCEPTED_TYPES}
          aria-describedby={id}
          onChange={({ target }) => {
            choose(target.files?.[0]);
            // Otherwise choosing the same file again fires no event.
            target.value = '';
          }}
        />
        <span className="photo-drop-icon">
          <LineIcon name="camera" />
        </span>
        <span className="photo-drop-label">Choose a file</span>
      </label>
      <p id={id} className="photo-hint note row">
        <span>{IMAGE_HINT}</span>
        <output className="photo-error error">{error}</output>
      </p>
    </>
  );
}
