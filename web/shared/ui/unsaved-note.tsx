import './note-box.css';

import { Button } from './button.tsx';

interface UnsavedNoteProps {
  readonly isShown: boolean;
  /** What a save says that has failed, or would; '' for nothing. */
  readonly failure: string;
  /** Whether another tab keeps what is typed in it. */
  readonly isElsewhere: boolean;
  readonly onDiscard: () => void;
}

/** A note about what was typed and not saved (docs/product.md#messages). */
export function UnsavedNote({ isShown, failure, isElsewhere, onDiscard }: UnsavedNoteProps) {
  return (
    <div className="unsaved-note row">
      {/* Always rendered, so that screen readers announce its text when it appears. */}
      <output>
        {isShown && <b className="error">Not saved yet</b>} {failure}
        {isShown && isElsewhere && ' Typed in another tab too: the later text is kept.'}
      </output>
      {isShown && (
        <Button variant="plain" onClick={onDiscard}>
          Discard
        </Button>
      )}
    </div>
  );
}
