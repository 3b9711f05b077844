import './note-box.css';

import type { ReactNode } from 'react';

import { Button } from './button.tsx';

interface NoteBoxProps {
  /** The first line, in bold. */
  readonly title?: ReactNode;
  readonly children: ReactNode;
}

/** A box in place of a list or a report that is empty. */
export function NoteBox({ title, children }: NoteBoxProps) {
  return (
    <div className="note-box">
      {title !== undefined && <p className="note-box-title">{title}</p>}
      {children}
    </div>
  );
}

interface FailureBoxProps {
  readonly sentence: string;
  readonly onRetry: () => void;
}

/** A box in place of a list or a report that could not be loaded. */
export function FailureBox({ sentence, onRetry }: FailureBoxProps) {
  return (
    <div role="alert" className="note-box">
      <p>{sentence}</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}
