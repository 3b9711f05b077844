import './unsaved-note.css';

/** After a failed save (docs/product.md#messages). */
export function UnsavedNote({ isShown }: { readonly isShown: boolean }) {
  // Always rendered, so that screen readers announce its text when it appears.
  return <output className="unsaved-note">{isShown && 'Unsaved changes'}</output>;
}
