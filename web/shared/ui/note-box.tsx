import './note-box.css';

import type { ComponentProps, ReactNode } from 'react';

import { Button, LineIcon } from './button.tsx';

interface NoteBoxProps {
  /** The icon of an empty state. */
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
  readonly onRetry: () => void;
}

export function FailureBox({ sentence, onRetry }: FailureBoxProps) {
  return (
    <div role="alert" className="note-box stack">
      <p>{sentence}</p>
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
