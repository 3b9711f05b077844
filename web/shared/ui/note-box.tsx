import './note-box.css';

import type { ComponentProps, ReactNode } from 'react';

import { useIsOffline } from '#web/shared/http/query.ts';

import { Button, LineIcon } from './button.tsx';

interface NoteBoxProps {
  readonly icon?: ComponentProps<typeof TileIcon>['name'];
  readonly title?: ReactNode;
  readonly children: ReactNode;
}

export function NoteBox({ icon, title, children }: NoteBoxProps) {
  return (
    <div className="note-box stack">
      {icon !== undefined && <TileIcon name={icon} />}
      {title !== undefined && <p className="note-box-title">{title}</p>}
      {children}
    </div>
  );
}

interface FailureBoxProps {
  readonly sentence: string;
  /** In its place without a network. */
  readonly offline?: string;
  readonly onRetry: () => void;
}

export function FailureBox({ sentence, offline = sentence, onRetry }: FailureBoxProps) {
  const isOffline = useIsOffline();
  return (
    <div role="alert" className="note-box stack">
      <p>{isOffline ? offline : sentence}</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}

/** The icon of a step or of an empty state. */
export function TileIcon(props: ComponentProps<typeof LineIcon>) {
  return (
    <span className="tile-icon">
      <LineIcon {...props} />
    </span>
  );
}

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
