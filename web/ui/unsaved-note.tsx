import './unsaved-note.css';

interface UnsavedNoteProps {
  readonly isShown: boolean;
  /** Whether the changes are saved as soon as there is a network. */
  readonly isQueued?: boolean;
}

/** The note beside a save button after a failed save (docs/product.md#messages). */
export function UnsavedNote({ isShown, isQueued = false }: UnsavedNoteProps) {
  const text = isQueued ? 'Unsaved changes, sent when you are online' : 'Unsaved changes';
  // Always rendered, so that screen readers announce its text when it appears.
  return <output className="unsaved-note">{isShown && text}</output>;
}
