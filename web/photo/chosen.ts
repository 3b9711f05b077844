import { useState } from 'react';
import type { PercentCrop } from 'react-image-crop';

import { IMAGE_SIDE_PX_MIN, IMAGE_TOO_SMALL } from '#domain/photo.ts';
import { showAlert } from '#web/ui/alert.ts';

import { noteOnUnreadable } from './choose.ts';
import { startCrop } from './crop.ts';
import type { Size } from './crop.ts';
import { useObjectUrl } from './object-url.ts';

/** The file that was chosen, the crop on it, and what there is to note about the one before. */
export function useChosen() {
  const [file, setFile] = useState<File | null>(null);
  const [url, show] = useObjectUrl();
  const [crop, setCrop] = useState<PercentCrop>();
  const [note, setNote] = useState('');

  const choose = (chosen: File | null) => {
    setFile(chosen);
    show(chosen);
    setCrop(undefined);
  };
  const clear = (why = '') => {
    choose(null);
    setNote(why);
  };
  /** Called with the picture's size once it has been opened. */
  const opened = (natural: Size) => {
    if (Math.min(natural.width, natural.height) >= IMAGE_SIDE_PX_MIN) {
      setCrop(startCrop(natural));
      return;
    }
    clear();
    showAlert(IMAGE_TOO_SMALL);
  };
  const unreadable = () => file && clear(noteOnUnreadable(file));

  return { url, crop, note, choose, clear, opened, unreadable, setCrop, setNote };
}
