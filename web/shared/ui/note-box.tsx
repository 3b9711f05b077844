import './note-box.css';

import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';

import { useIsOffline } from '#web/shared/http/query.ts';

import { Button, LineIcon } from './button.tsx';
import { fullText } from './date-text.ts';
import { LoadingStatus } from './loading.tsx';

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

interface FailureTexts {
  readonly sentence: string;
  /** Replaces the sentence if there is no network. */
  readonly offline?: string;
}

interface FailureBoxProps extends FailureTexts {
  /** The time in ms at which the shown content was loaded. It is undefined if there is no content. */
  readonly asOf?: number | undefined;
  readonly isBusy?: boolean;
  readonly onRetry: () => void;
}

export function FailureBox(props: FailureBoxProps) {
  const { sentence, offline = sentence, asOf, isBusy = false, onRetry } = props;
  const isOffline = useIsOffline();
  const text = isOffline ? (asOf === undefined ? offline : "You're offline.") : sentence;
  return (
    <div role="alert" className="note-box stack">
      <p>
        {text}
        {asOf !== undefined && ` What you see is as of ${fullText(new Date(asOf))}.`}
      </p>
      <Button isBusy={isBusy} onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}

interface LoadStateProps extends FailureTexts {
  /** Screen readers announce this while the query loads. It is absent if a skeleton announces it. */
  readonly loading?: string;
  readonly query: Pick<
    UseQueryResult,
    'data' | 'dataUpdatedAt' | 'isError' | 'isFetched' | 'isFetching' | 'refetch'
  >;
  /** Whether a note here says that the content is as last seen, in addition to the 'Offline' note of the page. */
  readonly showsWhenOffline?: boolean;
}

/** Shows the state of a query that has no data yet or whose last attempt has failed, and nothing otherwise. */
export function LoadState({ query, loading, showsWhenOffline = false, ...texts }: LoadStateProps) {
  const isOffline = useIsOffline();
  const { data, dataUpdatedAt, isError, isFetched, isFetching, refetch } = query;
  const hasData = data !== undefined;
  const hasFailed = isError || (isFetched && !hasData);
  if (!hasData && !isFetched && loading !== undefined)
    return <LoadingStatus>{loading}</LoadingStatus>;
  // The note stays while the query is tried again.
  if (!hasFailed || (hasData && isOffline && !showsWhenOffline)) return null;
  return (
    <FailureBox
      {...texts}
      asOf={hasData ? dataUpdatedAt : undefined}
      isBusy={isFetching}
      onRetry={() => void refetch()}
    />
  );
}

export function TileIcon(props: ComponentProps<typeof LineIcon>) {
  return (
    <span className="tile-icon">
      <LineIcon {...props} />
    </span>
  );
}

interface UnsavedNoteProps {
  readonly isShown: boolean;
  /** Why the last save has failed, or why a save would fail now. '' if there is nothing to say. */
  readonly failure: string;
  /** Whether another tab keeps unsaved changes too. */
  readonly hasDraftElsewhere: boolean;
  readonly onDiscard: () => void;
}

/** Says that something was typed and not saved (docs/develop/product.md#messages). */
export function UnsavedNote({ isShown, failure, hasDraftElsewhere, onDiscard }: UnsavedNoteProps) {
  return (
    <div className="unsaved-note row">
      {/* Always rendered, so that screen readers announce its text when it appears. */}
      <output>
        {isShown && <b>Not saved yet</b>} {failure}
        {isShown && hasDraftElsewhere && ' You typed in another tab too. We kept the later text.'}
      </output>
      {isShown && (
        <Button variant="plain" onClick={onDiscard}>
          Discard
        </Button>
      )}
    </div>
  );
}
