import { useState } from 'react';
import type { PercentCrop } from 'react-image-crop';

import { IMAGE_SIDE_PX_MIN, IMAGE_TOO_SMALL } from '#domain/photo.ts';
import { showAlert } from '#web/shared/http/report.ts';

import { initialCrop } from './crop.ts';
import type { Size } from './crop.ts';
import { decodeError } from './file-picker.tsx';
import { useObjectUrl } from './upload.ts';

export function useChosenFile() {
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
