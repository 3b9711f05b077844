import { useId } from 'react';

import { IMAGE_HINT } from '#domain/photo.ts';
import { Glyph } from '#web/ui/glyph.tsx';

import { ACCEPTED, noteOnFile } from './choose.ts';

interface ChooserProps {
  /** What was wrong with the file before; '' is nothing. */
  readonly note: string;
  readonly onNote: (note: string) => void;
  readonly onChoose: (file: File) => void;
}

/** The first step: a file. The input lies over the whole field, so a file can be dropped on it too. */
export function Chooser({ note, onNote, onChoose }: ChooserProps) {
  const id = useId();
  const take = (file: File | undefined) => {
    if (!file) return;
    const found = noteOnFile(file);
    onNote(found);
    if (found === '') onChoose(file);
  };
  return (
    <>
      <label className="photo-drop">
        <input
          type="file"
          className="photo-file"
          accept={ACCEPTED}
          aria-describedby={id}
          onChange={({ target }) => {
            take(target.files?.[0]);
            // The same file may be chosen again.
            target.value = '';
          }}
        />
        <span className="photo-drop-sign">
          <Glyph name="camera" />
        </span>
        <span className="photo-drop-words">Choose a file</span>
      </label>
      <p id={id} className="photo-hint">
        <span>{IMAGE_HINT}</span>
        <output className="photo-note">{note}</output>
      </p>
    </>
  );
}
