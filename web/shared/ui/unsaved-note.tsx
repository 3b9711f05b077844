import './unsaved-note.css';

interface UnsavedNoteProps {
  readonly isShown: boolean;
  /** Nothing has failed: it is sent when there is a network. */
  readonly isQueued?: boolean;
}

/** After a failed save (docs/product.md#messages). */
export function UnsavedNote({ isShown, isQueued = false }: UnsavedNoteProps) {
  // Always rendered, so that screen readers announce its text when it appears.
  return (
    <output className={isQueued ? 'unsaved-note unsaved-note-queued' : 'unsaved-note'}>
      {isShown && 'Unsaved changes'}
    </output>
  );
}
