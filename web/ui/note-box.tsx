import './note-box.css';

import type { ReactNode } from 'react';

import { Button } from './button.tsx';

interface NoteBoxProps {
  readonly title?: ReactNode;
  readonly children: ReactNode;
}

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

export function FailureBox({ sentence, onRetry }: FailureBoxProps) {
  return (
    <div role="alert" className="note-box">
      <p>{sentence}</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}
